/*
 * `#T`: kprof(3). kpctl takes the words of the table below; kpdata is the histogram, kpstack the
 * paths of calls, kpwait those of waits, kptrace the last ticks, with the marks that programs
 * write to kpmark. Opening any of them takes a picture, from which all reads of the channel are
 * served, so that what a reader sees adds up while kprof runs. Only kptrace, which may be long, is
 * made as it is read, and nothing is recorded while it is open.
 *
 * "start" is for every profiler that has tables then, whichever those are: prof/prof_profilers.c.
 */
#include "drivers/clock/profspan.h"
#include "drivers/files/devices.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/time.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"
#include "kernel/prof/calls.h"
#include "kernel/prof/profilers.h"

enum { QDIR, QCTL, QDATA, QSTACK, QWAIT, QMEMORY, QTRACE, QCALL, QINFO, QMARK };

/* The rows of prof_profilers.h whose files these are. */
static const char *const of[] = {[QSTACK] = "stacks", [QWAIT] = "waits",
				 [QMEMORY] = "memory", [QCALL] = "calls"};

#define TRACE_MAX (1 << 20) /* records of a ring: 16 MB */
#define CELL 4u	      /* bytes of a number in kpdata */
#define WORDS 64 /* bytes of a word on the command line, with its value */
#define PART 8192 /* bytes of kptrace that are made at once: a path is less than half of them */

/* The part of kptrace that a reader is at. */
struct trace_text {
	struct prof_trace_reader next;
	uint32_t cleared; /* prof->trace's when it was opened */
	uint64_t from;	  /* where in the file the part begins */
	struct picture part;
};

/* Tell the profilers how long the clock's ticks are. */
static void kprof_tell_period(void)
{
	struct profclock_status st;

	profclock_status(&st);
	if (st.period_us != prof->us)
		prof_period(prof, st.period_us);
}

/* Have all that have tables count, or none: between two ticks. */
static void kprof_count(bool on)
{
	if (on)
		prof_start(prof, PROF_ALL);
	else
		prof_stop(prof, PROF_ALL);
}

/* Have what the profilers need of the rest of the kernel be as they are now. */
static void kprof_changed(void)
{
	waits_changed();
	calls_changed();
}

/* Twice is fine. */
static int kprof_start(struct chan *, const struct cmd_words *)
{
	profspan_run(&profspan_kprof, true);
	kprof_changed();
	return 0;
}

/* Twice is fine. */
static int kprof_stop(struct chan *, const struct cmd_words *)
{
	bool traced = prof_wants(prof, PROF_TRACE);

	profspan_run(&profspan_kprof, false);
	kprof_changed();
	prof_pause(prof, PROF_TRACE); /* no change of process is being noted */
	if (traced)
		prof_trace_off(prof, rdtsc());
	return 0;
}

/* Start from zero. */
static int kprof_startclr(struct chan *c, const struct cmd_words *msg)
{
	kprof_stop(c, msg);
	prof_clear(prof, PROF_ALL);
	waits_forget();
	profspan_clear(&profspan_kprof);
	return kprof_start(c, msg);
}

/* Have a profiler that has got tables, or lost them, count or not, as the others do. */
static void kprof_follow(void)
{
	if (prof_wants(prof, PROF_KPROF))
		prof_start(prof, PROF_ALL);
	kprof_changed();
}

/* Set the rate. The ticks counted so far keep their length. */
static int kprof_set_hz(struct chan *, const struct cmd_words *msg)
{
	int err = profclock_hz((unsigned)msg->number);

	if (!err)
		kprof_tell_period();
	return err;
}

/* Set how ticks are delivered. */
static int kprof_set_clock(struct chan *, const struct cmd_words *msg)
{
	int nmi = cmd_either(msg, 1, "nmi", "irq");

	return nmi < 0 ? nmi : profclock_delivery(nmi);
}

/* Return the row of the profiler that the word is for, which is its name. */
static const struct prof_profiler *kprof_row(const char *word)
{
	const struct prof_profiler *row = prof_profilers;

	while (strcmp(row->name, word) != 0)
		row++;
	return row;
}

/* Make a profiler's tables, or free them: that forgets what was counted. */
static int kprof_set_tables(struct chan *, const struct cmd_words *msg)
{
	const struct prof_profiler *row = kprof_row(msg->word[0]);
	int on = cmd_either(msg, 1, "on", "off");

	if (on < 0)
		return on;
	if (on && !row->open(prof, row->bit, time_tsc_khz()))
		return -ENOMEM;
	if (!on)
		row->close(prof, row->bit);
	kprof_follow();
	if (row->bit == PROF_WAIT)
		waits_forget();
	return 0;
}

/*
 * Keep the last ticks of each CPU, and what else is wanted. What is kept already is forgotten, but
 * not by an error in the words.
 */
static int kprof_set_trace(struct chan *, const struct cmd_words *msg)
{
	uint32_t what = 0;

	if (msg->n == 2 && strcmp(msg->word[1], "off") == 0) {
		prof_trace_close(prof, PROF_TRACE);
		kprof_changed();
		return 0;
	}
	int n = cmd_number(msg, 1, 1, TRACE_MAX);
	if (n < 0)
		return -EINVAL;
	for (unsigned i = 2; i < msg->n; i++) {
		int calls = cmd_either(msg, i, "calls", "switches");
		if (calls < 0)
			return calls;
		what |= calls ? PROF_CALLS : PROF_WAIT;
	}
	if ((PROF_STACK | what) & ~prof_ready(prof))
		return -ENOTSUP;
	if (!prof_trace_open(prof, (uint32_t)n, what, time_tsc_khz(), time_start()))
		return -ENOMEM;
	kprof_follow();
	return 0;
}

/*
 * Choose whose calls are measured, by which what was counted is forgotten, but not by an error; or
 * what stops the records.
 */
static int kprof_set_calls(struct chan *, const struct cmd_words *msg)
{
	bool measured = strcmp(msg->word[0], "calls") == 0;
	int err = measured ? calls_choose(msg->n - 1, msg->word + 1)
			   : calls_trigger(msg->n - 1, msg->word + 1);

	if (measured || !err)
		kprof_follow();
	return err;
}

/* Set how long paths may be; not while they are counted: one picture cannot mix two depths. */
static int kprof_set_depth(struct chan *, const struct cmd_words *msg)
{
	uint32_t depth = (uint32_t)msg->number;
	bool counted = prof_stack_on(prof, PROF_STACK) || prof_stack_on(prof, PROF_WAIT);

	if (counted && depth != prof->stack.depth)
		return -EBUSY;
	prof_stack_depth(prof, depth);
	return 0;
}

/* Count the paths of all processes, or of one, which must be there now, and may end later. */
static int kprof_set_filter(struct chan *, const struct cmd_words *msg)
{
	bool off = msg->n == 2;

	if (strcmp(msg->word[1], off ? "off" : "pid") != 0)
		return -EINVAL;
	if (off) {
		prof_stack_only(prof, PROF_STACK_EVERY);
		return 0;
	}
	int pid = cmd_number(msg, 2, 0, INT32_MAX);
	if (pid < 0)
		return -EINVAL;
	int err = proc_kill(pid, 0);
	if (!err)
		prof_stack_only(prof, (uint32_t)pid);
	return err;
}

static const struct cmd words[] = {
	{"start", 0, 0, .run = kprof_start},
	{"stop", 0, 0, .run = kprof_stop},
	{"startclr", 0, 0, .run = kprof_startclr},
	{"hz", 1, 1, .run = kprof_set_hz, .most = INT32_MAX},
	{"clock", 1, 1, .run = kprof_set_clock},
	{"stacks", 1, 1, .run = kprof_set_tables},
	{"waits", 1, 1, .run = kprof_set_tables},
	{"trace", 1, 3, .run = kprof_set_trace},
	{"trigger", 1, 3, .run = kprof_set_calls},
	{"calls", 1, CMD_MAXWORD - 1, .run = kprof_set_calls},
	{"depth", 1, 1, .run = kprof_set_depth, .least = 1, .most = PROF_STACK_MAXDEPTH},
	{"filter", 1, 2, .run = kprof_set_filter},
};

/* Do what the command line says by a word of kpctl's, which has a value there or none. */
static int kprof_do(const struct cmd *row, const char *value)
{
	static struct cmd_words msg;
	char text[2 * WORDS];
	int n = snprintf(text, sizeof(text), "%s %s", row->word, value);

	return cmd_parse(row, 1, text, (size_t)n, &msg) < 0 ? -EINVAL : cmd_run(row, NULL, &msg);
}

/*
 * Do what the kernel's command line says in the same words, as in start stacks=on. With prof=boot
 * kprof has been on since before there was a clock.
 */
static void kprof_dev_init(void)
{
	char value[WORDS];

	profspan_kprof.count = kprof_count;
	kprof_tell_period();
	for (size_t i = 0; i < nelem(words); i++) {
		if (!cmdline_get(words[i].word, value, sizeof(value)))
			continue;
		if (kprof_do(&words[i], value) != 0)
			printk("kprof: %s cannot be \"%s\"\n", words[i].word, value);
	}
	if (prof_wants(prof, PROF_KPROF))
		kprof_start(NULL, NULL);
}

/* Return the word if that is so, else none. */
static const char *kprof_if(bool so, const char *word)
{
	if (so)
		return word;
	return "";
}

/* Tell what the profilers of paths and of calls are to do. */
static void kprof_show_wanted(struct picture *to)
{
	static const char *const state[] = {"off", "on"};
	const char *switches = kprof_if(prof->trace.what & PROF_WAIT, " switches");
	const char *calls = kprof_if(prof->trace.what & PROF_CALLS, " calls");
	const char *caught = kprof_if(prof->trace.fired, " caught");

	picture_print(to, "stacks %s\n", state[prof_stack_on(prof, PROF_STACK)]);
	picture_print(to, "depth %u\n", prof->stack.depth);
	if (prof->only == PROF_STACK_EVERY)
		picture_print(to, "filter off\n");
	else
		picture_print(to, "filter pid %u\n", prof->only);
	picture_print(to, "waits %s\n", state[prof_stack_on(prof, PROF_WAIT)]);
	if (prof->trace.size)
		picture_print(to, "trace %u%s%s\n", prof->trace.size, switches, calls);
	else
		picture_print(to, "trace off\n");
	picture_print(to, "trigger %s%s\n", calls_trigger_words(), caught);
	picture_print(to, "calls %s\n", calls_words());
}

/* Show each word that a write accepts, how it stands, and what the clock has given kprof. */
static int kprof_show_ctl(struct chan *, struct picture *to)
{
	struct clock_counts c = profspan_all(&profspan_kprof);
	struct profclock_status st;

	profclock_status(&st);
	picture_print(to, "%s\n", prof_wants(prof, PROF_KPROF) ? "start" : "stop");
	picture_print(to, "clock %s\nhz %u\nsource %s\nperiod %u\n", st.delivery, st.hz, st.source,
		      st.period_us);
	picture_print(to, "ticks %llu\nlost %llu\nstrays %u\n", c.ticks, c.lost, st.strays);
	if (prof_kprof_full(prof))
		picture_print(to, "full\n");
	kprof_show_wanted(to);
	for (unsigned i = 0; i < ncpu; i++) {
		c = profspan_cpu(&profspan_kprof, i);
		picture_print(to, "cpu%u ticks %llu lost %llu outside %u\n", i, c.ticks, c.lost,
			      prof_load(&prof->kprof.cell[i][PROF_KPROF_OUTSIDE]));
	}
	return 0;
}

/* Begin a file: its format and version, and the build id of the kernel whose addresses it has. */
static void kprof_show_format(const char *format, struct picture *to)
{
	char id[41];

	picture_print(to, "# %s version=1 build=%s", format, build_id(id, 40));
}

/* Tell what the profiles do not: of which kernel and machine they are, and what they missed. */
static int kprof_show_info(struct chan *, struct picture *to)
{
	char name[CPU_NAME];

	cpu_name(name);
	for (char *at = name; *at; at++)
		if (*at == ' ')
			*at = '_';
	kprof_show_format("kpinfo", to);
	picture_print(to, " machine=%s memory_kb=%u start=%llx\n", name,
		      nframe * (PAGE / 1024), time_start());
	profspan_show(&profspan_any, "# profiler=any ", to);
	profspan_show(&profspan_kprof, "# profiler=kprof ", to);
	profspan_show(&profspan_gmon, "# profiler=gmon ", to);
	profspan_show(&profspan_prof, "# profiler=prof ", to);
	return 0;
}

static uint64_t kprof_data_length(const struct chan *)
{
	return prof_kprof_length(prof);
}

static int kprof_show_data(struct chan *, struct picture *to)
{
	to->len = prof_kprof_length(prof);
	prof_kprof_picture(prof, to->data);
	return 0;
}

/* kpdata is read in whole numbers: other offsets are errors, and a length is rounded down. */
static ssize_t kprof_read_data(struct chan *c, void *buf, size_t n, uint64_t off)
{
	return off % CELL ? -EINVAL : picture_read(c, buf, n - n % CELL, off);
}

/* Make the next part of kptrace, or return false: there is none. */
static bool kprof_next_part(struct trace_text *t)
{
	struct prof_sink sink = {.write = picture_write, .arg = &t->part};

	t->from += t->part.len;
	t->part.len = 0;
	if (t->from == 0) {
		kprof_show_format("kptrace", &t->part);
		picture_print(&t->part, " cpus=%u period_us=%u\n", ncpu, prof->us);
	}
	while (t->part.len < PART / 2 && prof_trace_more(prof, &t->next, &sink))
		;
	return t->part.len > 0;
}

/* Reads that do not go on where the last one ended begin anew. */
static ssize_t kprof_read_trace(struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct trace_text *t = c->aux;

	HOLD_MUTEX(&prof_lock);
	if (t->cleared != prof->trace.cleared)
		return -EIO;
	if (off < t->from) {
		t->from = t->part.len = 0;
		t->next = (struct prof_trace_reader){0};
	}
	while (off >= t->from + t->part.len)
		if (!kprof_next_part(t))
			return 0;
	return read_mem(buf, n, off - t->from, t->part.data, t->part.len);
}

/* As picture_open(); but of kptrace no text is made yet. */
static int kprof_open(struct chan *c, int flags)
{
	if (dirtab_row(c) != QTRACE)
		return picture_open(c, flags);
	struct trace_text *t = kzalloc(sizeof(*t) + PART + 1);
	if (!t)
		return -ENOMEM;
	HOLD_MUTEX(&prof_lock);
	prof->trace.readers++;
	if (prof_pause(prof, PROF_TRACE))
		prof_trace_off(prof, rdtsc());
	t->cleared = prof->trace.cleared;
	t->part.data = t->part.first;
	t->part.room = PART;
	c->aux = t;
	return 0;
}

static void kprof_close(struct chan *c)
{
	if (dirtab_row(c) != QTRACE) {
		picture_close(c);
		return;
	}
	kfree(c->aux);
	HOLD_MUTEX(&prof_lock);
	prof->trace.readers--;
	if (prof_wants(prof, PROF_KPROF))
		prof_start(prof, PROF_TRACE);
}

/* Show a profiler's file, after the build id and what goes for all of it. */
static int kprof_show_file(struct chan *c, struct picture *to)
{
	const struct prof_profiler *row = kprof_row(of[dirtab_row(c)]);
	struct prof_sink sink = {.write = picture_write, .arg = to};

	kprof_show_format(c->dev->dir.row[dirtab_row(c)].name, to);
	if (row->bit == PROF_CALLS)
		picture_print(to, " cpus=%u per_ms=%u cost=%u", ncpu, time_tsc_khz(),
			      prof->call.cpu[0]->cost);
	picture_print(to, "\n");
	if (row->bit == PROF_STACK)
		profspan_show(&profspan_kprof, "# ", to);
	return row->write(prof, row->bit, &sink);
}

/*
 * Keep a mark, of users one in a millisecond at most. What a terminal would not show as it is
 * becomes a question mark.
 */
static ssize_t kprof_mark(struct chan *, const void *buf, size_t n, uint64_t)
{
	static uint64_t last; /* prof_lock; of a user's */
	const struct proc *p = proc_self();
	struct prof_trace_mark m = {.time = rdtsc(), .pid = (uint32_t)p->pid, .cpu = cpu_id()};
	size_t len = n - (n > 0 && ((const char *)buf)[n - 1] == '\n');

	if (!in_range(len, 1, sizeof(m.text)))
		return -EINVAL;
	HOLD_MUTEX(&prof_lock);
	if (!is_eve() && m.time - last < time_tsc_khz())
		return -EAGAIN;
	if (!is_eve())
		last = m.time;
	memcpy(m.text, buf, len);
	for (size_t i = 0; i < len; i++)
		if (!in_range((uint8_t)m.text[i], ' ', 0x7f))
			m.text[i] = '?';
	prof_trace_mark(prof, payer_of(p->uid) - PAYER_OWNER, &m);
	if (is_eve() && strcmp(m.text, calls_trigger_words()) == 0)
		prof_trace_fire(prof, m.cpu, m.pid, m.time);
	return (ssize_t)n;
}

/* The histogram and the paths cannot be written, though the owner may open them for that. */
static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QCTL] = {"kpctl", S_IFREG | 0600, .show = kprof_show_ctl, .ctl = {words, nelem(words)}},
	[QDATA] = {"kpdata", S_IFREG | 0600, .show = kprof_show_data, .read = kprof_read_data,
		   .length = kprof_data_length},
	[QSTACK] = {"kpstack", S_IFREG | 0600, .show = kprof_show_file},
	[QWAIT] = {"kpwait", S_IFREG | 0600, .show = kprof_show_file},
	[QMEMORY] = {"kpmem", S_IFREG | 0600, .show = kprof_show_file},
	[QTRACE] = {"kptrace", S_IFREG | 0600, .read = kprof_read_trace},
	[QCALL] = {"kpcall", S_IFREG | 0600, .show = kprof_show_file},
	[QINFO] = {"kpinfo", S_IFREG | 0400, .show = kprof_show_info},
	[QMARK] = {"kpmark", S_IFCHR | 0222, .write = kprof_mark},
};

const struct dev kprofdev = {
	.letter = 'T', .name = "kprof", .dir = {rows, nelem(rows), &prof_lock}, .read = dirtab_read,
	.init = kprof_dev_init, .open = kprof_open, .close = kprof_close, .write = dirtab_write,
};
