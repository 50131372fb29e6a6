/* The forms of gmon.out: see gmonfile.h. */
#include <string.h>
#include "userland/formats/le.h"
#include "tools/order.h"
#include "tools/profile/gmonfile.h"

#define CELL 4u	    /* bytes of text to one cell */
#define RANGE 1024u /* cells in one record, at most */
#define BIN_MAX 65535u

static const char magic[4] = "gmon";

bool gmonfile_is_gnu(const uint8_t *data, size_t n)
{
	return n >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

code_addr gmonfile_address(const uint8_t *at, unsigned a)
{
	return le_get_word(at, a);
}

/* Whether the record of a histogram at p has its dimension where one of that width has it. */
static bool has_dimension(const uint8_t *p, size_t n, unsigned a)
{
	size_t at = gmonfile_histogram_head(a) - GMON_DIMENSION;

	if (n < at + 7)
		return false;
	return memcmp(p + at, "seconds", 7) == 0 || memcmp(p + at, "bytes", 6) == 0;
}

/*
 * Arcs may come before the first histogram: these are skipped, as wide as they would be. Files
 * whose width cannot be told have 4 bytes, and a reader says what is wrong with them.
 */
static unsigned gnu_width(const uint8_t *data, size_t n)
{
	unsigned a;
	size_t at;

	for (a = 4; a <= 8; a += 4) {
		at = GMON_GNU_HEAD;
		while (at < n && data[at] == GMON_ARC)
			at += 1 + gmonfile_arc_size(a);
		if (at >= n)
			continue;
		if (data[at] != GMON_HISTOGRAM)
			continue;
		if (has_dimension(data + at + 1, n - at - 1, a))
			return a;
	}
	return 4;
}

unsigned gmonfile_width(const uint8_t *data, size_t n)
{
	unsigned a;

	if (gmonfile_is_gnu(data, n))
		return gnu_width(data, n);
	for (a = 4; a <= 8; a += 4)
		if (n >= 2 * a + 8 && le_get32(data + 2 * a + 4) == GMON_BSD_VERSION)
			return a;
	return 0;
}

void gmonfile_number(const struct gmonfile *f, uint64_t v, unsigned n)
{
	for (; n > 0; n--, v >>= 8)
		putc(v & 0xff, f->to);
}

void gmonfile_head(const struct gmonfile *f)
{
	fwrite(magic, 1, sizeof(magic), f->to);
	gmonfile_number(f, 1, 4);
	gmonfile_number(f, 0, 8);
	gmonfile_number(f, 0, 4);
}

/* Count n bytes of a record, and return whether there is room for them. */
static bool has_room(struct gmonfile *f, size_t n)
{
	f->size += n;
	return f->size <= GMON_MOST;
}

int gmonfile_check(const struct gmonfile *f, struct complaint *why)
{
	if (f->size <= GMON_MOST)
		return 0;
	return complain(why, "gmon.out would have more than %u bytes, for its counts are so large",
			GMON_MOST);
}

bool gmonfile_range(struct gmonfile *f, code_addr lo, code_addr hi, uint32_t n,
		    const char dimension[static GMON_DIMENSION])
{
	if (!has_room(f, 1 + gmonfile_histogram_head(f->width) + 2ull * n))
		return false;
	putc(GMON_HISTOGRAM, f->to);
	gmonfile_number(f, lo, f->width);
	gmonfile_number(f, hi, f->width);
	gmonfile_number(f, n, 4);
	gmonfile_number(f, f->rate, 4);
	fwrite(dimension, 1, GMON_DIMENSION, f->to);
	return true;
}

/*
 * Write the records of up to RANGE cells. So for one hot cell, the idle loop's, not all of text is
 * written again and again.
 */
static void ticks_of(struct gmonfile *f, code_addr lo, const uint32_t *cell, uint32_t n)
{
	static const char seconds[GMON_DIMENSION] = "seconds\0\0\0\0\0\0\0\0s";
	uint32_t most = 0, i, rest;
	uint64_t done = 0;

	for (i = 0; i < n; i++)
		most = (uint32_t)order_max(cell[i], most);
	do {
		if (!gmonfile_range(f, lo, lo + n * CELL, n, seconds))
			return;
		for (i = 0; i < n; i++) {
			rest = cell[i] - (uint32_t)order_min(cell[i], done);
			gmonfile_number(f, order_min(rest, BIN_MAX), 2);
		}
		done += BIN_MAX;
	} while (done < most);
}

void gmonfile_ticks(struct gmonfile *f, code_addr lo, const uint32_t *cell, size_t n)
{
	size_t at;

	for (at = 0; at < n; at += RANGE)
		ticks_of(f, lo + at * CELL, cell + at, (uint32_t)order_min(n - at, RANGE));
}

void gmonfile_arc(struct gmonfile *f, code_addr from, code_addr self, uint64_t count,
		  uint32_t most)
{
	uint64_t part;

	for (; count > 0 && has_room(f, 1 + gmonfile_arc_size(f->width)); count -= part) {
		part = order_min(count, most);
		putc(GMON_ARC, f->to);
		gmonfile_number(f, from, f->width);
		gmonfile_number(f, self, f->width);
		gmonfile_number(f, part, 4);
	}
}
