/*
 * `#T`: kprof(3). kpctl takes the words of the table below; kpdata is the histogram,
 * kpstack the paths of calls. Opening any takes a picture, from which all reads of that file
 * are served.
 */
#include "drivers/clock/profclock.h"
#include "drivers/files/devices.h"
#include "drivers/files/picture.h"
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/proc.h"
#include "kernel/prof/userprof.h"
#include "prof/prof.h"

enum { QDIR, QCTL, QDATA, QSTACK };

#define CTL_SIZE 1024 /* of kpctl's text */
#define HEAD_SIZE 80 /* of kpstack's first line */
#define CELL 4u	     /* kpdata is read in whole numbers */

static bool held; /* prof_lock; the clock, which is held while kprof is on */

static uint64_t data_length(void)
{
	return kprof_length(prof);
}

static const struct dirtab rows[] = {
	[QDIR] = {.name = ".", .mode = S_IFDIR | 0555},
	[QCTL] = {.name = "kpctl", .mode = S_IFREG | 0600},
	[QDATA] = {.name = "kpdata", .mode = S_IFREG | 0600, .length = data_length},
	[QSTACK] = {.name = "kpstack", .mode = S_IFREG | 0600},
};

static const struct dirtab_list tab = {rows, nelem(rows)};

/* Tell the profilers how long the clock's ticks are. */
static void tell_period(void)
{
	struct profclock_status st;

	profclock_status(&st);
	prof_period(prof, st.period_us);
}

static int start(const struct cmd_words *)
{
	if (!held)
		profclock_hold();
	held = true;
	kprof_start(prof);
	return 0;
}

/* With prof=boot it was on before there was a clock. */
static void kprof_dev_init(void)
{
	tell_period();
	if (prof_wants(prof, PROF_KPROF))
		start(NULL);
}

static int stop(const struct cmd_words *)
{
	if (held)
		profclock_release();
	held = false;
	kprof_stop(prof);
	return 0;
}

/* Nothing was counted before. */
static int start_clear(const struct cmd_words *msg)
{
	kprof_stop(prof);
	kprof_clear(prof);
	stack_clear(prof);
	return start(msg);
}

/* A rate out of bounds, or no number, is an error; the ticks so far keep their length. */
static int set_hz(const struct cmd_words *msg)
{
	uint32_t hz;
	int err;

	if (!parse_uint(msg->word[1], &hz))
		return -EINVAL;
	err = profclock_hz(hz);
	if (err == 0)
		tell_period();
	return err;
}

/* nmi or irq */
static int set_clock(const struct cmd_words *msg)
{
	bool nmi = strcmp(msg->word[1], "nmi") == 0;

	if (!nmi && strcmp(msg->word[1], "irq") != 0)
		return -EINVAL;
	return profclock_delivery(nmi);
}

/* on or off; what was counted is gone with off */
static int set_stacks(const struct cmd_words *msg)
{
	bool on = strcmp(msg->word[1], "on") == 0;

	if (!on && strcmp(msg->word[1], "off") != 0)
		return -EINVAL;
	if (!on)
		stack_close(prof);
	else if (!stack_open(prof))
		return -ENOMEM;
	stack_run(prof, prof_wants(prof, PROF_KPROF));
	return 0;
}

/* Paths of several depths would not add up to one picture. */
static int set_depth(const struct cmd_words *msg)
{
	uint32_t depth;

	if (!parse_uint(msg->word[1], &depth) || depth == 0 || depth > STACK_MAXDEPTH)
		return -EINVAL;
	if (stack_on(prof) && depth != prof->stack.depth)
		return -EBUSY;
	stack_depth(prof, depth);
	return 0;
}

/* off, or pid N of a process that is there, and may end */
static int set_filter(const struct cmd_words *msg)
{
	uint32_t pid = STACK_EVERY;
	int err = 0;

	if (msg->n == 2 ? strcmp(msg->word[1], "off") != 0 :
			  strcmp(msg->word[1], "pid") != 0 || !parse_uint(msg->word[2], &pid) ||
				  pid > INT32_MAX)
		return -EINVAL;
	if (pid != STACK_EVERY)
		err = proc_kill((int)pid, 0);
	if (err == 0)
		stack_only(prof, pid);
	return err;
}

static const struct cmd words[] = {
	{"start", 0, 0, start},
	{"stop", 0, 0, stop},
	{"startclr", 0, 0, start_clear},
	{"hz", 1, 1, set_hz},
	{"clock", 1, 1, set_clock},
	{"stacks", 1, 1, set_stacks},
	{"depth", 1, 1, set_depth},
	{"filter", 1, 2, set_filter},
};

/* What each CPU has been given, and how many of its counts are outside kernel text. */
static size_t cpus_text(char *buf, size_t size, const struct profclock_status *st)
{
	size_t n = 0;

	for (int i = 0; i < ncpu; i++)
		n += (size_t)snprintf(buf + n, size - n,
				      "cpu%d ticks %llu lost %llu outside %u\n", i,
				      st->cpu[i].ticks, st->cpu[i].lost,
				      prof_load(&prof->kprof.cell[i][KPROF_OUTSIDE]));
	return n;
}

/* What is counted of calls. */
static size_t stacks_text(char *buf, size_t size)
{
	char filter[16] = "off";

	if (prof->stack.pid != STACK_EVERY)
		snprintf(filter, sizeof(filter), "pid %u", prof->stack.pid);
	return (size_t)snprintf(buf, size, "stacks %s\ndepth %u\nfilter %s\n",
				stack_on(prof) ? "on" : "off", prof->stack.depth, filter);
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
			     st.source, st.period_us, st.ticks, st.lost, st.strays,
			     kprof_full(prof) ? "full\n" : "");
	n += stacks_text(buf + n, size - n);
	return n + cpus_text(buf + n, size - n, &st);
}

/* kpstack: the build id of the kernel whose addresses these are, then the paths. -ENOMEM. */
static int stack_picture(struct chan *c)
{
	struct stack_look look;
	size_t room = stack_look(prof, &look), n;
	struct picture *pic = picture_new(c, HEAD_SIZE + room);
	char *out, id[41];

	if (!pic)
		return -ENOMEM;
	out = (char *)pic->data;
	n = (size_t)snprintf(out, HEAD_SIZE, "# kpstack version=1 build=%s\n", build_id(id, 40));
	pic->len = n + stack_text(prof, &look, out + n);
	return 0;
}

static int kprof_open(struct chan *c, int flags)
{
	struct picture *pic;
	int err = 0;

	c->aux = NULL;
	if (c->qid == QDIR || (flags & O_ACCMODE) == O_WRONLY)
		return 0;
	if (c->qid == QSTACK) {
		mutex_lock(&prof_lock);
		err = stack_picture(c);
		mutex_unlock(&prof_lock);
		return err;
	}
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

/* kpdata is read in whole numbers: other offsets are errors, and a length is rounded down. */
static ssize_t kprof_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	if (c->qid == QDATA) {
		if (off % CELL != 0)
			return -EINVAL;
		n -= n % CELL;
	}
	return picture_read(c, buf, n, off);
}

static ssize_t kprof_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	ssize_t r;

	if (c->qid != QCTL)
		return -EPERM;
	mutex_lock(&prof_lock);
	r = cmd_write(words, nelem(words), buf, n);
	mutex_unlock(&prof_lock);
	return r;
}

const struct dev kprofdev = {
	.letter = 'T',
	.name = "kprof",
	.dir = &tab,
	.init = kprof_dev_init,
	.open = kprof_open,
	.close = picture_close,
	.read = kprof_read,
	.write = kprof_write,
};
