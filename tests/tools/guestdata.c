/* The memory of a guest: see guestdata.h. */
#include <stdlib.h>
#include <string.h>
#include "userland/formats/le.h"
#include "tests/tools/guestdata.h"

#define HEAD 32 /* bytes of the block before its pointers */
#define PACE 20

/* Store an address, or another number that is as wide. */
static uint8_t *put(const struct guestdata *g, uint8_t *at, uint64_t v)
{
	return g->width == 8 ? le_put64(at, v) : le_put32(at, (uint32_t)v);
}

/* Return the kernel's address of what is so far from the start of memory. */
static code_addr address(const struct guestdata *g, uint32_t at)
{
	if (g->width == 4)
		return 0xc0000000u + at;
	return (at < GUESTDATA_CELLS ? 0xffffffff80000000u : 0xffff888000000000u) + at;
}

static int read_memory(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	struct guestdata *g = (struct guestdata *)r;

	if (!ram_has(r, pa, n))
		return complain(why, "no memory at %" CODE_ADDR, pa);
	memcpy(to, g->mem + (pa - g->start), n);
	return 0;
}

static void close_nothing(struct ram *r)
{
}

uint8_t *guestdata_field(struct guestdata *g, unsigned field, unsigned cpu)
{
	return g->mem + GUESTDATA_VALUES + GUESTDATA_STRIDE * (field + (size_t)BLOCK_FIELDS * cpu);
}

/* Describe a field, and store the numbers of both CPUs. */
static void field(struct guestdata *g, unsigned i, unsigned size, uint64_t v)
{
	uint8_t *at = g->mem + GUESTDATA_TABLE + (size_t)i * (g->width + 8);
	unsigned cpu;

	at = put(g, at, i < PROF_BLOCK_TABLES ? GUESTDATA_STRIDE * i
		 : address(g, GUESTDATA_VALUES + GUESTDATA_STRIDE * i));
	at = le_put16(at, (uint16_t)size);
	at = le_put16(at, GUESTDATA_STRIDE * BLOCK_FIELDS);
	le_put32(at, 0);
	for (cpu = 0; cpu < 2; cpu++) {
		le_put64(guestdata_field(g, i, cpu), v);
		if (size >= PACE)
			le_put32(guestdata_field(g, i, cpu) + 4, 0);
	}
}

/* Describe what the library and the clock have. */
static void fields(struct guestdata *g)
{
	unsigned a = g->width, pace = a == 8 ? 24 : 20;

	field(g, PROF_BLOCK_KPROF_FIRST, a, address(g, GUESTDATA_TEXT + 48));
	field(g, PROF_BLOCK_KPROF_SIZE, 4, GUESTDATA_TEXTSIZE - 48);
	field(g, PROF_BLOCK_KPROF_NBUCKET, 4, GUESTDATA_TEXTSIZE / 8);
	field(g, PROF_BLOCK_KPROF_NCPU, 4, 2);
	field(g, PROF_BLOCK_KPROF_PACE, pace, 1000);
	field(g, PROF_BLOCK_KPROF_CELL, a, address(g, GUESTDATA_CELLS));
	field(g, PROF_BLOCK_GMON_NCPU, 4, 2);
	field(g, PROF_BLOCK_GMON_PACE, pace, 1000);
	field(g, PROF_BLOCK_GMON_LOWPC, a, address(g, GUESTDATA_TEXT));
	field(g, PROF_BLOCK_GMON_TEXTSIZE, 4, GUESTDATA_TEXTSIZE);
	field(g, PROF_BLOCK_GMON_KCOUNT, a, address(g, GUESTDATA_COUNTS));
	field(g, PROF_BLOCK_GMON_TOS, a, address(g, GUESTDATA_ARCS));
	field(g, PROF_BLOCK_GMON_TOLIMIT, 4, 50);
	field(g, PROF_BLOCK_STACK_NCPU, 4, 2);
	field(g, PROF_BLOCK_STACK_DEPTH, 4, 64);
	field(g, PROF_BLOCK_STACK_PACE, pace, 1000);
	field(g, PROF_BLOCK_STACK_WORD, a, address(g, GUESTDATA_PATHS));
	field(g, PROF_BLOCK_STACK_USED, 4, 11);
	field(g, BLOCK_CLOCK(PROF_BLOCK_CLOCK_HZ), 4, 1000);
	field(g, BLOCK_CLOCK(PROF_BLOCK_CLOCK_PERIOD_US), 4, 1000);
	field(g, BLOCK_CLOCK(PROF_BLOCK_CLOCK_TIME_NS), 8, 2000000000);
	field(g, BLOCK_CLOCK(PROF_BLOCK_CLOCK_TICKS), 8, 990);
	field(g, BLOCK_CLOCK(PROF_BLOCK_CLOCK_LOST), 8, 10);
	field(g, BLOCK_CLOCK(PROF_BLOCK_KPROF_ON), 1, 0);
	field(g, BLOCK_CLOCK(PROF_BLOCK_KPROF_US), 8, 500000);
	field(g, BLOCK_CLOCK(PROF_BLOCK_KPROF_TICKS), 8, 12);
	field(g, BLOCK_CLOCK(PROF_BLOCK_KPROF_LOST), 8, 1);
}

/*
 * On each CPU: 5 ticks outside of text and 7 at its byte 80, 3 calls of the function at 32 from 16,
 * and 7 ticks at 32 called from 16.
 */
static void tables(struct guestdata *g)
{
	uint64_t path[] = {
		0, 0, 0, UINT32_MAX, 5, 7, 0x102, 0x6873, address(g, GUESTDATA_TEXT + 32),
		address(g, GUESTDATA_TEXT + 16), UINT64_MAX,
	};
	unsigned a = g->width, entry = a == 8 ? 24 : 16;
	uint8_t *at;
	size_t i;

	le_put32(g->mem + GUESTDATA_CELLS + 4 * PROF_KPROF_OUTSIDE, 5);
	le_put32(g->mem + GUESTDATA_CELLS + 4 * 10, 7);
	le_put32(g->mem + GUESTDATA_COUNTS + 4 * 20, 7);
	le_put16(g->mem + GUESTDATA_ARCS + a + 4, 1);
	at = put(g, g->mem + GUESTDATA_ARCS + entry, address(g, GUESTDATA_TEXT + 32));
	at = le_put32(at, 3);
	le_put32(at + 4, 4);
	at = g->mem + GUESTDATA_PATHS;
	for (i = 0; i < sizeof(path) / sizeof(path[0]); i++)
		at = put(g, at, path[i]);
}

void guestdata_seal(struct guestdata *g)
{
	uint8_t *block = g->mem + GUESTDATA_BLOCK;

	le_put32(block + 24, prof_block_sum(block + 28, HEAD - 28 + 8 * g->width));
}

void guestdata_make(struct guestdata *g, unsigned width)
{
	uint8_t *at = g->mem + GUESTDATA_BLOCK;
	bool moved = width == 8;
	uint32_t i;

	*g = (struct guestdata){.width = width, .start = width == 8 ? 0x80000000u : 0};
	g->range[0] = (struct ram_range){g->start, 0x1000};
	g->range[1] = (struct ram_range){g->start + 0x1000, GUESTDATA_RAM - 0x1000};
	g->ram = (struct ram){
		.read = read_memory, .close = close_nothing, .range = g->range, .nrange = 2,
	};
	for (i = 0; i < 4; i++)
		at = le_put32(at, PROF_BLOCK_MAGIC(i));
	at = le_put32(at, PROF_BLOCK_VERSION);
	at = le_put32(at, HEAD + 8 * width);
	at = le_put32(at, 0);
	at = le_put16(at, (uint16_t)width);
	*at++ = PROF_BLOCK_TABLES;
	*at++ = PROF_BLOCK_CLOCKS;
	at = put(g, at, address(g, GUESTDATA_BLOCK));
	at = put(g, at, address(g, GUESTDATA_VALUES));
	at = put(g, at, address(g, GUESTDATA_TABLE));
	at = put(g, at, address(g, GUESTDATA_TABLE + PROF_BLOCK_TABLES * (width + 8)));
	at = put(g, at, 0);
	at = put(g, at, moved ? address(g, GUESTDATA_CELLS) : 0);
	at = put(g, at, moved ? GUESTDATA_RAM - GUESTDATA_CELLS : 0);
	put(g, at, moved ? g->start + GUESTDATA_CELLS : 0);
	fields(g);
	tables(g);
	guestdata_seal(g);
}
