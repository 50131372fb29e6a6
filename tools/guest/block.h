/*
 * The described block (prof/prof_block.h) of the kernel in a guest's memory, and the numbers and
 * tables that it describes. So a kernel can be looked into without its image: it need not be the
 * one that was built here, nor even Gnomon. The guest is not stopped, and nothing in it is written;
 * what is read may change between two reads.
 */
#ifndef TOOLS_GUEST_BLOCK_H
#define TOOLS_GUEST_BLOCK_H

#include "prof/prof_block.h"
#include "tools/code/symbols.h"
#include "tools/guest/ram.h"

#define BLOCK_CLOCK(i) (PROF_BLOCK_TABLES + (i)) /* the number of a field of the clock's */
#define BLOCK_FIELDS BLOCK_CLOCK(PROF_BLOCK_CLOCKS)
#define BLOCK_MAXCPU 1024
#define BLOCK_MAXTABLE (64u << 20) /* bytes: a table that claims to be larger is damaged */

/* A field, as in prof_block.h, but always with an address. */
struct block_field {
	code_addr at;
	uint16_t size, step, pointer, inside;
};

struct block {
	struct ram *ram;
	unsigned width; /* bytes of an address */
	code_addr self;	 /* where the block is, an address of the kernel's */
	code_addr build; /* where its build id is; 0: none */
	struct block_field field[BLOCK_FIELDS]; /* size 0: not described */
	unsigned tried; /* places with the magic words that were looked at in the search */
};

/*
 * Find it: where the kernel's symbol is, if symbols are given, or else by its magic words. From
 * then on ram_kernel() works. Return 0, or -1 and *why: there is none, or it is damaged or new.
 */
int block_find(struct block *b, struct ram *ram, const struct symbols *s, struct complaint *why);

/* Return whether a field is described. */
bool block_has(const struct block *b, unsigned field);

/*
 * Read a number of a CPU, which must be at most max, for what is beyond what can be is damaged.
 * Numbers that are not of a CPU have all the same. Return 0, or -1 and *why.
 */
int block_number(const struct block *b, unsigned field, unsigned cpu, uint64_t max, uint64_t *v,
		 struct complaint *why);

/* Read a number of at most 32 bits. Return 0, or -1 and *why: it is not described, or larger. */
int block_number32(const struct block *b, unsigned field, unsigned cpu, uint32_t *v,
		   struct complaint *why);

/*
 * Add n to the bytes of tables that all CPUs have together. Return 0, or -1 and *why: there is less
 * memory, so that a table must be several CPUs'.
 */
int block_add_table(const struct block *b, uint64_t *bytes, uint64_t n, struct complaint *why);

/* Copy n bytes from where a pointer points. 0, or -1 and *why: that is not the kernel's memory. */
int block_table(const struct block *b, unsigned field, unsigned cpu, void *to, size_t n,
		struct complaint *why);

/* Read how long a profiler's ticks are, and how long those before a change were. */
int block_pace(const struct block *b, unsigned field, unsigned cpu, struct prof_pace *pace,
	       struct complaint *why);

/* Write the kernel's build id as 40 hexadecimal digits; none if it has none. 0, or -1 and *why. */
int block_build(const struct block *b, char id[static 41], struct complaint *why);

#endif
