/*
 * gnomon-merge(1): gmon.out, in GNU's form or 4.4BSD's. The sum is in GNU's form, gmon(5): what
 * does not fit into a bin of 16 bits, or into an arc's count of 32, goes into further records,
 * which readers add up.
 */
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "userland/formats/le.h"
#include "tools/memory.h"
#include "tools/merge/merge.h"
#include "tools/order.h"
#include "tools/profile/gmonfile.h"
#include "tools/sorted.h"

/* A histogram of a range of text: n bins, bytes lo up to hi. */
struct range {
	code_addr lo, hi;
	uint32_t n;
	uint64_t *bin;
};

/*
 * The sum so far. Bins are added up from the bytes of the files, arcs from the profiles: those
 * hold arcs as they are, but histograms by addresses only.
 */
struct sum {
	struct range **range; /* in the order in which they came */
	size_t nrange, room;
	void *tree; /* the same, by address: tsearch(3) */
	struct profdata_arc *arc;
	size_t narc, room_arc;
	size_t sorted; /* arcs, none of them twice; those after them are not added up yet */
	uint64_t calls; /* of all arcs: a reader refuses 2^64 or more */
	uint32_t rate;
	unsigned width; /* bytes of an address, in all files */
	char dimension[GMON_DIMENSION];
	bool blocks; /* some file counts basic blocks: these are left out */
	struct gmonfile file; /* as it was written */
};

/* Return whether two ranges have the same bins. */
static bool is_same_range(const struct range *a, const struct range *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->n == b->n;
}

/* Complain of a file's range, which overlaps one that is there. */
static void complain_of_overlap(const struct range *r, const struct range *old, const char *path,
				struct complaint *why)
{
	char ours[80], theirs[80];

	snprintf(ours, sizeof(ours), "%" CODE_ADDR " to %" CODE_ADDR " in %" PRIu32, r->lo, r->hi,
		 r->n);
	snprintf(theirs, sizeof(theirs), "%" CODE_ADDR " to %" CODE_ADDR " in %" PRIu32, old->lo,
		 old->hi, old->n);
	complain(why, "%s: another kernel's or program's, or another form: a histogram of %s bins, "
		 "there is one of %s", path, ours, theirs);
}

/* For tsearch: by address, and ranges that overlap are equal; of those in the tree none do. */
static int compare_ranges(const void *va, const void *vb)
{
	const struct range *a = va, *b = vb;

	if (a->hi <= b->lo)
		return -1;
	return a->lo >= b->hi;
}

/* Add a range that overlaps no other. */
static struct range *add_range(struct sum *s, const struct range *like)
{
	struct range *r = memory_zeroed(1, sizeof(*r));

	*r = *like;
	r->bin = memory_zeroed(r->n, sizeof(*r->bin));
	s->range = memory_grow(s->range, &s->room, s->nrange + 1, sizeof(*s->range));
	s->range[s->nrange++] = r;
	if (!tsearch(r, &s->tree, compare_ranges))
		memory_out();
	return r;
}

/*
 * Find a range among those that are there, or add it. NULL and why: it overlaps another one,
 * which gprof refuses, too, for no bin can be split.
 */
static struct range *find_range(struct sum *s, const struct range *like, const char *path,
				struct complaint *why)
{
	struct range *const *found = tfind(like, &s->tree, compare_ranges);

	if (!found)
		return add_range(s, like);
	if (is_same_range(*found, like))
		return *found;
	complain_of_overlap(like, *found, path, why);
	return NULL;
}

/* Add the bins of a range, two bytes each. Arcs are exact, and never weighed. */
static int add_bins(struct sum *s, const uint8_t *bin, const struct range *like,
		    struct merge_file *f, struct complaint *why)
{
	struct range *r = find_range(s, like, f->path, why);
	uint32_t i;

	if (!r)
		return -1;
	for (i = 0; i < r->n; i++)
		r->bin[i] += merge_weighed(f, le_get16(bin + 2 * i));
	return 0;
}

/* Add a file in 4.4BSD's form, which has one histogram, after its head. */
static int add_bsd(struct sum *s, struct merge_file *f, struct complaint *why)
{
	const uint8_t *numbers = f->data + 2 * s->width;
	size_t head = gmonfile_bsd_head(s->width);
	struct range like = {
		.lo = gmonfile_address(f->data, s->width),
		.hi = gmonfile_address(f->data + s->width, s->width),
		.n = (le_get32(numbers) - (uint32_t)head) / 2,
	};

	s->rate = le_get32(numbers + 8);
	memcpy(s->dimension, "seconds\0\0\0\0\0\0\0\0s", GMON_DIMENSION);
	return add_bins(s, f->data + head, &like, f, why);
}

/* Add a file in GNU's form: after a head of 20 bytes, records that begin with a tag. */
static int add_gnu(struct sum *s, struct merge_file *f, struct complaint *why)
{
	const uint8_t *p = f->data + GMON_GNU_HEAD, *numbers;
	struct range like;
	uint8_t tag;

	while (p < f->data + f->n) {
		tag = *p++;
		if (tag == GMON_ARC) {
			p += gmonfile_arc_size(s->width);
			continue;
		}
		if (tag == GMON_BLOCKS) {
			s->blocks = true;
			p += 4 + 2ull * s->width * le_get32(p);
			continue;
		}
		numbers = p + 2 * s->width;
		like = (struct range){
			.lo = gmonfile_address(p, s->width),
			.hi = gmonfile_address(p + s->width, s->width), .n = le_get32(numbers),
		};
		s->rate = le_get32(numbers + 4);
		memcpy(s->dimension, numbers + 8, GMON_DIMENSION);
		p += gmonfile_histogram_head(s->width);
		if (add_bins(s, p, &like, f, why) < 0)
			return -1;
		p += 2ull * like.n;
	}
	return 0;
}

/* For qsort: by both addresses. */
static int compare_arcs(const void *va, const void *vb)
{
	const struct profdata_arc *a = va, *b = vb;

	if (a->frompc != b->frompc)
		return order(a->frompc, b->frompc);
	return order(a->selfpc, b->selfpc);
}

/* Add the calls of an arc to another between the same addresses. */
static void add_arc(void *to, const void *from)
{
	((struct profdata_arc *)to)->count += ((const struct profdata_arc *)from)->count;
}

/* Add arcs up that are between the same addresses. */
static void sum_arcs(struct sum *s)
{
	s->narc = s->sorted = sorted_sum(s->arc, s->narc, sizeof(*s->arc), compare_arcs, add_arc);
}

/* Append a file's arcs to be added up. -1 and why: with those before, it has too many calls. */
static int append_arcs(struct sum *s, const struct merge_file *f, struct complaint *why)
{
	const struct profdata *p = &f->prof;
	size_t i;

	s->arc = memory_grow(s->arc, &s->room_arc, s->narc + p->narc, sizeof(*s->arc));
	for (i = 0; i < p->narc; i++) {
		if (p->arc[i].count > UINT64_MAX - s->calls)
			return complain(why, "%s: with the files before, it has 2^64 calls or more",
					f->path);
		s->calls += p->arc[i].count;
		s->arc[s->narc++] = p->arc[i];
	}
	return 0;
}

/*
 * Add a file's histograms and arcs. Its reader has checked all lengths. Arcs are added up when
 * there are twice as many as before, so that this takes no longer the more files there are.
 */
static int merge_gmon_add(void *sum, struct merge_file *f, struct complaint *why)
{
	struct sum *s = sum;

	s->width = f->prof.width;
	if (append_arcs(s, f, why) < 0)
		return -1;
	if (s->narc > 2 * s->sorted)
		sum_arcs(s);
	if (gmonfile_is_gnu(f->data, f->n))
		return add_gnu(s, f, why);
	return add_bsd(s, f, why);
}

/* Write a range, in as many records as its largest bin needs. */
static void write_range(struct gmonfile *f, const struct sum *s, const struct range *r)
{
	uint64_t done = 0, most = 0, left;
	uint32_t i;

	for (i = 0; i < r->n; i++)
		most = order_max(r->bin[i], most);
	do {
		if (!gmonfile_range(f, r->lo, r->hi, r->n, s->dimension))
			return;
		for (i = 0; i < r->n; i++) {
			left = r->bin[i] - order_min(r->bin[i], done);
			gmonfile_number(f, order_min(left, UINT16_MAX), 2);
		}
		done += UINT16_MAX;
	} while (done < most);
}

/* Write the whole file. */
static void merge_gmon_write(void *sum, const struct merge *m, FILE *out)
{
	struct sum *s = sum;
	struct gmonfile *f = &s->file;
	size_t i;

	(void)m;
	*f = (struct gmonfile){.to = out, .width = s->width, .rate = s->rate};
	sum_arcs(s);
	gmonfile_head(f);
	for (i = 0; i < s->nrange; i++)
		write_range(f, s, s->range[i]);
	for (i = 0; i < s->narc; i++)
		gmonfile_arc(f, s->arc[i].frompc, s->arc[i].selfpc, s->arc[i].count, UINT32_MAX);
	if (s->blocks)
		fputs("gnomon merge: counts of basic blocks are left out\n", stderr);
}

static int merge_gmon_written(const void *sum, struct complaint *why)
{
	return gmonfile_check(&((const struct sum *)sum)->file, why);
}

/* For tdestroy: a range is freed where it was made known first. */
static void leave(void *range)
{
	(void)range;
}

/* Free the sum. */
static void merge_gmon_free(void *sum)
{
	struct sum *s = sum;
	size_t i;

	tdestroy(s->tree, leave);
	for (i = 0; i < s->nrange; i++) {
		free(s->range[i]->bin);
		free(s->range[i]);
	}
	free(s->range);
	free(s->arc);
}

const struct merge_kind merge_gmon = {
	.format = "gmon.out", .size = sizeof(struct sum),
	.add = merge_gmon_add, .write = merge_gmon_write, .written = merge_gmon_written,
	.free = merge_gmon_free,
};
