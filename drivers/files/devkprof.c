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

#define TRACE_MAX (1 << 17) /* records of a CPU: 2 MB */
#define CELL 4u	      /* bytes of a number in kpdata */

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

/* Tell the state, in the words that a write accepts where there are such. */
static int show_ctl(struct chan *, struct picture *to)
{
	struct clock_counts c = profspan_all(&profspan_kprof);
	struct profclock_status st;

	profclock_status(&st);
	picture_print(to, "%s\nclock %s\nhz %u\nsource %s\nperiod %u\nticks %llu\nlost %llu\n"
		      "strays %u\n%sstacks %s\ndepth %u\nfilter ",
		      prof_wants(prof, PROF_KPROF) ? "start" : "stop", st.delivery, st.hz,
		      st.source, st.period_us, c.ticks, c.lost, st.strays,
		      prof_kprof_full(prof) ? "full\n" : "", prof_stack_on(prof) ? "on" : "off",
		      prof->stack.depth);
	if (prof->stack.pid != PROF_STACK_EVERY)
		picture_print(to, "pid %u\n", prof->stack.pid);
	else
		picture_print(to, "off\n");
	picture_print(to, "waits %s\ntrace ", prof_stack_wait_on(prof) ? "on" : "off");
	if (prof->trace.size)
		picture_print(to, "%u%s\n", prof->trace.size,
			      prof->trace.switches ? " switches" : "");
	else
		picture_print(to, "off\n");
	for (int i = 0; i < ncpu; i++) {
		c = profspan_cpu(&profspan_kprof, i);
		picture_print(to, "cpu%d ticks %llu lost %llu outside %u\n", i, c.ticks, c.lost,
			      prof_load(&prof->kprof.cell[i][PROF_KPROF_OUTSIDE]));
	}
	return 0;
}

/* Tell what the profiles do not: of which kernel and machine they are, and what they missed. */
static int show_info(struct chan *, struct picture *to)
{
	char id[41], name[CPU_NAME];

	cpu_name(name);
	for (char *at = name; *at; at++)
		if (*at == ' ')
			*at = '_';
	picture_print(to, "# kpinfo version=1 build=%s machine=%s memory_kb=%u start=%llx\n",
		      build_id(id, 40), name, frame_count() * (PAGE / 1024), time_start());
	profspan_show(NULL, "# profiler=any ", to);
	profspan_show(&profspan_kprof, "# profiler=kprof ", to);
	profspan_show(&profspan_gmon, "# profiler=gmon ", to);
	return 0;
}

static uint64_t data_length(const struct chan *)
{
	return prof_kprof_length(prof);
}

static int show_data(struct chan *, struct picture *to)
{
	to->len = prof_kprof_length(prof);
	prof_kprof_picture(prof, to->data);
	return 0;
}

/* kpdata is read in whole numbers: other offsets are errors, and a length is rounded down. */
static ssize_t read_data(struct chan *c, void *buf, size_t n, uint64_t off)
{
	return off % CELL ? -EINVAL : picture_read(c, buf, n - n % CELL, off);
}

/* Tell the build id of the kernel whose addresses these are, the ticks, the paths. */
static int show_paths(struct chan *c, struct picture *to)
{
	struct prof_sink sink = {.write = picture_write, .arg = to};
	char id[41];

	picture_print(to, "# %s version=1 build=%s%c", c->dev->dir->row[c->qid].name,
		      build_id(id, 40), c->qid == QTRACE ? ' ' : '\n');
	if (c->qid == QWAIT)
		return prof_stack_wait_write(prof, &sink);
	if (c->qid == QTRACE) {
		picture_print(to, "cpus=%d period_us=%u\n", ncpu, prof->us);
		return prof_trace_write(prof, &sink);
	}
	profspan_show(&profspan_kprof, "# ", to);
	return prof_stack_write(prof, &sink);
}

/* The histogram and the paths cannot be written, though the owner may open them for that. */
static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QCTL] = {"kpctl", S_IFREG | 0600, .show = show_ctl, .ctl = {words, nelem(words)}},
	[QDATA] = {"kpdata", S_IFREG | 0600, .show = show_data, .read = read_data,
		   .length = data_length},
	[QSTACK] = {"kpstack", S_IFREG | 0600, .show = show_paths},
	[QWAIT] = {"kpwait", S_IFREG | 0600, .show = show_paths},
	[QTRACE] = {"kptrace", S_IFREG | 0600, .show = show_paths},
	[QINFO] = {"kpinfo", S_IFREG | 0400, .show = show_info},
};

static const struct dirtab_list tab = {rows, nelem(rows), &prof_lock};

const struct dev kprofdev = {
	.letter = 'T',
	.name = "kprof",
	.dir = &tab,
	.init = kprof_dev_init,
	.open = picture_open,
	.close = picture_close,
	.read = dirtab_read,
	.write = dirtab_write,
};
