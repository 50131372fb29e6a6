/* Finding and reading the described block: see block.h. */
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "userland/formats/le.h"
#include "tools/guest/block.h"
#include "tools/memory.h"
#include "tools/order.h"

/* Where the block has what: its head is alike in all kernels, and pointers follow. */
enum { VERSION = 16, BYTES = 20, SUM = 24, WIDTH = 28, TABLES = 30, CLOCKS = 31, POINTERS = 32 };
enum { SELF, PROF, TABLE, CLOCK, BUILD, BASE, BASE_BYTES, BASE_PHYS, NPOINTER };

#define MOST (POINTERS + 8 * NPOINTER) /* bytes */
#define CHUNK (4u << 20)	       /* of memory that is searched at a time */
#define TRIES 256u /* places where a guest may have put the magic words itself */
#define FIELD_MOST 16		       /* bytes of a field */
#define PACE_LEAST 20
#define PACE_MOST 32

/* Complain that what the kernel says of its tables cannot be. */
static int block_damaged(struct complaint *why)
{
	return complain(why, "the kernel's described block is damaged");
}

/* Whether the four magic words are there. */
static bool is_magic(const uint8_t *p)
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		if (le_get32(p + 4 * (size_t)i) != PROF_BLOCK_MAGIC(i))
			return false;
	return true;
}

/* Read the bytes of a block at pa, as many as can be, and check them. 0, or -1 and why. */
static int read_head(struct ram *ram, uint64_t pa, uint8_t head[MOST], unsigned *width,
		     struct complaint *why)
{
	uint32_t bytes;

	if (ram->read(ram, pa, head, POINTERS, why) < 0)
		return -1;
	if (!is_magic(head))
		return complain(why, "no described block is at %" CODE_ADDR, pa);
	if (le_get32(head + VERSION) != PROF_BLOCK_VERSION)
		return complain(why, "the kernel's described block has version %" PRIu32 ", this "
				"program knows version %d", le_get32(head + VERSION),
				PROF_BLOCK_VERSION);
	*width = le_get16(head + WIDTH);
	bytes = le_get32(head + BYTES);
	if (*width != 4 && *width != 8)
		return block_damaged(why);
	if (bytes != POINTERS + *width * NPOINTER)
		return block_damaged(why);
	if (ram->read(ram, pa + POINTERS, head + POINTERS, bytes - POINTERS, why) < 0)
		return -1;
	if (prof_block_sum(head + WIDTH, bytes - WIDTH) != le_get32(head + SUM))
		return block_damaged(why);
	return 0;
}

/* Read the descriptions of `there` fields, of which we know `known`. 0, or -1 and why. */
static int read_fields(struct block *b, code_addr at, code_addr base, struct block_field *field,
		       unsigned there, unsigned known, struct complaint *why)
{
	size_t size = b->width + 8;
	uint8_t raw[FIELD_MOST];
	unsigned i;

	if (!at)
		return 0;
	for (i = 0; i < order_min(there, known); i++) {
		const uint8_t *p = raw + b->width;

		if (ram_kernel(b->ram, at + i * size, raw, size, why) < 0)
			return -1;
		field[i] = (struct block_field){
			.at = base + le_get_word(raw, b->width),
			.size = le_get16(p), .step = le_get16(p + 2),
			.pointer = le_get16(p + 4), .inside = le_get16(p + 6),
		};
	}
	return 0;
}

/* Take the block whose bytes were found at pa: from now on the kernel's addresses are known. */
static int block_take(struct block *b, uint64_t pa, const uint8_t *head, struct complaint *why)
{
	struct ram *ram = b->ram;
	code_addr p[NPOINTER];
	struct complaint none;
	unsigned i;

	for (i = 0; i < NPOINTER; i++)
		p[i] = le_get_word(head + POINTERS + i * b->width, b->width);
	b->self = p[SELF];
	b->build = p[BUILD];
	ram->width = b->width;
	ram->virt = p[SELF];
	ram->phys = pa;
	ram->base = p[BASE];
	ram->bytes = 0;
	if (p[BASE])
		ram->bytes = p[BASE_BYTES];
	ram->base_phys = p[BASE_PHYS];
	if (!ram->range && ram->find)
		ram->find(ram, &none); /* so that no device is read for memory */
	if (read_fields(b, p[TABLE], p[PROF], b->field, head[TABLES], PROF_BLOCK_TABLES, why) < 0)
		return -1;
	return read_fields(b, p[CLOCK], 0, b->field + PROF_BLOCK_TABLES, head[CLOCKS],
			   PROF_BLOCK_CLOCKS, why);
}

/*
 * Look at what is at pa. Return 1 if it is a block, or 0; *why is then the reason, if the magic
 * words are there. What is a copy of one says so by its address: it is not on the same place in
 * its page.
 */
static int try_at(struct block *b, uint64_t pa, struct complaint *why)
{
	uint8_t head[MOST];

	if (read_head(b->ram, pa, head, &b->width, why) < 0)
		return 0;
	if ((le_get_word(head + POINTERS, b->width) ^ pa) % 4096 != 0) {
		block_damaged(why);
		return 0;
	}
	if (block_take(b, pa, head, why) < 0)
		return -1;
	return 1;
}

/* Search n bytes of memory, which begin at pa. Return 1 if it is found, 0, or -1 and why. */
static int search_bytes(struct block *b, uint64_t pa, const uint8_t *data, size_t n,
			struct complaint *why)
{
	size_t at;
	int found = 0;

	for (at = 0; at + 16 <= n && !found; at += 4) {
		if (!is_magic(data + at))
			continue;
		if (b->tried++ == TRIES)
			return complain(why, "%u places are marked as a kernel's block with prof/, "
					"and none is one", TRIES);
		found = try_at(b, pa + at, why);
	}
	return found;
}

/* Search a range. A block may lie on the border of two chunks: these overlap. */
static int search_range(struct block *b, const struct ram_range *range, uint8_t *buf,
			struct complaint *why)
{
	uint64_t at, n;
	int found = 0;

	for (at = 0; at < range->bytes && !found; at += CHUNK) {
		n = order_min(range->bytes - at, CHUNK + 16);
		if (b->ram->read(b->ram, range->start + at, buf, n, why) < 0)
			return -1;
		found = search_bytes(b, range->start + at, buf, n, why);
	}
	return found;
}

/* Search all memory by the magic words. */
static int block_search(struct block *b, struct complaint *why)
{
	struct complaint none = {.text = ""};
	uint8_t *buf;
	uint64_t all = 0;
	int found = 0;
	size_t i;

	if (!b->ram->range && b->ram->find(b->ram, why) < 0)
		return -1;
	buf = memory_zeroed(1, CHUNK + 16);
	for (i = 0; i < b->ram->nrange && !found; i++) {
		found = search_range(b, &b->ram->range[i], buf, &none);
		all += b->ram->range[i].bytes;
	}
	free(buf);
	if (found > 0)
		return 0;
	if (*none.text)
		return complain(why, "%s", none.text);
	return complain(why, "there is no kernel with prof/ in its %" PRIu64 " MB of memory, or it "
			"has not called prof_block_init() yet", all >> 20);
}

/* Return where the symbol is in physical memory by the kernel's program headers. False: nowhere. */
static bool place_of(const struct symbols *s, uint64_t *pa)
{
	GElf_Phdr ph;
	size_t i, n;

	if (!s)
		return false;
	if (!s->block)
		return false;
	if (elf_getphdrnum(s->elf, &n) != 0)
		return false;
	for (i = 0; i < n; i++) {
		if (!ram_loaded(s->elf, i, &ph))
			continue;
		if (!code_within(s->block, ph.p_vaddr, ph.p_memsz))
			continue;
		*pa = s->block - ph.p_vaddr + ph.p_paddr;
		return true;
	}
	return false;
}

/* Take the block at pa. Return 0, or -1 and why. */
static int take_at(struct block *b, uint64_t pa, struct complaint *why)
{
	if (try_at(b, pa, why) > 0)
		return 0;
	return -1;
}

/* If the magic words are where the symbol is, what is wrong with the rest is told. */
int block_find(struct block *b, struct ram *ram, const struct symbols *s, struct complaint *why)
{
	uint8_t magic[16];
	uint64_t pa;

	*b = (struct block){.ram = ram};
	if (place_of(s, &pa) && ram_has(ram, pa, sizeof(magic))) {
		if (ram->read(ram, pa, magic, sizeof(magic), why) < 0)
			return -1;
		if (is_magic(magic))
			return take_at(b, pa, why);
	}
	return block_search(b, why);
}

bool block_has(const struct block *b, unsigned field)
{
	return b->field[field].size > 0;
}

/* Find a number's address: what a pointer leads to, if there is one. 0, or -1 and why. */
static int block_place(const struct block *b, unsigned field, unsigned cpu, code_addr *at,
		       struct complaint *why)
{
	const struct block_field *f = &b->field[field];
	uint8_t raw[8];

	if (f->size == 0 || f->size > PACE_MOST)
		return complain(why, "the kernel's described block lacks field %u", field);
	*at = f->at + (code_addr)cpu * f->step;
	if (!f->pointer)
		return 0;
	if (ram_kernel(b->ram, *at, raw, b->width, why) < 0)
		return -1;
	*at = le_get_word(raw, b->width) + f->inside;
	return 0;
}

int block_number(const struct block *b, unsigned field, unsigned cpu, uint64_t max, uint64_t *v,
		 struct complaint *why)
{
	uint8_t raw[PACE_MOST] = {0};
	code_addr at;

	*v = 0;
	if (block_place(b, field, cpu, &at, why) < 0)
		return -1;
	if (ram_kernel(b->ram, at, raw, b->field[field].size, why) < 0)
		return -1;
	*v = le_get64(raw);
	if (b->field[field].size > sizeof(*v) || *v > max)
		return complain(why, "field %u of the kernel's described block is %" PRIu64
				": damaged", field, *v);
	return 0;
}

int block_number32(const struct block *b, unsigned field, unsigned cpu, uint32_t *v,
		   struct complaint *why)
{
	uint64_t wide;
	int bad = block_number(b, field, cpu, UINT32_MAX, &wide, why);

	*v = (uint32_t)wide;
	return bad;
}

int block_add_table(const struct block *b, uint64_t *bytes, uint64_t n, struct complaint *why)
{
	*bytes += n;
	if (*bytes <= ram_bytes(b->ram))
		return 0;
	return complain(why, "the tables of all processors together are larger than memory: "
			"damaged");
}

int block_table(const struct block *b, unsigned field, unsigned cpu, void *to, size_t n,
		struct complaint *why)
{
	code_addr at;

	if (block_number(b, field, cpu, UINT64_MAX, &at, why) < 0)
		return -1;
	return ram_kernel(b->ram, at, to, n, why);
}

/* struct prof_pace has its number of 64 bits at the end, wherever the machine aligns that. */
int block_pace(const struct block *b, unsigned field, unsigned cpu, struct prof_pace *pace,
	       struct complaint *why)
{
	size_t size = b->field[field].size;
	uint8_t raw[PACE_MOST];
	code_addr at;

	if (block_place(b, field, cpu, &at, why) < 0)
		return -1;
	if (size < PACE_LEAST)
		return complain(why, "field %u of the kernel's described block is damaged", field);
	if (ram_kernel(b->ram, at, raw, size, why) < 0)
		return -1;
	*pace = (struct prof_pace){
		.us = le_get32(raw), .ticks_before = le_get32(raw + 4),
		.us_before = le_get64(raw + size - 8),
	};
	return 0;
}

int block_build(const struct block *b, char id[static 41], struct complaint *why)
{
	uint8_t raw[20];
	size_t i;

	*id = 0;
	if (!b->build)
		return 0;
	if (ram_kernel(b->ram, b->build, raw, sizeof(raw), why) < 0)
		return -1;
	for (i = 0; i < sizeof(raw); i++)
		sprintf(id + 2 * i, "%02x", raw[i]);
	return 0;
}
