/*
 * `#A`: the sound card as files, audio(4). What is written to audio is played; volume sets
 * how loud and at what rate. Without a card there is no such device.
 */
#include "drivers/bus/ac97.h"
#include "drivers/files/devices.h"
#include "kernel/file/picture.h"

enum { QDIR, QAUDIO, QVOLUME };

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

/* Only one channel at a time may play; any number may read or set the volume. */
static int audio_open(struct chan *c, int)
{
	return c->qid == QAUDIO ? ac97_open() : 0;
}

static void audio_close(struct chan *c)
{
	if (c->qid == QAUDIO)
		ac97_close();
}

/* Tell the settings, in the words that set them. */
static int audio_show_volume(struct chan *, struct picture *to)
{
	return picture_print(to, "master %u\npcm %u\nspeed %u\n", ac97_gain(AC97_MASTER),
			     ac97_gain(AC97_PCM), ac97_rate());
}

/* Set how loud the part is that the first word names, in per cent. */
static int audio_set_gain(struct chan *, const struct cmd_words *msg)
{
	enum ac97_gain which = AC97_MASTER;

	if (strcmp(msg->word[0], "pcm") == 0)
		which = AC97_PCM;
	return ac97_set_gain(which, (unsigned)msg->number);
}

/* Set the frames a second; -ENOTSUP: the card does not support that rate. */
static int audio_set_speed(struct chan *, const struct cmd_words *msg)
{
	return ac97_set_rate((unsigned)msg->number);
}

static const struct cmd volume_words[] = {
	{"master", 1, 1, .run = audio_set_gain, .most = 100},
	{"pcm", 1, 1, .run = audio_set_gain, .most = 100},
	{"speed", 1, 1, .run = audio_set_speed, .most = INT32_MAX},
};

static ssize_t audio_write(struct chan *, const void *buf, size_t n, uint64_t)
{
	return ac97_write(buf, n);
}

/* Only a write to audio has to wait, for room in the card's ring. */
static int audio_ready(struct chan *c)
{
	if (c->qid == QVOLUME || ac97_writable())
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
	[QVOLUME] = {"volume", S_IFREG | 0666, .show = audio_show_volume, .live = true,
		     .ctl = {volume_words, nelem(volume_words)}},
};

static const struct dirtab_list tab = {rows, nelem(rows), NULL};

const struct dev audiodev = {
	.letter = 'A',
	.name = "audio",
	.dir = &tab,
	.init = audio_init,
	.attach = audio_attach,
	.open = audio_open,
	.close = audio_close,
	.read = dirtab_read,
	.write = dirtab_write,
	.ready = audio_ready,
	.watch = audio_watch,
};
