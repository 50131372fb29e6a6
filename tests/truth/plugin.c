/*
 * A plugin for QEMU that counts exactly how often each instruction of the guest ran: the truth
 * with which sampled profiles are compared. It changes nothing in the guest.
 *
 *	-plugin truth.so,out=PREFIX[,tick=ADDR...][,end=ADDR...][,fault=ADDR]
 *		[,window=NAME:START:STOP...][,cpus=N]
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
 * With cpus=N and -icount, where processors take turns, what each ran is written too, to files that
 * end in .cpu0, .cpu1 and so on. Since version 9, QEMU tells a plugin the processor that translated
 * a block instead of the one that runs it, unless they run at the same time; so there are none.
 *
 * Version 2 of the interface, in QEMU 9, has no inline addition but to scoreboards,
 * which QEMU 10.0 crashes on when processors take turns; a call for each instruction does the same,
 * in more time. Version 3 copies an instruction's bytes. What only some versions have is looked up
 * when the plugin is loaded.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/record/plugin/qemuplugin.h"

#define BUCKETS 65536u
#define MARKS 16
#define WINDOWS 16
#define CPUS 8
#define KERNEL 0xc0000000u /* below it are programs, which no tick is in */

/* Of version 1; otherwise NULL. */
static void (*inline_add)(struct qemu_plugin_insn *insn, int op, void *ptr, uint64_t n);
/* One function of two kinds, by the version; the other is NULL. */
static const void *(*data_at)(const struct qemu_plugin_insn *insn);
static size_t (*data_copy)(const struct qemu_plugin_insn *insn, void *to, size_t n);

int qemu_plugin_version = 1;

/* How often an instruction ran, how often in ticks, and the instructions in blocks before it. */
struct tally {
	uint64_t n, in_ticks, between;
};

/*
 * An instruction, and how often it has begun: charged to the tally of the processor whose turn it
 * was when that turn ends. The tallies are those of each processor now; behind them, the same when
 * each window was opened.
 */
struct count {
	struct count *next; /* in its bucket */
	uint32_t pc;
	uint8_t byte;
	uint64_t n, charged;
	struct tally tally[];
};

/* A translated block: several may begin at one address, for QEMU splits them at will. */
struct block {
	bool tick, end, fault, last; /* begins there; or has an end as its last instruction */
	bool user;		     /* of a program */
	unsigned turn;		     /* the last that it ran in */
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
static unsigned ncpu = 1;  /* tallies of each instruction */
static const char *prefix = "truth";

/* The turn of a processor: the blocks that ran in it, and the one of a tick that began last. */
static unsigned turn = 1, running;
static const struct block **ran_blocks, *current;
static size_t nran, room;
static const struct block *tick_block;

/* Of each processor: whether it is in a tick; instructions of its last block outside of ticks. */
static bool in_tick[CPUS];
static size_t ran[CPUS];

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
	c = memory(sizeof(*c) + (1 + nwindow) * ncpu * sizeof(c->tally[0]));
	c->pc = pc;
	c->byte = byte;
	c->next = *head;
	*head = c;
	return c;
}

/* Charge what has come into the cells of a block since it was charged last. */
static void charge(const struct block *b, bool tick)
{
	for (size_t i = 0; i < b->n; i++) {
		struct count *c = b->count[i];
		struct tally *t = &c->tally[running];

		t->n += c->n - c->charged;
		if (tick)
			t->in_ticks += c->n - c->charged;
		c->charged = c->n;
	}
}

/*
 * Charge to the tick what the instructions of a block have added, now that the block is over.
 * Not all of them need have run: QEMU may leave a block in the middle, to access a device.
 */
static void leave(void)
{
	if (tick_block)
		charge(tick_block, true);
	tick_block = NULL;
}

/* Note that a block runs in this turn. */
static void note(struct block *b)
{
	if (b->turn == turn)
		return;
	b->turn = turn;
	if (nran == room) {
		room = 2 * room + 1024;
		ran_blocks = realloc(ran_blocks, room * sizeof(ran_blocks[0]));
		if (!ran_blocks)
			fail("out of memory");
	}
	ran_blocks[nran++] = b;
}

/* Charge all blocks of a turn; what else the current one does is of the next. */
static void end_turn(void)
{
	leave();
	for (size_t i = 0; i < nran; i++)
		charge(ran_blocks[i], false);
	nran = 0;
	turn++;
}

/* Write what processors ran since window w was opened or, if NULL, since the beginning. */
static void dump(const char *path, const struct window *w, unsigned first, unsigned end)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail(path);
	for (size_t i = 0; i < BUCKETS; i++) {
		for (const struct count *c = bucket[i]; c; c = c->next) {
			struct tally t = {0};

			for (unsigned cpu = first; cpu < end; cpu++) {
				const struct tally *now = &c->tally[cpu], none = {0}, *b = &none;

				if (w)
					b = now + (1 + (w - windows)) * ncpu;

				t.n += now->n - b->n;
				t.in_ticks += now->in_ticks - b->in_ticks;
				t.between += now->between - b->between;
			}
			if (t.n > 0)
				fprintf(f, "%08x %02x %llu %llu %llu\n", c->pc, c->byte,
					(unsigned long long)t.n,
					(unsigned long long)t.in_ticks,
					(unsigned long long)t.between);
		}
	}
	if (fclose(f) != 0)
		fail(path);
}

/* Write what all ran, and each, to files whose names begin so. */
static void dump_all(const char *name, const struct window *w)
{
	char path[600];

	dump(name, w, 0, ncpu);
	for (unsigned cpu = 0; ncpu > 1 && cpu < ncpu; cpu++) {
		snprintf(path, sizeof(path), "%s.cpu%u", name, cpu);
		dump(path, w, cpu, cpu + 1);
	}
}

/* End the turn in the middle of the current block. */
static void look(void)
{
	end_turn();
	if (current)
		note((struct block *)current);
}

static void open_window(struct window *w)
{
	look();
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct count *c = bucket[i]; c; c = c->next)
			memcpy(&c->tally[(1 + (w - windows)) * ncpu], c->tally,
			       ncpu * sizeof(c->tally[0]));
	}
	w->open = true;
}

static void close_window(struct window *w)
{
	char path[512];

	look();
	snprintf(path, sizeof(path), "%s.%s.%u", prefix, w->name, ++w->times);
	dump_all(path, w);
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

/* Called before a block runs. */
static void enter(unsigned cpu, void *arg)
{
	struct block *b = arg;

	leave();
	cpu = ncpu > 1 ? cpu : 0;
	if (cpu != running) {
		end_turn();
		running = cpu;
	}
	current = b;
	note(b);
	if (b->tick)
		in_tick[cpu] = true;
	if (b->end)
		in_tick[cpu] = false;
	if (b->fault && last)
		last->n--;
	if (!in_tick[cpu] || b->user) {
		b->count[0]->tally[cpu].between += ran[cpu];
		ran[cpu] = b->n;
		return;
	}
	charge(b, false);
	tick_block = b;
	if (b->last)
		in_tick[cpu] = false;
}

static void begins(unsigned cpu, void *arg)
{
	(void)cpu;
	last = arg;
}

/* Return an instruction's first byte. */
static uint8_t first_byte(const struct qemu_plugin_insn *insn)
{
	uint8_t byte = 0;

	if (data_at)
		return *(const uint8_t *)data_at(insn);
	data_copy(insn, &byte, 1);
	return byte;
}

static void add(unsigned cpu, void *arg)
{
	struct count *c = arg;

	(void)cpu;
	c->n++;
}

/* Have an instruction counted. */
static void counted(struct qemu_plugin_insn *insn, struct count *c)
{
	if (inline_add)
		inline_add(insn, 0, &c->n, 1);
	else
		qemu_plugin_register_vcpu_insn_exec_cb(insn, add, 0, c);
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
		b->count[i] = count_of(pc, first_byte(insn));
		counted(insn, b->count[i]);
		watch(insn, pc);
		if (fault)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, begins, 0, b->count[i]);
	}
	b->tick = n > 0 && among(ticks, ntick, b->count[0]->pc);
	b->end = n > 1 && among(ends, nend, b->count[0]->pc);
	b->fault = n > 0 && fault == b->count[0]->pc;
	b->last = n > 0 && among(ends, nend, pc);
	b->user = pc < KERNEL;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, enter, 0, b);
}

static void ended(plugin_id id, void *arg)
{
	char path[512];

	(void)id;
	(void)arg;
	end_turn();
	snprintf(path, sizeof(path), "%s.all", prefix);
	dump_all(path, NULL);
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

/* Find what this QEMU has, before it looks which version the plugin wants. */
__attribute__((constructor)) static void find(void)
{
	*(void **)&inline_add = dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_insn_exec_inline");
	if (!inline_add)
		qemu_plugin_version = 2;
}

/* Choose what the version decides. From version 2 on, a processor's number means nothing. */
static void choose(const struct qemu_info_t *info, unsigned cpus)
{
	void *data = dlsym(RTLD_DEFAULT, "qemu_plugin_insn_data");

	if (info->version.cur < 3)
		*(void **)&data_at = data;
	else
		*(void **)&data_copy = data;
	if (cpus < 1 || cpus > CPUS)
		fail("cpus is 1 to 8");
	ncpu = inline_add ? cpus : 1;
}

/* Called when QEMU loads the plugin; arguments are KEY=VALUE, addresses hexadecimal. */
int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv)
{
	unsigned cpus = 1;

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
		else if (strncmp(argv[i], "cpus=", 5) == 0)
			cpus = (unsigned)strtoul(argv[i] + 5, NULL, 10);
		else
			fail("usage: out=PREFIX,tick=ADDR,end=ADDR,window=NAME:START:STOP");
	}
	choose(info, cpus);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
