/*
 * The described block: where in a kernel's memory the profilers' tables are. gnomon-extract(1)
 * and gnomon-top(1) find it in a memory dump or a running machine and read the tables there,
 * without knowing the kernel. Numbers are little-endian; of pointers there is room for as many
 * bytes as the machine's have.
 */
#pragma once

#include "prof/prof.h"

PROF_BEGIN

#define PROF_BLOCK_VERSION 1 /* of this, of the fields' numbers, and of the tables' own layout */

/* The four words that it begins with; no code has them beside each other. */
#define PROF_BLOCK_MAGIC(i) (0x666f7270u + (i) * 0x9e3779b9u)

/* What the library describes. A field that each CPU has one of has a step. */
enum prof_block_table {
	PROF_BLOCK_KPROF_FIRST, PROF_BLOCK_KPROF_SIZE, PROF_BLOCK_KPROF_NBUCKET,
	PROF_BLOCK_KPROF_NCPU, PROF_BLOCK_KPROF_PACE,
	PROF_BLOCK_KPROF_CELL, /* of each CPU */
	PROF_BLOCK_GMON_NCPU,
	PROF_BLOCK_GMON_PACE, PROF_BLOCK_GMON_LOWPC, PROF_BLOCK_GMON_TEXTSIZE, /* of each CPU */
	PROF_BLOCK_GMON_KCOUNT, PROF_BLOCK_GMON_TOS, PROF_BLOCK_GMON_TOLIMIT,  /* of each CPU */
	PROF_BLOCK_STACK_NCPU, PROF_BLOCK_STACK_DEPTH, PROF_BLOCK_STACK_PACE,
	PROF_BLOCK_STACK_WORD, PROF_BLOCK_STACK_USED, PROF_BLOCK_WAIT_WORD, /* of each CPU */
	PROF_BLOCK_TRACE_RING, PROF_BLOCK_CALL_ARC, PROF_BLOCK_TRACE_PER_MS, PROF_BLOCK_TRACE_START,
	PROF_BLOCK_TABLES
};

/* What the kernel describes of its clock, as far as it wants. */
enum prof_block_clock {
	PROF_BLOCK_CLOCK_NAME,	    /* a pointer to text */
	PROF_BLOCK_CLOCK_NMI,	    /* not 0: ticks are NMIs, or cannot be held off otherwise */
	PROF_BLOCK_CLOCK_HZ, PROF_BLOCK_CLOCK_PERIOD_US,
	PROF_BLOCK_CLOCK_TIME_NS,   /* since boot */
	PROF_BLOCK_CLOCK_TICKS, PROF_BLOCK_CLOCK_LOST, /* of each CPU, since boot */

	/*
	 * Of the time in which kprof, or gmon, was on. While it is (ON is not 0), the numbers
	 * lack what those of the clock were at the start.
	 */
	PROF_BLOCK_KPROF_ON, PROF_BLOCK_KPROF_US,
	PROF_BLOCK_KPROF_TICKS, PROF_BLOCK_KPROF_LOST, /* of each CPU */
	PROF_BLOCK_GMON_ON, PROF_BLOCK_GMON_US,
	PROF_BLOCK_GMON_TICKS, PROF_BLOCK_GMON_LOST, /* of each CPU */
	PROF_BLOCK_CLOCKS
};

/* Where a number or a table's pointer is. */
struct prof_block_field {
	uintptr_t at;	  /* its address; of the library's, its offset in struct prof */
	uint16_t size;	  /* bytes that it has; 0: it is not described */
	uint16_t step;	  /* bytes from one CPU's to the next; 0: it is one for all of them */
	uint16_t pointer; /* 1: there is a pointer to a struct... */
	uint16_t inside;  /* ...that has it at this offset */
};

/*
 * Describe a variable; of each CPU, a part of what an array has of it, such as .ticks, or nothing
 * for all; and a member of a struct of that type that such a part points to.
 */
#define PROF_BLOCK_AT(v) {(uintptr_t)&(v), sizeof(v), 0, 0, 0}
#define PROF_BLOCK_EACH(array, part) \
	{(uintptr_t)&(array)[0]part, sizeof((array)[0]part), sizeof((array)[0]), 0, 0}
#define PROF_BLOCK_IN(array, part, type, member) \
	{(uintptr_t)&(array)[0]part, sizeof(((type *)0)->member), sizeof((array)[0]), 1, \
	 offsetof(type, member)}

struct prof_block {
	uint32_t magic[4]; /* PROF_BLOCK_MAGIC(0) to (3) */
	uint32_t version;
	uint32_t bytes; /* of this structure */
	uint32_t sum;	/* prof_block_sum() of what follows, up to the end */
	uint16_t width; /* bytes of a pointer */
	uint8_t tables, clocks; /* how many fields there are */
	uintptr_t self; /* this structure's address */
	uintptr_t prof; /* struct prof's */
	uintptr_t table, clock; /* the fields'; clock: 0 if nothing is known of one */
	uintptr_t build; /* of the kernel's build id, 20 bytes; 0: it has none */

	/*
	 * From where this structure is in physical memory to `self` is as far as from any physical
	 * address to the kernel's; but not within these bytes from `virtual_base` on, if that is
	 * not 0: tables that were allocated may be mapped elsewhere than the kernel's image.
	 */
	uintptr_t virtual_base, virtual_bytes, physical_base;
};

/*
 * Fill in *b, but for the last three members, which the caller may have set before. Call it again
 * when something else is to be in it. The host finds it at once if it is called prof_block in the
 * kernel's ELF file, and else by its magic words. The clock's PROF_BLOCK_CLOCKS fields, or NULL,
 * and the build id, or NULL, must last.
 */
void prof_block_init(struct prof_block *b, const struct prof *p,
		     const struct prof_block_field *clock, const uint8_t *build);

/* Return the sum over the n bytes from `width` on. */
static inline uint32_t prof_block_sum(const uint8_t *p, size_t n)
{
	uint32_t sum = 1;

	while (n-- > 0)
		sum = sum * 33 + *p++;
	return sum;
}

PROF_END
