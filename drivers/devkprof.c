/*
 * `#T`: kprof(3). kpctl takes the words of the table below; kpdata is the histogram.
 * Opening either takes a picture, from which all reads of that file are served.
 */
#include "devkprof.h"
#include "kernel.h"
#include "picture.h"
#include "profclock.h"
#include "prof/prof.h"

enum { QDIR, QCTL, QDATA };

#define CTL_SIZE 768 /* of kpctl's text */
#define CELL 4u	     /* kpdata is read in whole numbers */

static uint64_t data_length(void)
{
	return kprof_length(prof);
}

static const struct dirtab rows[] = {
	[QDIR] = {.name = ".", .mode = S_IFDIR | 0555},
	[QCTL] = {.name = "kpctl", .mode = S_IFREG | 0600},
	[QDATA] = {.name = "kpdata", .mode = S_IFREG | 0600, .length = data_length},
};

static const struct dirtab_list tab = {rows, nelem(rows)};

static int kprof_walk(struct chan *c, const char *name)
{
	return dirtab_walk(&tab, c, name);
}

static int kprof_entry(struct chan *c, unsigned i, char *name, struct stat *st)
{
	return dirtab_entry(&tab, c, i, name, st);
}

static int kprof_stat(struct chan *c, struct stat *st)
{
	return dirtab_stat(&tab, c, st);
}

/* Tell the profilers how long the clock's ticks are. */
static void tell_period(void)
{
	struct profclock_status st;

	profclock_status(&st);
	prof_period(prof, st.period_us);
}

/* The clock is held while kprof is on. With prof=boot that began before there was a clock. */
static void kprof_dev_init(void)
{
	tell_period();
	if (prof_wants(prof, PROF_KPROF))
		profclock_hold();
}

static void start(void)
{
	if (!prof_wants(prof, PROF_KPROF))
		profclock_hold();
	kprof_start(prof);
}

static void stop(void)
{
	if (prof_wants(prof, PROF_KPROF))
		profclock_release();
	kprof_stop(prof);
}

/* A rate out of bounds, or no number, is an error; the ticks so far keep their length. */
static int set_hz(const char *word)
{
	uint32_t hz;
	int err;

	if (!parse_uint(word, &hz))
		return -EINVAL;
	err = profclock_hz(hz);
	if (err == 0)
		tell_period();
	return err;
}

/* nmi or irq */
static int set_clock(const char *word)
{
	bool nmi = strcmp(word, "nmi") == 0;

	if (!nmi && strcmp(word, "irq") != 0)
		return -EINVAL;
	return profclock_delivery(nmi);
}

enum { START, STOP, STARTCLR, SET_HZ, SET_CLOCK };

static const struct cmd words[] = {
	{"start", START, 0, 0}, {"stop", STOP, 0, 0},	    {"startclr", STARTCLR, 0, 0},
	{"hz", SET_HZ, 1, 1},	{"clock", SET_CLOCK, 1, 1},
};

static int control(int id, char *const *word)
{
	switch (id) {
	case START:
		start();
		return 0;
	case STOP:
		stop();
		return 0;
	case STARTCLR:
		kprof_clear(prof);
		start();
		return 0;
	case SET_HZ:
		return set_hz(word[1]);
	case SET_CLOCK:
		return set_clock(word[1]);
	default:
		return id;
	}
}

/* What each CPU has been given, where there are several. */
static size_t cpus_text(char *buf, size_t size, const struct profclock_status *st)
{
	size_t n = 0;

	for (int i = 0; ncpu > 1 && i < ncpu; i++)
		n += (size_t)snprintf(buf + n, size - n, "cpu%d ticks %llu lost %llu\n", i,
				      (unsigned long long)st->cpu[i].ticks,
				      (unsigned long long)st->cpu[i].lost);
	return n;
}

/* The state, in the words that a write takes where it takes them. */
static size_t ctl_text(char *buf, size_t size)
{
	struct profclock_status st;
	size_t n;

	profclock_status(&st);
	n = (size_t)snprintf(buf, size,
			     "%s\nclock %s\nhz %u\nsource %s\nperiod %u\nticks %llu\n"
			     "lost %llu\nstrays %u\n%s",
			     prof_wants(prof, PROF_KPROF) ? "start" : "stop", st.delivery, st.hz,
			     st.source, st.period_us, (unsigned long long)st.ticks,
			     (unsigned long long)st.lost, st.strays,
			     kprof_full(prof) ? "full\n" : "");
	return n + cpus_text(buf + n, size - n, &st);
}

static int kprof_open(struct chan *c, int flags)
{
	struct picture *pic;

	c->aux = NULL;
	if (c->qid == QDIR || (flags & O_ACCMODE) == O_WRONLY)
		return 0;
	pic = picture_new(c, c->qid == QDATA ? kprof_length(prof) : CTL_SIZE);
	if (!pic)
		return -ENOMEM;
	mutex_lock(&prof_lock);
	if (c->qid == QDATA)
		kprof_picture(prof, pic->data);
	else
		pic->len = ctl_text((char *)pic->data, pic->len);
	mutex_unlock(&prof_lock);
	return 0;
}

/* kpdata's offsets are multiples of a number's size; a length is cut to one. */
static ssize_t kprof_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	if (c->qid == QDATA) {
		if (off % CELL != 0)
			return -EINVAL;
		n -= n % CELL;
	}
	return picture_read(c, buf, n, off);
}

static ssize_t kprof_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	struct cmd_words msg;
	int err;

	(void)off;
	if (c->qid != QCTL)
		return -EPERM;
	err = cmd_parse(words, nelem(words), buf, n, &msg);
	if (err < 0)
		return err;
	mutex_lock(&prof_lock);
	err = control(err, msg.word);
	mutex_unlock(&prof_lock);
	return err < 0 ? err : (ssize_t)n;
}

const struct dev kprofdev = {
	.letter = 'T',
	.name = "kprof",
	.init = kprof_dev_init,
	.walk = kprof_walk,
	.entry = kprof_entry,
	.stat = kprof_stat,
	.open = kprof_open,
	.close = picture_close,
	.read = kprof_read,
	.write = kprof_write,
};
