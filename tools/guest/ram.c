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
#include "tools/sorted.h"

#define NULL_PAGE 4096

/* Memory that is in the file from an offset on. */
struct segment {
	uint64_t start, bytes;
	uint64_t offset;
};

struct core {
	struct ram ram; /* first, so that a pointer to it is one to the core */
	const char *path;
	Elf *elf;
	int fd;
	struct segment *segment; /* by address, and nothing is in two */
	size_t nsegment;
};

bool ram_loaded(Elf *elf, size_t i, GElf_Phdr *ph)
{
	return gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_LOAD;
}

/* For qsort: by where memory begins, with which segments and ranges begin. */
static int compare_starts(const void *va, const void *vb)
{
	return order(*(const uint64_t *)va, *(const uint64_t *)vb);
}

/* Find the segment of that physical address. NULL: the core lacks it. */
static const struct segment *find_segment(const struct core *c, uint64_t pa)
{
	size_t after = sorted_below(c->segment, c->nsegment, sizeof(*c->segment), pa + 1);
	const struct segment *s = c->segment + after - 1;

	if (after == 0)
		return NULL;
	return code_within(pa, s->start, s->bytes) ? s : NULL;
}

/* Read from as many segments as the range covers. */
static int core_read(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	struct core *c = (struct core *)r;
	const struct segment *s;
	uint64_t at, part;

	while (n > 0) {
		s = find_segment(c, pa);
		if (!s)
			return complain(why, "%s: it has no memory at %" CODE_ADDR, c->path, pa);
		at = pa - s->start;
		part = order_min(s->bytes - at, n);
		if (pread(c->fd, to, part, (off_t)(s->offset + at)) != (ssize_t)part)
			return complain(why, "%s: it is cut off", c->path);
		pa += part;
		to = (char *)to + part;
		n -= part;
	}
	return 0;
}

/* Sort the segments. Of memory that is in two, the part that comes later is left out. */
static void sort_segments(struct core *c)
{
	struct segment *s, *kept = c->segment;
	uint64_t end = 0, twice;

	if (c->nsegment)
		qsort(c->segment, c->nsegment, sizeof(*s), compare_starts);
	for (s = c->segment; s < c->segment + c->nsegment; s++) {
		twice = order_min(end - order_min(end, s->start), s->bytes);
		if (twice == s->bytes)
			continue;
		*kept = (struct segment){s->start + twice, s->bytes - twice, s->offset + twice};
		end = kept->start + kept->bytes;
		kept++;
	}
	c->nsegment = (size_t)(kept - c->segment);
}

/* Make the ranges those of the segments. */
static void find_ranges(struct core *c)
{
	struct ram *r = &c->ram;
	size_t i;

	r->range = memory_zeroed(c->nsegment + 1, sizeof(*r->range));
	for (i = 0; i < c->nsegment; i++)
		r->range[i] = (struct ram_range){c->segment[i].start, c->segment[i].bytes};
	r->nrange = c->nsegment;
	ram_arrange(r);
}

/* The segments are those of the program headers, each of which has its own part of the file. */
static int core_find(struct ram *r, struct complaint *why)
{
	struct core *c = (struct core *)r;
	uint64_t left = (uint64_t)lseek(c->fd, 0, SEEK_END);
	size_t i, n;
	GElf_Phdr ph;

	if (elf_getphdrnum(c->elf, &n) != 0)
		return complain(why, "%s: it is cut off", c->path);
	c->segment = memory_zeroed(n + 1, sizeof(*c->segment));
	for (i = 0; i < n; i++) {
		if (!ram_loaded(c->elf, i, &ph))
			continue;
		if (ph.p_filesz > left)
			return complain(why, "%s: it is cut off: it has more memory than bytes",
					c->path);
		left -= ph.p_filesz;
		c->segment[c->nsegment++] = (struct segment){
			ph.p_paddr, order_min(ph.p_filesz, UINT64_MAX - ph.p_paddr), ph.p_offset,
		};
	}
	sort_segments(c);
	find_ranges(c);
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
	free(c->segment);
	free(c);
}

/* Open the file. Return 0, or -1 and *why. */
static int core_open(struct core *c, struct complaint *why)
{
	GElf_Ehdr head = {.e_type = ET_NONE};

	c->fd = open(c->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
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

void ram_arrange(struct ram *r)
{
	struct ram_range *range, *last = NULL;

	if (r->nrange)
		qsort(r->range, r->nrange, sizeof(*r->range), compare_starts);
	for (range = r->range; range < r->range + r->nrange; range++) {
		if (last && range->start - last->start <= last->bytes) {
			last->bytes = order_max(last->bytes,
						range->start - last->start + range->bytes);
			continue;
		}
		last = last ? last + 1 : r->range;
		*last = *range;
	}
	if (last)
		r->nrange = (size_t)(last + 1 - r->range);
}

uint64_t ram_bytes(const struct ram *r)
{
	uint64_t bytes = 0;
	size_t i;

	if (!r->range)
		return UINT64_MAX;
	for (i = 0; i < r->nrange; i++)
		bytes += order_min(r->range[i].bytes, UINT64_MAX - bytes);
	return bytes;
}

bool ram_has(const struct ram *r, uint64_t pa, size_t n)
{
	const struct ram_range *range;
	size_t after;

	if (!r->range)
		return true;
	after = sorted_below(r->range, r->nrange, sizeof(*range), pa + 1);
	if (after == 0)
		return false;
	range = &r->range[after - 1];
	if (!code_within(pa, range->start, range->bytes))
		return false;
	return n <= range->bytes - (pa - range->start);
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
