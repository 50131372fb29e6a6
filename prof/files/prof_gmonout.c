/*
 * The file gmon.out as GNU gprof reads it: a head, histogram records, arcs. Addresses are as wide
 * as the machine's, and all numbers in its order of bytes.
 *
 * A histogram's cells are 16 bits wide. Records of the same range add up, so a cell
 * with more is written in several. That is done range by range: otherwise, for one
 * hot cell (the idle loop's), all of text would be written again and again.
 */
#include "prof/files/prof_gmonout.h"

enum { TAG_HISTOGRAM, TAG_ARC };

#define CELL_LOG2 2 /* of the bytes of text to one cell */
#define CELL (1u << CELL_LOG2)
#define RANGE 1024u /* cells in one histogram record, at most */
#define CELL_MAX 65535u

/* Store the n lowest bytes of a number. */
static uint8_t *gmonout_put(uint8_t *to, uint64_t v, unsigned n)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	for (unsigned i = 0; i < n; i++, v >>= 8)
		to[big ? n - 1 - i : i] = (uint8_t)v;
	return to + n;
}

static uint8_t *gmonout_put_address(const struct prof_sink *o, uint8_t *to, prof_addr a)
{
	return gmonout_put(to, prof_sink_address(o, a), o->width ? o->width : sizeof(a));
}

/* A string in a field of n bytes, filled up with zeros. */
static uint8_t *gmonout_put_text(uint8_t *to, const char *s, size_t n)
{
	while (n-- > 0)
		*to++ = *s ? (uint8_t)*s++ : 0;
	return to;
}

static int gmonout_flush(const struct prof_sink *o, const uint8_t *from, const uint8_t *end)
{
	return o->write(o->arg, from, (size_t)(end - from));
}

/* What the file begins with: its magic word and version 1. */
int prof_gmonout_head(const struct prof_sink *o)
{
	uint8_t head[20], *end = gmonout_put_text(head, "gmon", 4);

	end = gmonout_put(end, 1, 4);
	return gmonout_flush(o, head, gmonout_put_text(end, "", 12));
}

/*
 * One record of n cells from address lo: each less what `done` earlier records already hold. The
 * `most` that one has is 0 in nearly all ranges.
 */
static int gmonout_histogram(const struct prof_sink *o, prof_addr lo, uint32_t rate,
			     const uint32_t *cell, uint32_t n, uint32_t most, uint32_t done)
{
	uint8_t buf[41 + 2 * RANGE] = {0}, *end = buf;

	*end++ = TAG_HISTOGRAM;
	end = gmonout_put_address(o, end, lo);
	end = gmonout_put_address(o, end, lo + n * CELL);
	end = gmonout_put(end, n, 4);
	end = gmonout_put(end, rate ? rate : 1, 4);
	end = gmonout_put_text(end, "seconds", 15);
	end = gmonout_put_text(end, "s", 1);
	for (uint32_t i = 0; most && i < n; i++) {
		uint64_t before = (uint64_t)done * CELL_MAX;

		if (cell[i] <= before) /* nearly all */
			continue;
		uint64_t rest = cell[i] - before;
		gmonout_put(end + 2 * i, rest < CELL_MAX ? rest : CELL_MAX, 2);
	}
	return gmonout_flush(o, buf, end + 2 * n);
}

/* The histogram of all of text: 0, or the writer's error. */
int prof_gmonout_count(const struct prof_sink *o, const struct prof_gmon_param *g,
		       const uint32_t *kcount)
{
	uint32_t cells = g->textsize >> CELL_LOG2, at, n, i, record;

	for (at = 0; at < cells; at += n) {
		uint32_t most = kcount[at];

		n = cells - at < RANGE ? cells - at : RANGE;
#pragma GCC unroll 8
		for (i = at; i < at + n; i++)
			if (kcount[i] > most)
				most = kcount[i];
		for (record = 0; !record || (uint64_t)record * CELL_MAX < most; record++) {
			int error = gmonout_histogram(o, g->lowpc + at * CELL, g->profrate,
						      kcount + at, n, most, record);

			if (error)
				return error;
		}
	}
	return 0;
}

/* All arcs, list by list: 0, the writer's error, or PROF_GMONOUT_EDAMAGED. */
int prof_gmonout_arcs(const struct prof_sink *o, const struct prof_gmon_param *g,
		      const uint16_t *froms, const struct prof_tostruct *tos)
{
	uint32_t slot, at, steps = 0, slots = g->textsize >> CELL_LOG2;

	for (slot = 0; slot < slots; slot++) {
		if (!froms[slot]) /* nearly all */
			continue;
		for (at = froms[slot]; at; at = tos[at].link) {
			uint8_t arc[21], *end = arc;

			if (at >= g->tolimit || steps++ >= g->tolimit)
				return PROF_GMONOUT_EDAMAGED;
			*end++ = TAG_ARC;
			end = gmonout_put_address(o, end, g->lowpc + slot * CELL);
			end = gmonout_put_address(o, end, tos[at].selfpc);
			end = gmonout_put(end, tos[at].count, 4);
			int error = gmonout_flush(o, arc, end);
			if (error)
				return error;
		}
	}
	return 0;
}
