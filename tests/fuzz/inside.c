/*
 * What is in the memory of a guest: profilers' tables, the console's log, the list of processes.
 * The kernel is a few files of ours, linked by themselves. Memory is as a kernel would leave it,
 * but for what the input changes: eight bytes each, which variable or table, where in it, and the
 * word that it gets.
 * Runs: 300
 * Links: tests/fuzz/mutate.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"

#define TEXT 0xc0100000u
#define TEXTSIZE 0x400u
#define KB 1024u
#define RAM (4096 * KB)
#define PATCH 8 /* bytes of input for a word */

/* Where tables are in memory; all but the last two are small. */
enum { CELLS = 2048 * KB, COUNTS = 2056 * KB, ARCS = 2064 * KB, PROCESS = 2080 * KB,
	CPU = 2096 * KB, SLOTS = 2112 * KB, PATHS = 2880 * KB };

static uint8_t memory[RAM];
static struct inside in;

/* The variables, and what they have. */
static struct variable {
	const char *path;
	uint32_t value;
	uint32_t at; /* in memory */
} variables[] = {
	{"profilers.kprof.first", TEXT + (PROF_KPROF_SPECIAL << PROF_KPROF_LOG2), 0},
	{"profilers.kprof.size", TEXTSIZE - (PROF_KPROF_SPECIAL << PROF_KPROF_LOG2), 0},
	{"profilers.kprof.ncpu", 1, 0},
	{"profilers.kprof.cell[0]", RAM_KERNBASE + CELLS, 0},
	{"profilers.kprof.pace.us", 1000, 0},
	{"profilers.gmon.cpu[0].param.lowpc", TEXT, 0},
	{"profilers.gmon.cpu[0].param.highpc", TEXT + TEXTSIZE, 0},
	{"profilers.gmon.cpu[0].param.tolimit", 0, 0}, /* as prof_gmon_init() chooses it */
	{"profilers.gmon.ncpu", 1, 0},
	{"profilers.gmon.cpu[0].param.kcount", RAM_KERNBASE + COUNTS, 0},
	{"profilers.gmon.cpu[0].param.tos", RAM_KERNBASE + ARCS, 0},
	{"profilers.gmon.cpu[0].pace.us", 1000, 0},
	{"profilers.stack.ncpu", 1, 0},
	{"profilers.stack.nword", 0, 0}, /* as prof_stack_open() chooses them */
	{"profilers.stack.shift", 0, 0},
	{"profilers.stack.depth", 64, 0},
	{"profilers.stack.pace.us", 1000, 0},
	{"profilers.stack.cpu[0].word", RAM_KERNBASE + PATHS, 0},
	{"profilers.stack.cpu[0].slot", RAM_KERNBASE + SLOTS, 0},
	{"profilers.stack.cpu[0].used", 12, 0},
	{"kernel/print.c:logged", 100, 0},
	{"kernel/clock.c:tsc_khz", 1000000, 0},
	{"kernel/cpu.c:cpus[0]", RAM_KERNBASE + CPU, 0},
	{"kernel/cpu.c:cpus[0].idle", RAM_KERNBASE + PROCESS, 0},
	{"kernel/proc.c:by_pid.head.next[0]", 0, 0}, /* the process */
};

#define NVARIABLE (sizeof(variables) / sizeof(variables[0]))

static const uint32_t tables[] = {CELLS, COUNTS, ARCS, PROCESS, SLOTS, PATHS};

#define NTABLE (sizeof(tables) / sizeof(tables[0]))

static int read_memory(struct ram *r, uint32_t pa, void *to, size_t n, struct complaint *why)
{
	(void)r;
	if (pa > RAM || n > RAM - pa)
		return complain(why, "no memory at %08x", pa);
	memcpy(to, memory + pa, n);
	return 0;
}

/* Set the sizes that prof/ chooses for tables of this text. */
static void choose_sizes(void)
{
	static struct prof p;
	struct prof_gmon_param g;

	if (!prof_gmon_init(&p, TEXT, TEXT + TEXTSIZE, 1, &g))
		abort();
	variables[7].value = g.tolimit;
	free(g.kcount);
	free(g.froms);
	free(g.tos);
	prof_stack_init(&p, 1, 0);
	if (!prof_stack_open(&p))
		abort();
	variables[13].value = p.stack.nword;
	variables[14].value = p.stack.shift;
	prof_stack_close(&p);
}

/*
 * Two paths: a name, and two addresses, innermost first. Indexes are those of
 * prof/prof_stacktable.h.
 */
static void fill_tables(void)
{
	static const uint32_t path[] = {
		0, 0, 0, UINT32_MAX, 5, 7, 0x102, 0x6873, TEXT + 0x10, TEXT + 0x20, UINT32_MAX,
	};
	static const uint32_t arcs[] = {0, 0, 1, 0, TEXT + 0x20, 3, 0, 4};

	memcpy(memory + PATHS, path, sizeof(path));
	memcpy(memory + ARCS, arcs, sizeof(arcs));
	memset(memory + CELLS, 1, 64);
	memset(memory + COUNTS, 2, 64);
}

/* Return where a variable is in memory. */
static uint32_t find(const char *path)
{
	struct location at;
	struct complaint why;

	if (layout_find(&in.layout, in.ram, path, &at, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		abort();
	}
	return at.address - RAM_KERNBASE;
}

/* Open the kernel, and find where its variables are. */
static void begin(void)
{
	static struct ram ram = {.read = read_memory};
	struct complaint why;
	uint32_t first, node;
	size_t i;

	choose_sizes();
	in.ram = &ram;
	if (layout_open(&in.layout, FUZZ_KERNEL, &why) < 0)
		abort();
	first = RAM_KERNBASE + find("_gmonparam");
	memcpy(memory + find("profilers.gmon.cpu[0].param"), &first, sizeof(first));
	for (i = 0; i < NVARIABLE; i++) {
		variables[i].at = find(variables[i].path);
		memcpy(memory + variables[i].at, &variables[i].value, 4);
	}
	node = RAM_KERNBASE + find("kernel/cpu.c:cpus[0].idle.by_pid");
	memcpy(memory + find("kernel/proc.c:by_pid.head.next[0]"), &node, sizeof(node));
	fill_tables();
}

/* Return where a patch goes. */
static uint8_t *place(const uint8_t *patch)
{
	size_t which = patch[0] % (NVARIABLE + NTABLE), off = patch[2] | patch[3] << 8;

	if (which < NVARIABLE)
		return memory + variables[which].at + 4 * (off % 2);
	return memory + tables[which - NVARIABLE] + off % 2048 * 4;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	(void)data;
	for (size_t at = 0; at < n; at += PATCH) {
		fuzz_field(f, n, at, 1, FUZZ_LITTLE);
		fuzz_field(f, n, at + 2, 2, FUZZ_LITTLE);
		fuzz_field(f, n, at + 4, 4, FUZZ_LITTLE);
	}
}

void fuzz_seal(uint8_t *data, size_t n)
{
	(void)data;
	(void)n;
}

/* Take out everything that there is. */
static void extract(void)
{
	static int (*const write[])(struct inside *in, FILE *to, struct complaint *why) = {
		inside_kpdata, inside_gmon, inside_stacks, inside_log,
	};
	struct inside_process list[16];
	struct complaint why;
	uint32_t khz;

	for (size_t i = 0; i < sizeof(write) / sizeof(write[0]); i++) {
		struct memory_stream to;

		memory_stream_open(&to);
		write[i](&in, to.f, &why);
		memory_stream_close(&to);
		free(to.data);
	}
	inside_processes(&in, list, 16, &why);
	inside_khz(&in, &khz, &why);
}

/* What was changed is put back, the last first. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static bool begun;
	uint32_t was[64];
	size_t i, count = n / PATCH < 64 ? n / PATCH : 64;

	if (!begun)
		begin();
	begun = true;
	for (i = 0; i < count; i++) {
		uint8_t *at = place(data + PATCH * i);

		memcpy(&was[i], at, 4);
		memcpy(at, data + PATCH * i + 4, 4);
		if (at >= memory + COUNTS && at < memory + ARCS)
			at[3] = at[2] = 0; /* gmon.out has a record for every 65,535 ticks */
	}
	extract();
	while (i-- > 0)
		memcpy(place(data + PATCH * i), &was[i], 4);
	return 0;
}
