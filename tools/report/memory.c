/* gnomon-report(1): how much memory there was, in bytes and in blocks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/report.h"

/* Bytes in use, and what else is known of memory. */
struct sum {
	uint64_t bytes;
	struct profdata_memory more;
};

/* Add what a sample has. */
static void sum_add(struct sum *sum, const struct profdata *p, const struct profdata_sample *s)
{
	struct profdata_memory more = profdata_memory_of(p, s);

	sum->bytes += s->count;
	sum->more.blocks += more.blocks;
	sum->more.total += more.total;
	sum->more.allocated += more.allocated;
}

/*
 * Return whether the numbers of blocks are known. Those of a path are of all its memory: of what is
 * in use alone, or was freed, they are not.
 */
static bool knows_blocks(const struct report *r)
{
	if (r->prof.nmemory > 0)
		return true;
	return profdata_has_memory(&r->prof) && r->options.selection.mode < 0;
}

struct profdata_memory *report_memory(struct report *r)
{
	if (!knows_blocks(r))
		return NULL;
	return functions_memory(&r->functions);
}

/* For qsort_r: the most bytes ever allocated first. */
static int compare_ever(const void *va, const void *vb, void *arg)
{
	const uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct profdata_memory *memory = arg;

	if (memory[a].total != memory[b].total)
		return order(memory[b].total, memory[a].total);
	return order(a, b);
}

void report_memory_freed(const struct functions *f, struct profdata_memory *memory,
			 uint32_t *sorted, size_t *n)
{
	size_t first = *n;
	uint32_t i;

	for (i = 0; i < f->n; i++)
		if (!f->function[i].all && memory[i].allocated)
			sorted[(*n)++] = i;
	qsort_r(sorted + first, *n - first, sizeof(*sorted), compare_ever, memory);
}

/* For profdata_filter(): whether some memory of the place is in use. */
static bool is_in_use(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	(void)p;
	(void)arg;
	return s->count > 0;
}

void report_memory_in_use(struct report *r)
{
	if (r->prof.nmemory > 0)
		profdata_filter(&r->prof, is_in_use, NULL);
}

/* Return "12 bytes in 1 block", which the caller frees. */
static char *amount_text(uint64_t bytes, uint64_t blocks)
{
	const char *plural = "s";

	if (blocks == 1)
		plural = "";
	return memory_format("%" PRIu64 " bytes in %" PRIu64 " block%s", bytes, blocks, plural);
}

/* Return what of some memory was not freed, and how much it was in all; the caller frees it. */
static char *sum_text(const struct sum *sum)
{
	char *in_use = amount_text(sum->bytes, sum->more.blocks);
	char *in_all = amount_text(sum->more.total, sum->more.allocated);
	char *text = memory_format("%s not freed, %s allocated in all", in_use, in_all);

	free(in_use);
	free(in_all);
	return text;
}

/* Return how much memory some paths are of, which the caller frees. */
static char *paths_text(const struct profdata *p, const struct sum *sum)
{
	uint64_t unknown = p->by_mode[PROFDATA_NPATH];
	char *in_all = amount_text(sum->more.total - unknown, sum->more.allocated), *text;

	if (unknown > 0)
		text = memory_format("%s allocated in all, and %" PRIu64 " bytes whose paths found "
				     "no room", in_all, unknown);
	else
		text = memory_format("%s allocated in all", in_all);
	free(in_all);
	return text;
}

char *report_memory_total(const struct report *r)
{
	const struct profdata *p = &r->prof;
	struct sum sum = {.bytes = 0};
	size_t i;

	if (!knows_blocks(r) || p->nsample == 0)
		return NULL;
	for (i = 0; i < p->nsample; i++)
		sum_add(&sum, p, &p->sample[i]);
	if (p->nmemory == 0)
		return paths_text(p, &sum);
	return sum_text(&sum);
}

/* Return that of each image, and *n: how many have some; the caller frees it. */
static struct sum *sum_images(const struct profdata *p, size_t *n)
{
	struct sum *sum = memory_zeroed(p->nimage + 1, sizeof(*sum));
	const struct profdata_frame *leaf;
	size_t i;

	*n = 0;
	for (i = 0; i < p->nsample; i++) {
		leaf = profdata_leaf(p, &p->sample[i]);
		if (leaf && leaf->image != PROFDATA_NONE)
			sum_add(&sum[leaf->image], p, &p->sample[i]);
	}
	for (i = 0; i < p->nimage; i++)
		*n += sum[i].more.allocated > 0;
	return sum;
}

/* Of one program alone that is the head's. */
void report_memory_programs(const struct report *r)
{
	const struct profdata *p = &r->prof;
	struct sum *sum;
	size_t i, n;

	if (p->nmemory == 0)
		return;
	sum = sum_images(p, &n);
	for (i = 0; i < p->nimage && n > 1; i++) {
		char *text;

		if (sum[i].more.allocated == 0)
			continue;
		text = sum_text(&sum[i]);
		printf("  %-10s %s\n", p->image[i].name, text);
		free(text);
	}
	free(sum);
}
