/* The memory of a guest, in a dump of it or while it runs. */
#ifndef TOOLS_GUEST_RAM_H
#define TOOLS_GUEST_RAM_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define RAM_KERNBASE 0xC0000000u /* here the kernel has physical memory mapped... */
#define RAM_KERNEND 0xF8000000u	 /* ...up to here */

/* A way to read memory, at physical addresses. read() returns 0, or -1 and *why. */
struct ram {
	int (*read)(struct ram *r, uint32_t pa, void *to, size_t n, struct complaint *why);
	void (*close)(struct ram *r);
};

/* Open an ELF core of physical memory from QEMU's dump-guest-memory. NULL and *why on failure. */
struct ram *ram_core(const char *path, struct complaint *why);

/* Reach a running guest by its QEMU's QMP socket. Return NULL and *why on failure. */
struct ram *ram_live(const char *socket, struct complaint *why);

/*
 * Read n bytes at va, an address of the kernel's within what it has mapped of physical memory.
 * Return 0, or -1 and *why.
 */
int ram_kernel(struct ram *r, uint32_t va, void *to, size_t n, struct complaint *why);

#endif
