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

#define NULL_PAGE 4096

struct core {
	struct ram ram; /* first, so that a pointer to it is one to the core */
	const char *path;
	Elf *elf;
	int fd;
};

/* Find the program header of that physical address. False: the core lacks it. */
static bool find_segment(Elf *elf, uint64_t pa, GElf_Phdr *ph)
{
	size_t n, i;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_LOAD && pa >= ph->p_paddr &&
		    pa - ph->p_paddr < ph->p_filesz)
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
		part = ph.p_filesz - at < n ? ph.p_filesz - at : n;
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

/* The ranges are those of the program headers. */
static int core_find(struct ram *r, struct complaint *why)
{
	struct core *c = (struct core *)r;
	size_t i, n;
	GElf_Phdr ph;

	if (elf_getphdrnum(c->elf, &n) != 0)
		return complain(why, "%s: it is cut off", c->path);
	r->range = memory_zeroed(n + 1, sizeof(*r->range));
	for (i = 0; i < n; i++)
		if (gelf_getphdr(c->elf, (int)i, &ph) && ph.p_type == PT_LOAD)
			r->range[r->nrange++] = (struct ram_range){ph.p_paddr, ph.p_filesz};
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

/* A core of QEMU's has 64 bits even if the guest has 32, so the class is not asked for. */
struct ram *ram_core(const char *path, struct complaint *why)
{
	struct core *c = memory_zeroed(1, sizeof(*c));
	GElf_Ehdr head;

	c->ram = (struct ram){.read = core_read, .close = core_close, .find = core_find};
	c->path = path;
	c->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (c->fd < 0) {
		complain(why, "%s: %s", path, strerror(errno));
		core_close(&c->ram);
		return NULL;
	}
	elf_version(EV_CURRENT);
	c->elf = elf_begin(c->fd, ELF_C_READ, NULL);
	if (!c->elf || !gelf_getehdr(c->elf, &head) || head.e_type != ET_CORE) {
		complain(why, "%s: not a memory dump (an ELF core, by dump-guest-memory)", path);
		core_close(&c->ram);
		return NULL;
	}
	if (core_find(&c->ram, why) < 0) {
		core_close(&c->ram);
		return NULL;
	}
	return &c->ram;
}

bool ram_has(const struct ram *r, uint64_t pa, size_t n)
{
	size_t i;

	for (i = 0; i < r->nrange; i++)
		if (pa >= r->range[i].start && pa - r->range[i].start < r->range[i].bytes &&
		    n <= r->range[i].bytes - (pa - r->range[i].start))
			return true;
	return !r->range;
}

/* A device that is read may change, so nothing but memory is; nor is the null page anybody's. */
int ram_kernel(struct ram *r, code_addr va, void *to, size_t n, struct complaint *why)
{
	code_addr last = r->width == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t pa = va - r->virt + r->phys;

	if (r->bytes > 0 && va >= r->base && va - r->base < r->bytes)
		pa = va - r->base + r->base_phys;
	pa &= last;
	if (va < NULL_PAGE || va > last || n > last - va || !ram_has(r, pa, n))
		return complain(why, "the kernel has nothing at %" CODE_ADDR ": a wild pointer",
				va);
	return r->read(r, pa, to, n, why);
}
