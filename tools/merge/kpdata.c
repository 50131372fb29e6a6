/*
 * gnomon-merge(1): kprof's data, kpdata(5). They are big-endian: six special counts of 4 bytes,
 * which are the total, what was outside of the kernel, microseconds of a tick, the number of
 * buckets, bytes of a count and log2 of the text that a bucket is for; then the counts, the first
 * 24 bytes of which have given their place to the special counts.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tools/merge/merge.h"
#include "tools/order.h"
#include "tools/profile/kpdata.h"

/* The sum so far. */
struct sum {
	struct kpdata all;
	bool begun; /* it has the first file */
};

/*
 * Add the counts of a file to the sum, bucket by bucket. -1 and why: the text differs, or the
 * sum overflows.
 */
static int add_counts(struct kpdata *sum, const struct kpdata *k, const char *path,
		      struct complaint *why)
{
	uint32_t i;

	if (k->nbucket != sum->nbucket || k->shift != sum->shift)
		return complain(why, "%s: from another kernel: %" PRIu32 " buckets of %u bytes of "
				"text, the files before have %" PRIu32 " of %u", path, k->nbucket,
				1u << k->shift, sum->nbucket, 1u << sum->shift);
	if (k->total > UINT32_MAX - sum->total)
		return complain(why, "%s: with the files before, it has 2^32 ticks or more; kpdata "
				"cannot hold them", path);
	sum->total += k->total;
	sum->outside += k->outside;
	if (k->size > sum->size)
		sum->size = k->size;
	for (i = 0; i < sum->nbucket; i++)
		sum->count[i] += k->count[i];
	return 0;
}

/*
 * Make counts wide enough for the largest: 4 bytes always are, for they hold the total. Our
 * kernel writes 4; others may have written fewer. Where counts are wider, the 24 bytes of special
 * counts take the place of fewer of them; those that are written then were 0.
 */
static void widen_counts(struct kpdata *sum)
{
	uint64_t most = 0;
	uint32_t i;

	for (i = 0; i < sum->nbucket; i++)
		most = order_max(sum->count[i], most);
	if (sum->size >= 4 || most < 1ull << 8 * sum->size)
		return;
	fprintf(stderr, "gnomon merge: counts have 4 bytes now, %" PRIu32 " would overflow\n",
		sum->size);
	sum->size = 4;
}

/* Write a number of n bytes, the most significant first. */
static void put_number(FILE *out, uint64_t v, unsigned n)
{
	while (n-- > 0)
		putc(v >> 8 * n & 0xff, out);
}

/* Write the special counts, which are all of 4 bytes, and then the buckets. */
static void merge_kpdata_write(void *vsum, const struct merge *m, FILE *out)
{
	struct kpdata *k = &((struct sum *)vsum)->all;
	uint32_t i;

	(void)m;
	widen_counts(k);
	put_number(out, k->total, 4);
	put_number(out, k->outside, 4);
	put_number(out, k->us, 4);
	put_number(out, k->nbucket, 4);
	put_number(out, k->size, 4);
	put_number(out, k->shift, 4);
	for (i = KPDATA_SPECIAL / k->size; i < k->nbucket; i++)
		put_number(out, k->count[i], k->size);
}

/* The first file becomes the sum, to which the others are added. */
static int merge_kpdata_add(void *vsum, struct merge_file *f, struct complaint *why)
{
	struct sum *s = vsum;
	struct kpdata k;
	int bad = kpdata_parse(&k, f->data, f->n, why);

	if (bad)
		return bad;
	if (!s->begun) {
		s->all = k;
		s->begun = true;
		return 0;
	}
	bad = add_counts(&s->all, &k, f->path, why);
	kpdata_free(&k);
	return bad;
}

/* Free the sum. */
static void merge_kpdata_free(void *vsum)
{
	struct sum *s = vsum;

	if (s->begun)
		kpdata_free(&s->all);
}

const struct merge_kind merge_kpdata = {
	.format = "kpdata", .size = sizeof(struct sum),
	.add = merge_kpdata_add, .write = merge_kpdata_write, .free = merge_kpdata_free,
};
