/*
 * The memory of a guest whose kernel has prof/, with a described block, tables of two CPUs, and a
 * clock; of a machine of 32 or 64 bits.
 */
#ifndef TESTS_TOOLS_GUESTDATA_H
#define TESTS_TOOLS_GUESTDATA_H

#include "tools/guest/inside.h"

#define GUESTDATA_RAM (4096u << 10) /* bytes */
#define GUESTDATA_TEXT 0x100000u    /* where text begins, from the start of memory on */
#define GUESTDATA_TEXTSIZE 0x400u

/* Where things are, from the start of memory on. A field has a place of its own, for two CPUs. */
enum {
	GUESTDATA_BLOCK = 0x1230, GUESTDATA_TABLE = 0x2000, GUESTDATA_VALUES = 0x3000,
	GUESTDATA_STRIDE = 64, GUESTDATA_CELLS = 2048 << 10, GUESTDATA_COUNTS = 2056 << 10,
	GUESTDATA_ARCS = 2064 << 10, GUESTDATA_PATHS = 2880 << 10,
};

struct guestdata {
	struct ram ram; /* of which all can be read but what is not in it, as in a dump */
	unsigned width;
	uint64_t start; /* where memory begins */
	struct ram_range range[2];
	uint8_t mem[GUESTDATA_RAM];
};

/*
 * Make it. Memory begins at 0 for 32 bits, and at 2 GB for 64, whose tables, from
 * GUESTDATA_CELLS on, the kernel has mapped elsewhere than the rest.
 */
void guestdata_make(struct guestdata *g, unsigned width);

/* Make the block's sum right again. */
void guestdata_seal(struct guestdata *g);

/* Return where a field's number is in mem. */
uint8_t *guestdata_field(struct guestdata *g, unsigned field, unsigned cpu);

#endif
