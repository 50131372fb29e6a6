/* The memory of a guest: out of a dump of it, or while it runs. */
#ifndef TOOLS_GUEST_RAM_H
#define TOOLS_GUEST_RAM_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define RAM_KERNBASE 0xC0000000u /* where the kernel sees physical memory... */
#define RAM_KERNEND 0xF8000000u	 /* ...up to here */

/* Whoever reads it implements this; physical addresses, errors as complain() gives them. */
struct ram {
	int (*read)(struct ram *r, uint32_t pa, void *to, size_t n, struct complaint *why);
	void (*close)(struct ram *r);
};

/* A core of physical memory, as QEMU's dump-guest-memory writes it. NULL and why. */
struct ram *ram_core(const char *path, struct complaint *why);

/* A running guest, by the QMP socket of its QEMU: qmp.h. NULL and why. */
struct ram *ram_live(const char *socket, struct complaint *why);

/* n bytes that the kernel has at va, which lies in what it sees of memory as it is. 0, or -1. */
int ram_kernel(struct ram *r, uint32_t va, void *to, size_t n, struct complaint *why);

#endif
