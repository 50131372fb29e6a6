/* Reading gmon.out in both of its forms: see gmonfile.h. */
#include <inttypes.h>
#include <string.h>
#include "prof/files/prof_le.h"
#include "tools/profile/gmonfile.h"
#include "tools/profile/profread.h"

static const char magic[4] = "gmon";

/* A file, and how far it has been read. */
struct reader {
	struct profdata *p;
	const struct images *images;
	const uint8_t *data;
	size_t n, at;
	struct complaint *why;
	uint32_t rate; /* of the histograms, all alike; 0 before the first */
};

/* Check that n bytes are left. */
static int need(struct reader *r, uint64_t n, const char *what)
{
	if (r->n - r->at >= n)
		return 0;
	return complain(r->why, "truncated at byte %zu: %s of %" PRIu64 " bytes expected, "
			"there are %zu", r->at, what, n, r->n - r->at);
}

/* Return the image that an address is in. The file does not say which program that is. */
static uint32_t image_at(struct reader *r, uint32_t pc)
{
	bool kernel = images_kernel_pc(r->images, pc);

	return profdata_image(r->p, kernel ? "kernel" : "program", NULL, "", kernel);
}

/* Read the bins of a histogram of [lo, hi), of 2 bytes each. */
static int cells(struct reader *r, uint32_t lo, uint32_t hi, uint32_t n, uint32_t rate)
{
	uint64_t from, to;
	uint32_t i, image;

	if (hi <= lo || n == 0 || n > hi - lo)
		return complain(r->why, "damaged before byte %zu: a histogram with bins in a range "
				"expected, not %" PRIu32 " from %08" PRIx32 " to %08" PRIx32,
				r->at, n, lo, hi);
	if (rate == 0 || (r->rate && rate != r->rate))
		return complain(r->why, "damaged before byte %zu: one rate for all expected, not %"
				PRIu32 " after %" PRIu32, r->at, rate, r->rate);
	if (need(r, 2ull * n, "bins") < 0)
		return -1;
	r->rate = rate;
	image = image_at(r, lo);
	for (i = 0; i < n; i++, r->at += 2) {
		from = lo + (uint64_t)(hi - lo) * i / n;
		to = lo + (uint64_t)(hi - lo) * (i + 1) / n;
		profdata_add_pc(r->p, image, from, to - from, prof_le_get16(r->data + r->at));
	}
	return 0;
}

/* Read GNU's histogram record after its tag. */
static int histogram(struct reader *r)
{
	const uint8_t *head = r->data + r->at;

	if (need(r, GMON_HISTOGRAM_HEAD, "the head of a histogram") < 0)
		return -1;
	r->at += GMON_HISTOGRAM_HEAD;
	if (memcmp(head + 16, "bytes", 6) == 0)
		r->p->unit = PROFDATA_BYTES;
	else if (memcmp(head + 16, "seconds", 8) != 0)
		return complain(r->why, "at byte %zu: a histogram of seconds or bytes expected, "
				"not \"%.15s\"", r->at - 16, (const char *)head + 16);
	return cells(r, prof_le_get32(head), prof_le_get32(head + 4), prof_le_get32(head + 8),
		     prof_le_get32(head + 12));
}

/* Read an arc. */
static int arc(struct reader *r)
{
	const uint8_t *p = r->data + r->at;

	if (need(r, GMON_ARC_SIZE, "an arc") < 0)
		return -1;
	r->at += GMON_ARC_SIZE;
	profdata_add_arc(r->p, &(struct profdata_arc){
				       .frompc = prof_le_get32(p),
				       .selfpc = prof_le_get32(p + 4),
				       .count = prof_le_get32(p + 8),
				       .image = image_at(r, prof_le_get32(p + 4)),
			       });
	return 0;
}

/* Skip GNU's counts of basic blocks, for which we have no use. */
static int blocks(struct reader *r)
{
	uint64_t n;

	if (need(r, 4, "a number of blocks") < 0)
		return -1;
	n = prof_le_get32(r->data + r->at) * 8ull;
	r->at += 4;
	if (need(r, n, "blocks") < 0)
		return -1;
	r->at += n;
	return 0;
}

/* Read GNU's form. */
static int gnu(struct reader *r)
{
	int bad = need(r, GMON_GNU_HEAD, "a head");

	if (!bad && prof_le_get32(r->data + 4) != 1)
		bad = complain(r->why, "at byte 4: version 1 expected, not %" PRIu32,
			       prof_le_get32(r->data + 4));
	for (r->at = GMON_GNU_HEAD; !bad && r->at < r->n;) {
		uint8_t tag = r->data[r->at++];

		if (tag == GMON_HISTOGRAM)
			bad = histogram(r);
		else if (tag == GMON_ARC)
			bad = arc(r);
		else if (tag == GMON_BLOCKS)
			bad = blocks(r);
		else
			bad = complain(r->why, "damaged at byte %zu: a record's tag 0, 1 or 2 "
				       "expected, not %d", r->at - 1, tag);
	}
	return bad;
}

/* Read 4.4BSD's form. */
static int bsd(struct reader *r)
{
	int bad = need(r, GMON_BSD_HEAD, "a head");
	uint32_t bytes = bad ? 0 : prof_le_get32(r->data + 8);

	if (!bad && (bytes < GMON_BSD_HEAD || bytes % 2 != 0))
		bad = complain(r->why, "damaged at byte 8: 32 or more, an even number of bytes "
			       "expected, not %" PRIu32, bytes);
	r->at = GMON_BSD_HEAD;
	if (!bad)
		bad = cells(r, prof_le_get32(r->data), prof_le_get32(r->data + 4),
			    (bytes - GMON_BSD_HEAD) / 2, prof_le_get32(r->data + 16));
	while (!bad && r->at < r->n)
		bad = arc(r);
	return bad;
}

/* Whether data are in GNU's form. */
static bool is_gnu(const uint8_t *data, size_t n)
{
	return n >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

int profread_gmon(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.p = p, .images = f->images, .data = f->data, .n = f->n, .why = why};

	profdata_init(p, "gmon.out", PROFDATA_TICKS);
	if ((is_gnu(f->data, f->n) ? gnu(&r) : bsd(&r)) == 0) {
		p->us = r.rate && p->unit == PROFDATA_TICKS ? 1e6 / r.rate : 0;
		return 0;
	}
	profdata_free(p);
	return -1;
}

/* GNU's form has a magic word, 4.4BSD's a version. */
bool profread_is_gmon(const uint8_t *data, size_t n)
{
	return is_gnu(data, n) || (n >= 16 && prof_le_get32(data + 12) == GMON_BSD_VERSION);
}
