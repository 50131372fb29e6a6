/*
 * Following calls through memory that may hold anything: prof/prof_stack.c. The input is what ticks
 * find in registers, then the kernel's stack, then the program's.
 * Runs: 700
 * Links: tests/fuzz/mutate.c tests/prof/machine.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tests/prof/machine.h"

#define TRAP 0xc0100999u /* where trap handlers return to */
#define LO 0xf8001000u	 /* the kernel's stack */
#define WORDS 128u
#define USER 0xbffe0ff0u /* the program's, on two pages */
#define TICKS 4

/* What one tick finds. */
struct found {
	uint32_t pc, fp, ret;
	uint32_t what, entered, pid;
	uint32_t trap; /* what a trap's frame says: enum prof_stack_trap */
	uint32_t trap_pc, trap_fp, trap_ret;
};

/* The input. */
struct input {
	uint32_t depth;
	struct found found[TICKS];
	uint32_t kernel[WORDS];
	uint32_t user[WORDS];
};

static struct prof prof;
static struct input in;
static const struct found *now;
static uint8_t *kernel; /* a copy that ends where its memory ends */

/* Bytes may be read up to the end of the page, as with the kernel's. */
static const void *peek(prof_addr addr)
{
	static _Alignas(4096) uint8_t page[2 * 4096 + 4096];

	if (addr - USER >= sizeof(in.user))
		return NULL;
	memcpy(page + USER % 4096, in.user, sizeof(in.user));
	return page + USER % 4096 + (addr - USER);
}

static enum prof_stack_trap trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	if ((const uint8_t *)frame < kernel ||
	    (const uint8_t *)frame + room != kernel + sizeof(in.kernel))
		abort();
	*at = (struct prof_stack_place){now->trap_pc, now->trap_fp, now->trap_ret};
	return now->trap % 4;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n; at += 4)
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Add to a text; a sink's function. */
static int put(void *to, const void *data, size_t n)
{
	return fwrite(data, 1, n, to) == n ? 0 : -1;
}

/* The text's counts are the ticks. */
static void check(void)
{
	char *text, *end;
	size_t n;
	FILE *file = open_memstream(&text, &n);
	unsigned long ticks;

	if (prof_stack_write(&prof, PROF_STACK,
			     &(struct prof_sink){.write = put, .arg = file}) != 0)
		abort();
	fclose(file);
	end = strstr(text, "# period_us=1000 ticks=");
	if (!end || sscanf(end, "# period_us=1000 ticks=%lu ", &ticks) != 1 || ticks != TICKS)
		abort();
	free(text);
}

static void begin(void)
{
	machine_reset();
	machine.user = peek;
	machine.trap = trap;
	prof = (struct prof){0};
	prof_stack_init(&prof, 1, TRAP);
	prof_stack_depth(&prof, 1 + in.depth % PROF_STACK_MAXDEPTH);
	prof_period(&prof, 1000);
	if (!prof_stack_open(&prof, PROF_STACK, 1))
		abort();
	prof_start(&prof, PROF_PATHS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char name[2][32] = {"sh", "a longer name of thirty-one let"};

	memset(&in, 0, sizeof(in));
	memcpy(&in, data, n < sizeof(in) ? n : sizeof(in));
	kernel = malloc(sizeof(in.kernel));
	memcpy(kernel, in.kernel, sizeof(in.kernel));
	begin();
	for (now = in.found; now < in.found + TICKS; now++) {
		struct prof_sample s = {
			.at = {now->pc, now->fp, now->ret}, .what = now->what % 3, .lo = LO,
			.hi = LO + sizeof(in.kernel), .stack = kernel, .pid = now->pid,
			.entered = now->entered, .name = name[now->pid % 2],
			.named = now->pid % 2,
		};

		machine_tick(&prof, &s);
	}
	check();
	prof_stop(&prof, PROF_PATHS);
	prof_stack_close(&prof, PROF_STACK);
	machine_reset();
	free(kernel);
	return 0;
}
