/*
 * Where a guest's variables are and what they hold, found by the kernel's debugging information
 * (DWARF, in its image). That is for what the described block does not tell. It takes the very
 * image that the guest runs, and a kernel of 32 bits.
 */
#ifndef TOOLS_GUEST_LAYOUT_H
#define TOOLS_GUEST_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include "tools/code/dwarfdata.h"
#include "tools/complaint.h"
#include "tools/guest/ram.h"

struct layout {
	const char *path; /* the kernel's image; the caller's */
	int fd;		  /* of it */
	Elf *elf;
	struct dwarfdata data; /* its debugging information */
};

/* A variable, or part of one. */
struct location {
	uint32_t address, size; /* in the kernel's memory; bytes */
};

/* Open a kernel's image. Return 0, or -1 and *why: no ELF file, or no debugging information. */
int layout_open(struct layout *l, const char *kernel, struct complaint *why);
void layout_close(struct layout *l);

/*
 * Find the place that a path names: `name`, or `folder/file.c:name` where several files have
 * one, then any number of `.member` and `[index]`, as in C. A pointer whose member or element is
 * asked for is read from the guest and followed; without a guest, r is NULL, it leads to 0, so a
 * member's place is its offset. Return 0, or -1 and *why: no such variable,
 * member or element, or memory that cannot be read.
 */
int layout_find(const struct layout *l, struct ram *r, const char *path, struct location *at,
		struct complaint *why);

/* Read the number at a path made as printf() does: of 1, 2, 4 or 8 bytes, without a sign. */
int layout_number(const struct layout *l, struct ram *r, uint64_t *value, struct complaint *why,
		  const char *path, ...) __attribute__((format(printf, 5, 6)));

#endif
