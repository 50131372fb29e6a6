/* Reading gmon.out in both of its forms: see gmonfile.h. */
#include <inttypes.h>
#include <string.h>
#include "userland/formats/le.h"
#include "tools/profile/gmonfile.h"
#include "tools/profile/profread.h"

/* A file, and how far it has been read. */
struct reader {
	struct profdata *p;
	const struct images *images;
	const uint8_t *data;
	size_t n, at;
	unsigned width; /* bytes of an address */
	struct complaint *why;
	uint32_t rate; /* of the histograms, all alike; 0 before the first */
	uint64_t calls; /* of all arcs so far */
};

/* Check that n bytes are left. */
static int need_bytes(struct reader *r, uint64_t n, const char *what)
{
	if (r->n - r->at >= n)
		return 0;
	return complain(r->why, "truncated at byte %zu: %s of %" PRIu64 " bytes expected, "
			"there are %zu", r->at, what, n, r->n - r->at);
}

/* Return the image that an address is in. The file does not say which program that is. */
static uint32_t image_at(struct reader *r, code_addr pc)
{
	if (images_kernel_pc(r->images, pc))
		return profdata_image(r->p, "kernel", NULL, "", true);
	return profdata_image(r->p, "program", NULL, "", false);
}

/* Read the bins of a histogram of [lo, hi), of 2 bytes each. */
static int gmon_cells(struct reader *r, code_addr lo, code_addr hi, uint32_t n, uint32_t rate)
{
	bool range = hi > lo && hi - lo <= UINT32_MAX;
	uint64_t from, to;
	uint32_t i, image;

	if (!range || n == 0 || n > hi - lo)
		return complain(r->why, "damaged before byte %zu: a histogram with bins in a range "
				"expected, not %" PRIu32 " from %" CODE_ADDR " to %" CODE_ADDR,
				r->at, n, lo, hi);
	if (rate == 0 || (r->rate && rate != r->rate))
		return complain(r->why, "damaged before byte %zu: one rate for all expected, not %"
				PRIu32 " after %" PRIu32, r->at, rate, r->rate);
	if (need_bytes(r, 2ull * n, "bins") < 0)
		return -1;
	r->rate = rate;
	image = image_at(r, lo);
	for (i = 0; i < n; i++, r->at += 2) {
		from = lo + (hi - lo) * i / n;
		to = lo + (hi - lo) * (i + 1) / n;
		profdata_add_pc(r->p, image, from, to - from,
				le_get16(r->data + r->at));
	}
	return 0;
}

/* Read GNU's histogram record after its tag. */
static int gmon_histogram(struct reader *r)
{
	const uint8_t *head = r->data + r->at, *numbers = head + 2 * r->width;
	const char *dimension = (const char *)numbers + 8;

	if (need_bytes(r, gmonfile_histogram_head(r->width), "the head of a histogram") < 0)
		return -1;
	r->at += gmonfile_histogram_head(r->width);
	if (memcmp(dimension, "bytes", 6) == 0)
		r->p->unit = PROFDATA_BYTES;
	else if (memcmp(dimension, "seconds", 8) != 0)
		return complain(r->why, "at byte %zu: a histogram of seconds or bytes expected, "
				"not \"%.15s\"", r->at - GMON_DIMENSION, dimension);
	return gmon_cells(r, gmonfile_address(head, r->width),
			  gmonfile_address(head + r->width, r->width), le_get32(numbers),
			  le_get32(numbers + 4));
}

/* Read an arc, whose count has `bytes` bytes. */
static int gmon_arc(struct reader *r, unsigned bytes)
{
	const uint8_t *p = r->data + r->at;
	unsigned a = r->width;
	code_addr self;
	uint64_t count;

	if (need_bytes(r, 2 * a + bytes, "an arc") < 0)
		return -1;
	count = gmonfile_address(p + 2 * a, bytes);
	if (count > UINT64_MAX - r->calls)
		return complain(r->why, "at byte %zu: the calls add up to 2^64 or more", r->at);
	r->calls += count;
	r->at += 2 * a + bytes;
	self = gmonfile_address(p + a, a);
	profdata_add_arc(r->p, &(struct profdata_arc){
				.frompc = gmonfile_address(p, a), .selfpc = self,
				.count = count,
				.image = image_at(r, self),
			});
	return 0;
}

/* Skip GNU's counts of basic blocks, for which we have no use. */
static int gmon_blocks(struct reader *r)
{
	uint64_t n;

	if (need_bytes(r, 4, "a number of blocks") < 0)
		return -1;
	n = le_get32(r->data + r->at) * 2ull * r->width;
	r->at += 4;
	if (need_bytes(r, n, "blocks") < 0)
		return -1;
	r->at += n;
	return 0;
}

/* Read GNU's form. */
static int gmon_gnu(struct reader *r)
{
	int bad = need_bytes(r, GMON_GNU_HEAD, "a head");

	if (!bad && le_get32(r->data + 4) != 1)
		bad = complain(r->why, "at byte 4: version 1 expected, not %" PRIu32,
			       le_get32(r->data + 4));
	for (r->at = GMON_GNU_HEAD; !bad && r->at < r->n;) {
		uint8_t tag = r->data[r->at++];

		if (tag == GMON_HISTOGRAM)
			bad = gmon_histogram(r);
		else if (tag == GMON_ARC)
			bad = gmon_arc(r, 4);
		else if (tag == GMON_BLOCKS)
			bad = gmon_blocks(r);
		else
			bad = complain(r->why, "damaged at byte %zu: a record's tag 0, 1 or 2 "
				       "expected, not %d", r->at - 1, tag);
	}
	return bad;
}

/* Read 4.4BSD's form. */
static int gmon_bsd(struct reader *r)
{
	size_t head = gmonfile_bsd_head(r->width);
	int bad = need_bytes(r, head, "a head");
	const uint8_t *numbers = r->data + 2 * r->width;
	uint32_t bytes;

	if (bad)
		return -1;
	bytes = le_get32(numbers);
	if (bytes < head || bytes % 2 != 0)
		return complain(r->why, "damaged at byte %u: %zu or more, an even number of bytes "
				"expected, not %" PRIu32, 2 * r->width, head, bytes);
	r->at = head;
	bad = gmon_cells(r, gmonfile_address(r->data, r->width),
			 gmonfile_address(r->data + r->width, r->width),
			 (bytes - (uint32_t)head) / 2, le_get32(numbers + 8));
	while (!bad && r->at < r->n)
		bad = gmon_arc(r, r->width);
	return bad;
}

int profread_gmon(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.p = p, .images = f->images, .data = f->data, .n = f->n, .why = why};

	int bad;

	profdata_init(p, "gmon.out", PROFDATA_TICKS);
	r.width = gmonfile_width(f->data, f->n);
	if (r.width == 0)
		r.width = 4; /* of what is neither form, as the caller was told */
	p->width = r.width;
	if (gmonfile_is_gnu(f->data, f->n))
		bad = gmon_gnu(&r);
	else
		bad = gmon_bsd(&r);
	if (bad) {
		profdata_free(p);
		return -1;
	}
	if (r.rate && p->unit == PROFDATA_TICKS)
		p->us = 1e6 / r.rate;
	return 0;
}

/* GNU's form has a magic word, 4.4BSD's a version. */
bool profread_is_gmon(const uint8_t *data, size_t n)
{
	return gmonfile_width(data, n) > 0;
}
