/*
 * `#A`: the sound card as files, audio(4). What is written to audio is played; volume says
 * how loud and how fast. Without a card there is no such device.
 */
#include "drivers/bus/ac97.h"
#include "drivers/files/devices.h"
#include "kernel/lib.h"

enum { QDIR, QAUDIO, QVOLUME };

static bool present; /* constant after init */

static void audio_init(void)
{
	present = ac97_init();
}

/* -ENODEV where there is no card. */
static int audio_attach(struct chan *, const char *spec)
{
	if (!present)
		return -ENODEV;
	return *spec ? -ENOENT : 0;
}

static int audio_open(struct chan *c, int)
{
	return c->qid == QAUDIO ? ac97_open() : 0;
}

static void audio_close(struct chan *c)
{
	if (c->qid == QAUDIO)
		ac97_close();
}

/* The settings, in the words that set them. */
static ssize_t read_volume(struct chan *, void *buf, size_t n, uint64_t off)
{
	char text[64];

	snprintf(text, sizeof(text), "master %u\npcm %u\nspeed %u\n", ac97_gain(AC97_MASTER),
		 ac97_gain(AC97_PCM), ac97_rate());
	return read_str(buf, n, off, text);
}

/* One setting. -EINVAL: no such word, or a number out of bounds; -ENOTSUP: a rate it has not. */
static int set_volume(const void *msg, size_t n)
{
	enum { SPEED = AC97_NGAIN };
	static const struct cmd words[] = {
		[AC97_MASTER] = {"master", 1, 1},
		[AC97_PCM] = {"pcm", 1, 1},
		[SPEED] = {"speed", 1, 1},
	};
	struct cmd_words cw;
	uint32_t v;
	int id = cmd_parse(words, nelem(words), msg, n, &cw);

	if (id < 0)
		return id;
	if (!parse_uint(cw.word[1], &v))
		return -EINVAL;
	return id == SPEED ? ac97_set_rate(v) : ac97_set_gain((enum ac97_gain)id, v);
}

static ssize_t write_volume(struct chan *, const void *buf, size_t n, uint64_t)
{
	int err = set_volume(buf, n);

	return err < 0 ? err : (ssize_t)n;
}

static ssize_t write_audio(struct chan *, const void *buf, size_t n, uint64_t)
{
	return ac97_write(buf, n);
}

static int audio_ready(struct chan *c)
{
	return READY_READ | (c->qid == QVOLUME || ac97_writable() ? READY_WRITE : 0);
}

static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QAUDIO] = {"audio", S_IFCHR | 0222, .write = write_audio},
	[QVOLUME] = {"volume", S_IFREG | 0666, .read = read_volume, .write = write_volume},
};

static const struct dirtab_list tab = {rows, nelem(rows)};

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
};
