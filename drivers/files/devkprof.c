/*
 * `#T`: kprof(3). kpctl takes the words of the table below; kpdata is the histogram, kpstack the
 * paths of calls, kpwait those of waits, kptrace the last ticks. Opening any of them takes a
 * picture, from which all reads of the channel are served, so that what a reader sees adds up while
 * kprof runs.
 */
#include "drivers/clock/profspan.h"
#include "drivers/files/devices.h"
#include "kernel/cmdline.h"
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/memory.h"
#include "kernel/picture.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/prof/userprof.h"

enum { QDIR, QCTL, QDATA, QSTACK, QWAIT, QTRACE, QINFO };

/* Bytes that texts may take: kpctl, kpinfo, and the comments that kpstack begins with. */
#define CTL_SIZE (512 + (size_t)ncpu * 80)
#define INFO_SIZE (256 + 3 * PROFSPAN_TEXT)
#define HEAD_SIZE (80 + PROFSPAN_TEXT)
#define TRACE_MAX (1 << 17) /* records of a CPU: 2 MB */
#define CELL 4u	      /* bytes of a number in kpdata */

static uint64_t data_length(const struct chan *)
{
	return prof_kprof_length(prof);
}

static const struct dirtab rows[] = {
	[QDIR] = {.name = ".", .mode = S_IFDIR | 0555},
	[QCTL] = {.name = "kpctl", .mode = S_IFREG | 0600},
	[QDATA] = {.name = "kpdata", .mode = S_IFREG | 0600, .length = data_length},
	[QSTACK] = {.name = "kpstack", .mode = S_IFREG | 0600},
	[QWAIT] = {.name = "kpwait", .mode = S_IFREG | 0600},
	[QTRACE] = {.name = "kptrace", .mode = S_IFREG | 0600},
	[QINFO] = {.name = "kpinfo", .mode = S_IFREG | 0400},
};

static const struct dirtab_list tab = {rows, nelem(rows)};

/* Tell the profilers how long the clock's ticks are. */
static void tell_period(void)
{
	struct profclock_status st;

	profclock_status(&st);
	prof_period(prof, st.period_us);
}

/* Start kprof before its clock, so that it misses none of its ticks. Twice is fine. */
static int kprof_on(struct chan *, const struct cmd_words *)
{
	prof_kprof_start(prof);
	waits_changed();
	profspan_run(&profspan_kprof, true);
	return 0;
}

/* Stop kprof and release the clock. Twice is fine. */
static int kprof_off(struct chan *, const struct cmd_words *)
{
	profspan_run(&profspan_kprof, false);
	prof_kprof_stop(prof);
	waits_changed();
	return 0;
}

/* Start from zero. */
static int kprof_restart(struct chan *c, const struct cmd_words *msg)
{
	kprof_off(c, msg);
	prof_kprof_clear(prof);
	prof_stack_clear(prof);
	profspan_clear(&profspan_kprof);
	return kprof_on(c, msg);
}

/* Set the rate. The ticks counted so far keep their length. */
static int set_hz(struct chan *, const struct cmd_words *msg)
{
	int hz = cmd_number(msg, 1, 0, INT32_MAX);
	int err = hz < 0 ? hz : profclock_hz((unsigned)hz);

	if (!err)
		tell_period();
	return err;
}

/* Set how ticks are delivered. */
static int set_clock(struct chan *, const struct cmd_words *msg)
{
	int nmi = cmd_either(msg, 1, "nmi", "irq");

	return nmi < 0 ? nmi : profclock_delivery(nmi);
}

/* Count paths of ticks, or of waits. Off forgets what was counted. */
static int set_paths(struct chan *, const struct cmd_words *msg)
{
	int on = cmd_either(msg, 1, "on", "off");
	bool waits = strcmp(msg->word[0], "waits") == 0;

	if (on < 0)
		return on;
	if (!on && waits)
		prof_stack_wait_close(prof);
	else if (!on)
		prof_stack_close(prof);
	else if (!(waits ? prof_stack_wait_open(prof, time_tsc_khz()) : prof_stack_open(prof)))
		return -ENOMEM;
	prof_stack_run(prof, prof_wants(prof, PROF_KPROF));
	waits_changed();
	return 0;
}

/* Keep the last n ticks of each CPU, and the changes of process among them. */
static int set_trace(struct chan *, const struct cmd_words *msg)
{
	bool off = msg->n == 2 && strcmp(msg->word[1], "off") == 0, all = msg->n == 3;
	int n = off ? 0 : cmd_number(msg, 1, 1, TRACE_MAX);

	if (n < 0 || (all && strcmp(msg->word[2], "switches") != 0))
		return -EINVAL;
	if (!off && (!prof_stack_on(prof) || (all && !prof_stack_wait_on(prof))))
		return -ENOTSUP;
	prof_trace_close(prof);
	if (!off && !prof_trace_open(prof, (uint32_t)n, all, time_tsc_khz(), time_start()))
		return -ENOMEM;
	prof_stack_run(prof, prof_wants(prof, PROF_KPROF));
	return 0;
}

/* Set how long paths may be; not while stacks are on: one picture cannot mix two depths. */
static int set_depth(struct chan *, const struct cmd_words *msg)
{
	int depth = cmd_number(msg, 1, 1, PROF_STACK_MAXDEPTH);

	if (depth < 0)
		return depth;
	if ((prof_stack_on(prof) || prof_stack_wait_on(prof)) &&
	    (uint32_t)depth != prof->stack.depth)
		return -EBUSY;
	prof_stack_depth(prof, (uint32_t)depth);
	return 0;
}

/* Count the paths of all processes, or of one, which must be there now, and may end later. */
static int set_filter(struct chan *, const struct cmd_words *msg)
{
	bool off = msg->n == 2;
	int pid = off ? 0 : cmd_number(msg, 2, 0, INT32_MAX);

	if (pid < 0 || strcmp(msg->word[1], off ? "off" : "pid") != 0)
		return -EINVAL;
	int err = off ? 0 : proc_kill(pid, 0);
	if (!err)
		prof_stack_only(prof, off ? PROF_STACK_EVERY : (uint32_t)pid);
	return err;
}

static const struct cmd words[] = {
	{"start", 0, 0, kprof_on},
	{"stop", 0, 0, kprof_off},
	{"startclr", 0, 0, kprof_restart},
	{"hz", 1, 1, set_hz},
	{"clock", 1, 1, set_clock},
	{"stacks", 1, 1, set_paths},
	{"waits", 1, 1, set_paths},
	{"trace", 1, 2, set_trace},
	{"depth", 1, 1, set_depth},
	{"filter", 1, 2, set_filter},
};

/*
 * Do what the kernel's command line says in the same words, as in start stacks=on. With prof=boot
 * kprof has been on since before there was a clock.
 */
static void kprof_dev_init(void)
{
	static struct cmd_words msg = {.n = 2, .word[1] = msg.text};

	tell_period();
	for (size_t i = 0; i < nelem(words); i++) {
		msg.word[0] = (char *)words[i].word;
		if (cmdline_get(words[i].word, msg.text, sizeof(msg.text)) &&
		    words[i].run(NULL, &msg) != 0)
			printk("kprof: %s cannot be \"%s\"\n", words[i].word, msg.text);
	}
	if (prof_wants(prof, PROF_KPROF))
		kprof_on(NULL, NULL);
}

static const struct cmd_list ctl = {words, nelem(words), &prof_lock};

/* Tell the state, in the words that a write accepts where there are such. */
static ssize_t ctl_text(struct chan *, char *out, size_t size)
{
	struct clock_counts c = profspan_all(&profspan_kprof);
	struct profclock_status st;
	char filter[16] = "off", trace[24] = "off";
	int n;

	profclock_status(&st);
	if (prof->stack.pid != PROF_STACK_EVERY)
		snprintf(filter, sizeof(filter), "pid %u", prof->stack.pid);
	if (prof->trace.size)
		snprintf(trace, sizeof(trace), "%u%s", prof->trace.size,
			 prof->trace.switches ? " switches" : "");
	n = snprintf(out, size,
		     "%s\nclock %s\nhz %u\nsource %s\nperiod %u\nticks %llu\nlost %llu\n"
		     "strays %u\n%sstacks %s\ndepth %u\nfilter %s\nwaits %s\ntrace %s\n",
		     prof_wants(prof, PROF_KPROF) ? "start" : "stop", st.delivery, st.hz, st.source,
		     st.period_us, c.ticks, c.lost, st.strays,
		     prof_kprof_full(prof) ? "full\n" : "", prof_stack_on(prof) ? "on" : "off",
		     prof->stack.depth, filter, prof_stack_wait_on(prof) ? "on" : "off", trace);
	for (int i = 0; i < ncpu; i++) {
		c = profspan_cpu(&profspan_kprof, i);
		n += snprintf(out + n, size - (size_t)n, "cpu%d ticks %llu lost %llu outside %u\n",
			      i, c.ticks, c.lost,
			      prof_load(&prof->kprof.cell[i][PROF_KPROF_OUTSIDE]));
	}
	return n;
}

/* Tell what the profiles do not: of which kernel and machine they are, and what they missed. */
static ssize_t info_text(struct chan *, char *out, size_t size)
{
	char id[41], name[CPU_NAME];
	size_t n;

	cpu_name(name);
	for (char *at = name; *at; at++)
		if (*at == ' ')
			*at = '_';
	n = (size_t)snprintf(out, size, "# kpinfo version=1 build=%s machine=%s memory_kb=%u "
			     "start=%llx\n", build_id(id, 40), name,
			     frame_count() * (PAGE / 1024), time_start());
	n += profspan_text(NULL, "# profiler=any ", out + n, size - n);
	n += profspan_text(&profspan_kprof, "# profiler=kprof ", out + n, size - n);
	n += profspan_text(&profspan_gmon, "# profiler=gmon ", out + n, size - n);
	return (ssize_t)n;
}

static ssize_t data_fill(struct chan *, char *out, size_t size)
{
	prof_kprof_picture(prof, (uint8_t *)out);
	return (ssize_t)size;
}

/*
 * Picture the build id of the kernel whose addresses these are, the ticks, the paths. How long that
 * is shows when it has been written, and counts may then have more digits: so it is tried until it
 * fits. -ENOMEM.
 */
static int stack_picture(struct chan *c)
{
	size_t room = HEAD_SIZE;
	struct picture *pic;
	char id[41];

	while ((pic = picture_new(c, room)) != NULL) {
		struct prof_sink to = {.write = picture_write, .arg = pic};
		char *out = (char *)pic->data;

		pic->len = (size_t)snprintf(out, HEAD_SIZE, "# %s version=1 build=%s%c",
					    rows[c->qid].name, build_id(id, 40),
					    c->qid == QTRACE ? ' ' : '\n');
		if (c->qid == QSTACK) {
			pic->len += profspan_text(&profspan_kprof, "# ", out + pic->len,
						  PROFSPAN_TEXT);
			prof_stack_write(prof, &to);
		} else if (c->qid == QWAIT) {
			prof_stack_wait_write(prof, &to);
		} else {
			pic->len += (size_t)snprintf(out + pic->len, HEAD_SIZE - pic->len,
						     "cpus=%d period_us=%u\n", ncpu, prof->us);
			prof_trace_write(prof, &to);
		}
		if (pic->len <= room)
			return 0;
		room = pic->len;
		kfree(pic);
	}
	return -ENOMEM;
}

/* Nothing is pictured for a channel that can only be written. */
static int kprof_open(struct chan *c, int flags)
{
	if ((flags & O_ACCMODE) == O_WRONLY)
		return 0;
	HOLD_MUTEX(&prof_lock);
	switch (c->qid) {
	case QCTL:
		return picture_take(c, CTL_SIZE, ctl_text);
	case QDATA:
		return picture_take(c, prof_kprof_length(prof), data_fill);
	case QSTACK:
	case QWAIT:
	case QTRACE:
		return stack_picture(c);
	case QINFO:
		return picture_take(c, INFO_SIZE, info_text);
	default:
		return 0;
	}
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

/* The histogram and the paths are read-only, though the owner may open them for writing. */
static ssize_t kprof_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	return c->qid == QCTL ? cmd_write(&ctl, c, buf, n) : -EPERM;
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
