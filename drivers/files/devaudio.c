/*
 * `#A`: the sound card as files, audio(4). What is written to audio is played.
 * Without a card there is no such device.
 */
#include "drivers/bus/ac97.h"
#include "drivers/files/devices.h"

enum { QDIR, QAUDIO };

static bool present; /* there is a card; constant after init */

/* Without a card the device stays in the table, but cannot be attached. */
static void audio_init(void)
{
	present = ac97_init();
}

/* -ENODEV if there is no card. */
static int audio_attach(struct chan *, const char *spec)
{
	if (!present)
		return -ENODEV;
	if (*spec)
		return -ENOENT;
	return 0;
}

/* Only one channel at a time may play. */
static int audio_open(struct chan *c, int)
{
	return c->qid == QAUDIO ? ac97_open() : 0;
}

static void audio_close(struct chan *c)
{
	if (c->qid == QAUDIO)
		ac97_close();
}

static ssize_t audio_write(struct chan *, const void *buf, size_t n, uint64_t)
{
	return ac97_write(buf, n);
}

/* A write has to wait for room in the card's ring. */
static int audio_ready(struct chan *)
{
	if (ac97_writable())
		return READY_READ | READY_WRITE;
	return READY_READ;
}

static void audio_watch(struct chan *, struct watcher *w)
{
	ac97_watch(w);
}

static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QAUDIO] = {"audio", S_IFCHR | 0222, .write = audio_write},
};

const struct dev audiodev = {
	.letter = 'A', .name = "audio", .dir = {rows, nelem(rows), NULL}, .init = audio_init,
	.attach = audio_attach, .open = audio_open, .close = audio_close, .read = dirtab_read,
	.write = dirtab_write, .ready = audio_ready, .watch = audio_watch,
};
