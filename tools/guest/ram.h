/*
 * The memory of a guest, in a dump of it or while it runs, by physical addresses and by the
 * kernel's. Pages are not walked: a kernel tells how it has memory mapped (prof/prof_block.h).
 */
#ifndef TOOLS_GUEST_RAM_H
#define TOOLS_GUEST_RAM_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/addr.h"
#include "tools/complaint.h"

/* A part of physical memory that there is. */
struct ram_range {
	uint64_t start, bytes;
};

/* A way to read memory, at physical addresses. The functions return 0, or -1 and *why. */
struct ram {
	int (*read)(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why);
	void (*close)(struct ram *r); /* frees it, too */
	int (*find)(struct ram *r, struct complaint *why); /* fill in range, if it is not */

	/* all the memory there is, nrange parts, by address and apart; NULL: not known yet */
	struct ram_range *range;
	size_t nrange;

	/*
	 * How the kernel has memory mapped, for ram_kernel(): all of it by as much as `virt` is
	 * from `phys`, but for `bytes` from `base` on, which are at `base_phys`. Addresses have
	 * `width` bytes. prof_block.h tells how a kernel says so.
	 */
	unsigned width;
	code_addr virt, base, bytes;
	uint64_t phys, base_phys;
};

/* Open an ELF core of physical memory from QEMU's dump-guest-memory. NULL and *why on failure. */
struct ram *ram_core(const char *path, struct complaint *why);

/* Reach a running guest by its QEMU's QMP socket. Return NULL and *why on failure. */
struct ram *ram_live(const char *socket, struct complaint *why);

/* Get program header i of a file. Return whether it is of memory that is loaded. */
bool ram_loaded(Elf *elf, size_t i, GElf_Phdr *ph);

/* Sort the ranges, and make those one that overlap or follow each other. */
void ram_arrange(struct ram *r);

/* Return how much memory there is, UINT64_MAX if it is not known. */
uint64_t ram_bytes(const struct ram *r);

/* Return whether all of it is memory, as far as is known. */
bool ram_has(const struct ram *r, uint64_t pa, size_t n);

/*
 * Read n bytes at va, an address of the kernel's within what it has mapped of physical memory.
 * Return 0, or -1 and *why.
 */
int ram_kernel(struct ram *r, code_addr va, void *to, size_t n, struct complaint *why);

#endif
