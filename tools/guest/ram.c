/*
 * The memory of a guest: see ram.h. Here is that of a dump, an ELF core whose program headers
 * say which physical addresses are where in the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/guest/ram.h"
#include "tools/memory.h"
#include "tools/order.h"

#define NULL_PAGE 4096

struct core {
	struct ram ram; /* first, so that a pointer to it is one to the core */
	const char *path;
	Elf *elf;
	int fd;
};

bool ram_loaded(Elf *elf, size_t i, GElf_Phdr *ph)
{
	return gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_LOAD;
}

/* Find the program header of that physical address. False: the core lacks it. */
static bool find_segment(Elf *elf, uint64_t pa, GElf_Phdr *ph)
{
	size_t n, i;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (i = 0; i < n; i++)
		if (ram_loaded(elf, i, ph) && code_within(pa, ph->p_paddr, ph->p_filesz))
			return true;
	return false;
}

/* Read from as many segments as the range covers. */
static int core_read(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	struct core *c = (struct core *)r;
	uint64_t at, part;
	Elf_Data *data;
	GElf_Phdr ph;

	while (n > 0) {
		if (!find_segment(c->elf, pa, &ph))
			return complain(why, "%s: it has no memory at %" CODE_ADDR, c->path, pa);
		at = pa - ph.p_paddr;
		part = order_min(ph.p_filesz - at, n);
		data = elf_getdata_rawchunk(c->elf, (int64_t)(ph.p_offset + at), part, ELF_T_BYTE);
		if (!data)
			return complain(why, "%s: it is cut off", c->path);
		memcpy(to, data->d_buf, part);
		pa += part;
		to = (char *)to + part;
		n -= part;
	}
	return 0;
}

/* The ranges are those of the program headers, each of which has its own part of the file. */
static int core_find(struct ram *r, struct complaint *why)
{
	struct core *c = (struct core *)r;
	uint64_t left = (uint64_t)lseek(c->fd, 0, SEEK_END);
	size_t i, n;
	GElf_Phdr ph;

	if (elf_getphdrnum(c->elf, &n) != 0)
		return complain(why, "%s: it is cut off", c->path);
	r->range = memory_zeroed(n + 1, sizeof(*r->range));
	for (i = 0; i < n; i++) {
		if (!ram_loaded(c->elf, i, &ph))
			continue;
		if (ph.p_filesz > left)
			return complain(why, "%s: it is cut off: it has more memory than bytes",
					c->path);
		left -= ph.p_filesz;
		r->range[r->nrange++] = (struct ram_range){ph.p_paddr, ph.p_filesz};
	}
	return 0;
}

/* Close a core, even one that was opened in part. */
static void core_close(struct ram *r)
{
	struct core *c = (struct core *)r;

	elf_end(c->elf);
	if (c->fd >= 0)
		close(c->fd);
	free(r->range);
	free(c);
}

/* Open the file. Return 0, or -1 and *why. */
static int core_open(struct core *c, struct complaint *why)
{
	GElf_Ehdr head = {.e_type = ET_NONE};

	c->fd = open(c->path, O_RDONLY | O_CLOEXEC);
	if (c->fd < 0)
		return complain_errno(why, c->path);
	elf_version(EV_CURRENT);
	c->elf = elf_begin(c->fd, ELF_C_READ, NULL);
	if (c->elf)
		gelf_getehdr(c->elf, &head);
	if (head.e_type != ET_CORE)
		return complain(why, "%s: not a memory dump (an ELF core, by dump-guest-memory)",
				c->path);
	return core_find(&c->ram, why);
}

/* A core of QEMU's has 64 bits even if the guest has 32, so the class is not asked for. */
struct ram *ram_core(const char *path, struct complaint *why)
{
	struct core *c = memory_zeroed(1, sizeof(*c));

	c->ram = (struct ram){.read = core_read, .close = core_close, .find = core_find};
	c->path = path;
	if (core_open(c, why) == 0)
		return &c->ram;
	core_close(&c->ram);
	return NULL;
}

/* Return the largest address that there can be. */
static code_addr last_address(const struct ram *r)
{
	if (r->width == 8)
		return UINT64_MAX;
	return UINT32_MAX;
}

bool ram_has(const struct ram *r, uint64_t pa, size_t n)
{
	const struct ram_range *range = r->range;

	if (!range)
		return true;
	for (; range < r->range + r->nrange; range++)
		if (code_within(pa, range->start, range->bytes))
			return n <= range->bytes - (pa - range->start);
	return false;
}

/* Return whether n bytes at va can be the kernel's: the null page is nobody's. */
static bool is_sound(const struct ram *r, code_addr va, size_t n)
{
	code_addr last = last_address(r);

	return va >= NULL_PAGE && va <= last && n <= last - va;
}

/* A device that is read may change, so nothing but memory is. */
int ram_kernel(struct ram *r, code_addr va, void *to, size_t n, struct complaint *why)
{
	uint64_t pa = va - r->virt + r->phys;

	if (code_within(va, r->base, r->bytes))
		pa = va - r->base + r->base_phys;
	pa &= last_address(r);
	if (!is_sound(r, va, n) || !ram_has(r, pa, n))
		return complain(why, "the kernel has nothing at %" CODE_ADDR ": a wild pointer",
				va);
	return r->read(r, pa, to, n, why);
}
