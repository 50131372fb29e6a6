/*
 * gnomon-merge(1): kprof's data, kpdata(5). They are big-endian: six special counts of 4 bytes,
 * which are the total, what was outside of the kernel, microseconds of a tick, the number of
 * buckets, bytes of a count and log2 of the text that a bucket is for; then the counts. The
 * special counts stand in the place of the first 24 bytes of these.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tools/profile/kpdata.h"
#include "tools/merge/merge.h"

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
				"text, those before have %" PRIu32 " of %u", path, k->nbucket,
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
 * kernel writes 4; others may have written fewer. With wider counts the 24 bytes of special
 * counts cover fewer buckets; newly exposed ones are 0.
 */
static void widen(struct kpdata *sum)
{
	uint64_t most = 0;
	uint32_t i;

	for (i = 0; i < sum->nbucket; i++)
		most = sum->count[i] > most ? sum->count[i] : most;
	if (sum->size >= 4 || most < 1ull << 8 * sum->size)
		return;
	fprintf(stderr, "gnomon merge: counts have 4 bytes now, %" PRIu32 " would overflow\n",
		sum->size);
	sum->size = 4;
}

/* Write a number of n bytes, the most significant first. */
static void put(FILE *out, uint64_t v, unsigned n)
{
	while (n-- > 0)
		putc(v >> 8 * n & 0xff, out);
}

/* Write the special counts, which are all of 4 bytes, and then the buckets. */
static void write_out(void *vsum, const struct merge *m, FILE *out)
{
	struct kpdata *k = &((struct sum *)vsum)->all;
	uint32_t i;

	(void)m;
	widen(k);
	put(out, k->total, 4);
	put(out, k->outside, 4);
	put(out, k->us, 4);
	put(out, k->nbucket, 4);
	put(out, k->size, 4);
	put(out, k->shift, 4);
	for (i = KPDATA_SPECIAL / k->size; i < k->nbucket; i++)
		put(out, k->count[i], k->size);
}

/* The first file becomes the sum, to which the others are added. */
static int add(void *vsum, struct merge_file *f, struct complaint *why)
{
	struct sum *s = vsum;
	struct kpdata k;
	int bad;

	if (!s->begun) {
		s->begun = kpdata_parse(&s->all, f->data, f->n, why) == 0;
		return s->begun ? 0 : -1;
	}
	if (kpdata_parse(&k, f->data, f->n, why) < 0)
		return -1;
	bad = add_counts(&s->all, &k, f->path, why);
	kpdata_free(&k);
	return bad;
}

/* Free the sum. */
static void release(void *vsum)
{
	struct sum *s = vsum;

	if (s->begun)
		kpdata_free(&s->all);
}

const struct merge_kind merge_kpdata = {
	.format = "kpdata", .size = sizeof(struct sum),
	.add = add, .write = write_out, .free = release,
};
