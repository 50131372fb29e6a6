/* Where a guest's variables are, and what is in them, by the kernel's debugging information. */
#ifndef TOOLS_GUEST_LAYOUT_H
#define TOOLS_GUEST_LAYOUT_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/guest/ram.h"

struct layout {
	const char *path; /* the kernel's image */
	int fd;
	Dwarf *dwarf;
};

/* A variable, or part of one. */
struct location {
	uint32_t address, size; /* in the kernel's memory; bytes */
};

/* 0, or -1 and why: no ELF file, or one without debugging information. */
int layout_open(struct layout *l, const char *kernel, struct complaint *why);
void layout_close(struct layout *l);

/*
 * The place that a path names, in C's words: `name`, or
 * `folder/file.c:name` where several files have one, then any number of `.member` and
 * `[index]`. A pointer is followed, by what the guest has in it, where a member or an element
 * of what it points to is asked for. 0, or -1 and why: no such variable, member or
 * element, or memory that cannot be read.
 */
int layout_find(const struct layout *l, struct ram *r, const char *path, struct location *at,
		struct complaint *why);

/* The same by printf's format, and the number there: 1, 2, 4 or 8 bytes, without sign. */
int layout_number(const struct layout *l, struct ram *r, uint64_t *value, struct complaint *why,
		  const char *path, ...) __attribute__((format(printf, 5, 6)));

#endif
