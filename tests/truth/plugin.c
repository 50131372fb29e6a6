/*
 * A plugin for QEMU that counts exactly how often each instruction of the guest ran: the truth
 * with which sampled profiles are compared. It changes nothing in the guest.
 *
 *	-plugin truth.so,out=PREFIX[,tick=ADDR...][,end=ADDR...][,fault=ADDR]
 *		[,window=NAME:START:STOP...]
 *
 * Each time execution gets from START to STOP, what ran in between is written to PREFIX.NAME.1,
 * PREFIX.NAME.2 and so on; if START and STOP are the same, every other time is a start.
 * PREFIX.all is for the whole run. A line has an address, the instruction's first byte, how often
 * it ran, and how many of those times were in a tick. If a translated block begins there, the
 * number of instructions in the blocks before follows, ticks excluded: a sampler that can only
 * interrupt between blocks would find all of them here. An address whose instruction was changed
 * has a line for each.
 *
 * What runs from an address given as `tick` to one given as `end` is the profiling clock's own
 * interrupt, a tick, which no profiler can see. Page faults begin at `fault`; given that, an
 * instruction that faults is counted when it is done, not each time it is tried, which takes
 * more time.
 *
 * Debian has no header for the plugin interface (API version 1, QEMU's docs/devel/tcg-plugins),
 * so the part that is used is declared here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define BUCKETS 65536u
#define MARKS 16
#define WINDOWS 16
#define BLOCK 512 /* instructions, at most */

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t;
typedef uint64_t plugin_id;
typedef void exec_fn(unsigned cpu, void *arg);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
					   void (*fn)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_fn *fn, int flags,
					  void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_fn *fn, int flags,
					    void *arg);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *ptr,
						uint64_t n);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*fn)(plugin_id, void *), void *arg);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc,
			       char **argv);

/* How often an instruction ran, how often in ticks, and the instructions in blocks before it. */
struct tally {
	uint64_t n, in_ticks, between;
};

/* An instruction with its tallies: now, and when each window was opened. */
struct count {
	struct count *next; /* in its bucket */
	uint32_t pc;
	uint8_t byte;
	struct tally now, before[WINDOWS];
};

/* A translated block: several may begin at one address, for QEMU splits them at will. */
struct block {
	bool tick, end, fault, last; /* begins there; or has an end as its last instruction */
	size_t n;
	struct count *count[];
};

struct window {
	char name[32];
	uint32_t start, stop;
	bool open;
	unsigned times;
};

static struct count *bucket[BUCKETS];
static uint32_t ticks[MARKS], ends[MARKS];
static size_t ntick, nend, nwindow;
static struct window windows[WINDOWS];
static uint32_t fault;
static struct count *last; /* with fault: the instruction that began last */
static bool in_tick;
static size_t ran; /* instructions of the block that began last, outside of ticks */
static const struct block *tick_block; /* the one in a tick that began last */
static uint64_t tick_before[BLOCK];    /* its counts until then */
static const char *prefix = "truth";

static void fail(const char *what)
{
	fprintf(stderr, "truth: %s\n", what);
	exit(1);
}

static void *memory(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		fail("out of memory");
	return p;
}

static bool among(const uint32_t *list, size_t n, uint32_t pc)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == pc)
			return true;
	return false;
}

/* Find an instruction's counter, or make it. */
static struct count *count_of(uint32_t pc, uint8_t byte)
{
	struct count **head = &bucket[(pc ^ pc >> 16) % BUCKETS], *c;

	for (c = *head; c; c = c->next)
		if (c->pc == pc && c->byte == byte)
			return c;
	c = memory(sizeof(*c));
	c->pc = pc;
	c->byte = byte;
	c->next = *head;
	*head = c;
	return c;
}

/* Write what has run since window w was opened or, if NULL, since the beginning. */
static void dump(const char *path, const struct window *w)
{
	static const struct tally none;
	FILE *f = fopen(path, "w");

	if (!f)
		fail(path);
	for (size_t i = 0; i < BUCKETS; i++) {
		for (const struct count *c = bucket[i]; c; c = c->next) {
			const struct tally *b = w ? &c->before[w - windows] : &none;

			if (c->now.n == b->n)
				continue;
			fprintf(f, "%08x %02x %llu %llu %llu\n", c->pc, c->byte,
				(unsigned long long)(c->now.n - b->n),
				(unsigned long long)(c->now.in_ticks - b->in_ticks),
				(unsigned long long)(c->now.between - b->between));
		}
	}
	if (fclose(f) != 0)
		fail(path);
}

static void open_window(struct window *w)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct count *c = bucket[i]; c; c = c->next)
			c->before[w - windows] = c->now;
	}
	w->open = true;
}

static void close_window(struct window *w)
{
	char path[512];

	snprintf(path, sizeof(path), "%s.%s.%u", prefix, w->name, ++w->times);
	dump(path, w);
	w->open = false;
}

/* Open or close a window whose start or stop is reached. */
static void start(unsigned cpu, void *arg)
{
	struct window *w = arg;

	(void)cpu;
	if (!w->open)
		open_window(w);
	else if (w->start == w->stop)
		close_window(w);
}

static void stop(unsigned cpu, void *arg)
{
	struct window *w = arg;

	(void)cpu;
	if (w->open)
		close_window(w);
}

/*
 * Charge to the tick what the instructions of a block have added, now that the block is over.
 * Not all of them need have run: QEMU may leave a block in the middle, to access a device.
 */
static void leave(void)
{
	for (size_t i = 0; i < tick_block->n; i++) {
		struct tally *t = &tick_block->count[i]->now;

		t->in_ticks += t->n - tick_before[i];
		tick_before[i] = t->n;
	}
	tick_block = NULL;
}

/* Called before a block runs. */
static void enter(unsigned cpu, void *arg)
{
	const struct block *b = arg;

	(void)cpu;
	if (tick_block)
		leave();
	if (b->tick)
		in_tick = true;
	if (b->end)
		in_tick = false;
	if (b->fault && last)
		last->now.n--;
	if (!in_tick) {
		b->count[0]->now.between += ran;
		ran = b->n;
		return;
	}
	for (size_t i = 0; i < b->n; i++)
		tick_before[i] = b->count[i]->now.n;
	tick_block = b;
	if (b->last)
		in_tick = false;
}

static void begins(unsigned cpu, void *arg)
{
	(void)cpu;
	last = arg;
}

static void watch(struct qemu_plugin_insn *insn, uint32_t pc)
{
	for (size_t i = 0; i < nwindow; i++) {
		struct window *w = &windows[i];

		if (w->start == pc)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, start, 0, w);
		else if (w->stop == pc)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, stop, 0, w);
	}
}

/* Called when QEMU has translated a block. */
static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *b = memory(sizeof(*b) + n * sizeof(b->count[0]));
	uint32_t pc = 0;

	(void)id;
	b->n = n;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		pc = (uint32_t)qemu_plugin_insn_vaddr(insn);
		b->count[i] = count_of(pc, *(const uint8_t *)qemu_plugin_insn_data(insn));
		qemu_plugin_register_vcpu_insn_exec_inline(insn, 0, &b->count[i]->now.n, 1);
		watch(insn, pc);
		if (fault)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, begins, 0, b->count[i]);
	}
	b->tick = n > 0 && among(ticks, ntick, b->count[0]->pc);
	b->end = n > 1 && among(ends, nend, b->count[0]->pc);
	b->fault = n > 0 && fault == b->count[0]->pc;
	b->last = n > 0 && among(ends, nend, pc);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, enter, 0, b);
}

static void ended(plugin_id id, void *arg)
{
	char path[512];

	(void)id;
	(void)arg;
	snprintf(path, sizeof(path), "%s.all", prefix);
	dump(path, NULL);
}

static void add_mark(uint32_t *list, size_t *n, const char *value)
{
	if (*n == MARKS)
		fail("too many addresses");
	list[(*n)++] = (uint32_t)strtoul(value, NULL, 16);
}

static void add_window(const char *value)
{
	struct window *w = &windows[nwindow++];

	if (nwindow > WINDOWS ||
	    sscanf(value, "%31[^:]:%x:%x", w->name, &w->start, &w->stop) != 3)
		fail("a window is NAME:START:STOP");
}

/* Called when QEMU loads the plugin; arguments are KEY=VALUE, addresses hexadecimal. */
int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) == 0)
			prefix = strdup(argv[i] + 4);
		else if (strncmp(argv[i], "tick=", 5) == 0)
			add_mark(ticks, &ntick, argv[i] + 5);
		else if (strncmp(argv[i], "end=", 4) == 0)
			add_mark(ends, &nend, argv[i] + 4);
		else if (strncmp(argv[i], "fault=", 6) == 0)
			fault = (uint32_t)strtoul(argv[i] + 6, NULL, 16);
		else if (strncmp(argv[i], "window=", 7) == 0)
			add_window(argv[i] + 7);
		else
			fail("usage: out=PREFIX,tick=ADDR,end=ADDR,window=NAME:START:STOP");
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
