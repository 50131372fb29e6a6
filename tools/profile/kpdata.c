/* kprof's data: reading, checking, and giving each bucket to a function. See kpdata(5). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/kpdata.h"

/* Return a big-endian number of n bytes. */
static uint64_t big_endian(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

/* Above 64 KB a bucket would tell nothing: such a file is another kind, or damaged. */
bool kpdata_sizes(uint32_t size, uint32_t shift)
{
	switch (size) {
	case 1: case 2: case 4: case 8:
		return shift <= 16;
	}
	return false;
}

/* Check that the special counts make sense, and that the file has the length they give. */
static int check_header(const struct kpdata *k, size_t n, struct complaint *why)
{
	const char *what = "damaged";

	if (!kpdata_sizes(k->size, k->shift))
		return complain(why, "damaged, or no kpdata file: buckets of %" PRIu32
				" bytes for 2^%" PRIu32 " bytes of text", k->size, k->shift);
	if ((uint64_t)k->nbucket * k->size > n)
		what = "truncated";
	if ((uint64_t)k->nbucket * k->size != n)
		return complain(why, "%s: its header tells of %" PRIu32 " buckets of %" PRIu32
				" bytes, the file has %zu bytes", what, k->nbucket, k->size, n);
	if (k->us == 0 && k->total > 0)
		return complain(why, "damaged: a tick of 0 microseconds");
	return 0;
}

/* Read the buckets, and check that they add up. Their first 24 bytes are the special counts. */
static int read_counts(struct kpdata *k, const uint8_t *p, struct complaint *why)
{
	uint64_t sum = k->outside;
	uint32_t i;

	k->count = memory_zeroed(k->nbucket, sizeof(*k->count));
	for (i = KPDATA_SPECIAL / k->size; i < k->nbucket; i++) {
		k->count[i] = big_endian(p + (size_t)i * k->size, k->size);
		sum = order_plus(sum, k->count[i]);
	}
	if (sum == k->total)
		return 0;
	kpdata_free(k);
	return complain(why, "damaged: the total is %" PRIu32 " ticks, the counts add up to %"
			PRIu64, k->total, sum);
}

int kpdata_parse(struct kpdata *k, const uint8_t *p, size_t n, struct complaint *why)
{
	if (n < KPDATA_SPECIAL)
		return complain(why, "truncated: %zu bytes, the header alone has %d", n,
				KPDATA_SPECIAL);
	if (n % 4 != 0)
		return complain(why, "damaged: %zu bytes, no multiple of 4", n);
	*k = (struct kpdata){
		.total = big_endian(p, 4),
		.outside = big_endian(p + 4, 4),
		.us = big_endian(p + 8, 4),
		.nbucket = big_endian(p + 12, 4),
		.size = big_endian(p + 16, 4),
		.shift = big_endian(p + 20, 4),
	};
	if (check_header(k, n, why) < 0)
		return -1;
	return read_counts(k, p, why);
}

void kpdata_free(struct kpdata *k)
{
	free(k->count);
	k->count = NULL;
}

int kpdata_fits(const struct kpdata *k, const struct symbols *s, struct complaint *why)
{
	uint64_t bucket = 1ull << k->shift, text = s->etext - s->ktzero;

	if (k->nbucket == (text + bucket - 1) / bucket)
		return 0;
	return complain(why, "from another kernel: %" PRIu32 " buckets of %" PRIu64
			" bytes of text, while this one's text has %" PRIu64 " bytes",
			k->nbucket, bucket, text);
}

/* For qsort: idle ones last, then the most ticks first, equal ones by name. */
static int compare_kpdata(const void *va, const void *vb)
{
	const struct kpdata_row *a = va, *b = vb;

	if (a->idle != b->idle)
		return order(a->idle, b->idle);
	if (a->ticks != b->ticks)
		return order(b->ticks, a->ticks);
	if (!a->name || !b->name)
		return order(a->name != NULL, b->name != NULL);
	return strcmp(a->name, b->name);
}

/* A bucket belongs to the function that covers its first byte. */
struct kpdata_row *kpdata_by_symbol(const struct kpdata *k, const struct symbols *s, size_t *n)
{
	struct kpdata_row *row = memory_zeroed(s->n + 1, sizeof(*row));
	const struct symbol *sym;
	size_t i, at;

	*n = 0;
	for (i = 0; i < s->n; i++) {
		row[i].name = s->sym[i].name;
		row[i].idle = strcmp(s->sym[i].name, SYMBOLS_IDLE) == 0;
	}
	for (i = 0; i < k->nbucket; i++) {
		if (!k->count[i])
			continue;
		sym = symbols_at(s, s->ktzero + ((uint64_t)i << k->shift));
		at = s->n;
		if (sym)
			at = (size_t)(sym - s->sym);
		row[at].ticks += k->count[i];
	}
	for (i = 0; i <= s->n; i++)
		if (row[i].ticks)
			row[(*n)++] = row[i];
	qsort(row, *n, sizeof(*row), compare_kpdata);
	return row;
}
