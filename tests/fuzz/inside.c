/*
 * What is in the memory of a guest: the described block, profilers' tables, the console's log, the
 * list of processes. Gnomon's own variables are those of a few files of ours, linked by themselves.
 * Memory is as a kernel would leave it, but for what the input changes: eight bytes each, which
 * variable or table, where in it, and the word that it gets.
 * Runs: 300
 * Links: tests/fuzz/mutate.c tests/tools/guestdata.c
 * Inside: kernel/machine/cpu.c kernel/machine/print.c kernel/process/proc.c
 * Inside: kernel/machine/time.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "userland/formats/le.h"
#include "tests/fuzz/fuzz.h"
#include "tests/tools/guestdata.h"
#include "tools/memory.h"

#define KERNBASE 0xc0000000u
#define PATCH 8 /* bytes of input for a word */
#define PATCHES 64

/* Where the structs are that pointers lead to. */
enum { PROCESS = 2080 << 10, CPU = 2096 << 10 };

static struct guestdata guest;
static struct inside in;

/* Gnomon's variables, and what they have. */
static struct variable {
	const char *path;
	uint32_t value;
	uint32_t at; /* in memory */
} variables[] = {
	{"kernel/machine/print.c:logged", 100, 0},
	{"kernel/machine/time.c:tsc_khz", 1000000, 0},
	{"kernel/machine/cpu.c:cpus[0]", KERNBASE + CPU, 0},
	{"kernel/machine/cpu.c:cpus[0].idle", KERNBASE + PROCESS, 0},
	{"kernel/process/proc.c:by_pid.head.next[0]", 0, 0}, /* the process */
};

#define NVARIABLE (sizeof(variables) / sizeof(variables[0]))

/* What else may be changed, and how many bytes of it. */
static const struct {
	uint32_t at, bytes;
} tables[] = {
	{GUESTDATA_BLOCK, 64}, {GUESTDATA_TABLE, 12 * BLOCK_FIELDS},
	{GUESTDATA_VALUES, GUESTDATA_STRIDE * 2 * BLOCK_FIELDS}, {GUESTDATA_CELLS, 1024},
	{GUESTDATA_COUNTS, 1024}, {GUESTDATA_ARCS, 128}, {GUESTDATA_PATHS, 64}, {PROCESS, 4096},
};

#define NTABLE (sizeof(tables) / sizeof(tables[0]))

/* Return where a variable is in memory. */
static uint32_t find(const char *path)
{
	struct location at;
	struct complaint why;

	if (layout_find(&in.layout, in.ram, path, &at, &why) < 0) {
		fprintf(stderr, "%s\n", why.text);
		abort();
	}
	return at.address - KERNBASE;
}

/* Open the kernel, and find where its variables are. */
static void begin(void)
{
	struct complaint why;
	uint32_t node;
	size_t i;

	guestdata_make(&guest, 4);
	guest.ram.virt = KERNBASE;
	in.ram = &guest.ram;
	if (layout_open(&in.layout, FUZZ_KERNEL, &why) < 0)
		abort();
	in.has_layout = true;
	for (i = 0; i < NVARIABLE; i++) {
		variables[i].at = find(variables[i].path);
		le_put32(guest.mem + variables[i].at, variables[i].value);
	}
	node = KERNBASE + find("kernel/machine/cpu.c:cpus[0].idle.by_pid");
	le_put32(guest.mem + find("kernel/process/proc.c:by_pid.head.next[0]"), node);
}

/* Return where a patch goes. */
static uint8_t *place(const uint8_t *patch)
{
	size_t which = patch[0] % (NVARIABLE + NTABLE), off = patch[2] | patch[3] << 8;

	if (which < NVARIABLE)
		return guest.mem + variables[which].at + 4 * (off % 2);
	which -= NVARIABLE;
	return guest.mem + tables[which].at + off % (tables[which].bytes / 4) * 4;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n; at += PATCH) {
		fuzz_field(f, n, at, 1, FUZZ_LITTLE);
		fuzz_field(f, n, at + 2, 2, FUZZ_LITTLE);
		fuzz_field(f, n, at + 4, 4, FUZZ_LITTLE);
	}
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Take out everything that there is, if the block is found. */
static void extract(void)
{
	static int (*const write[])(struct inside *in, FILE *to, struct complaint *why) = {
		inside_kpdata, inside_gmon, inside_stacks, inside_log,
	};
	struct inside_process list[16];
	struct runinfo run;
	struct complaint why;
	uint32_t khz;

	if (block_find(&in.block, &guest.ram, NULL, &why) < 0 ||
	    block_build(&in.block, in.build, &why) < 0)
		return;
	for (size_t i = 0; i < sizeof(write) / sizeof(write[0]); i++) {
		struct memory_stream to;

		memory_stream_open(&to);
		write[i](&in, to.f, &why);
		memory_stream_close(&to);
		free(to.data);
	}
	inside_processes(&in, list, 16, &why);
	inside_khz(&in, &khz, &why);
	inside_clock(&in, "gmon", &run, &why);
}

/*
 * What was changed is put back, the last first. The block's sum is made right, so that what is
 * behind it is reached; that it is wrong is seen where the sum itself was changed.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static bool begun;
	uint32_t was[PATCHES];
	size_t i, count = n / PATCH < PATCHES ? n / PATCH : PATCHES;

	if (!begun)
		begin();
	begun = true;
	for (i = 0; i < count; i++) {
		uint8_t *at = place(data + PATCH * i);

		memcpy(&was[i], at, 4);
		memcpy(at, data + PATCH * i + 4, 4);
		if (at >= guest.mem + GUESTDATA_COUNTS && at < guest.mem + GUESTDATA_ARCS)
			at[3] = at[2] = 0; /* gmon.out has a record for every 65,535 ticks */
		if (place(data + PATCH * i) != guest.mem + GUESTDATA_BLOCK + 24)
			guestdata_seal(&guest);
	}
	extract();
	while (i-- > 0)
		memcpy(place(data + PATCH * i), &was[i], 4);
	guestdata_seal(&guest);
	return 0;
}
