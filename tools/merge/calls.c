/*
 * gnomon-merge(1): durations of calls, the text of kpcall; kpcall(5):
 *
 *	# kpcall version=1 build=7f3a... cpus=1 per_ms=1000000 cost=720
 *	# cpu=0 inside=81520 lost=0 left=0
 *	0;0xc010b160;0xc010a205 3 81520 1520 9000000 17520 40000 14:1 15:2
 *	# pairs=1
 *
 * The reader keeps all of it, so what it has read is added up.
 */
#include <inttypes.h>
#include "tools/merge/merge.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* The sum so far: pairs by CPU and addresses. */
struct sum {
	struct calls calls;
	struct calls_times all;
	unsigned width; /* bytes of an address; 0: there is none yet */
};

/* For qsort. */
static int compare_pairs(const void *va, const void *vb)
{
	const struct calls_pair *a = va, *b = vb;

	if (a->cpu != b->cpu)
		return order(a->cpu, b->cpu);
	if (a->frompc != b->frompc)
		return order(a->frompc, b->frompc);
	return order(a->selfpc, b->selfpc);
}

/* For sorted_sum(); merge_calls_add() has found that the sum of all fits. */
static void add_pair(void *to, const void *from)
{
	calls_add(&((struct calls_pair *)to)->times, &((const struct calls_pair *)from)->times);
}

/* What measuring cost differs a little from boot to boot: the sum has the most. */
static int merge_calls_add(void *vsum, struct merge_file *f, struct complaint *why)
{
	const struct calls *c = &f->prof.timed;
	struct sum *s = vsum;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (!calls_add(&s->all, &c->pair[i].times))
			return complain(why, "%s: with the files before, the counts add up to 2^64 "
					"or more", f->path);
		calls_append(&s->calls, &c->pair[i]);
	}
	for (i = 0; i < c->ncpu; i++)
		calls_append_cpu(&s->calls, i, &c->cpu[i]);
	s->calls.n = sorted_sum(s->calls.pair, s->calls.n, sizeof(*c->pair), compare_pairs,
				add_pair);
	if (!s->calls.per_ms)
		s->calls.per_ms = c->per_ms;
	s->calls.cost = order_max(s->calls.cost, c->cost);
	s->width = (unsigned)order_max(s->width, f->prof.width);
	return 0;
}

/* Write a pair. */
static void write_pair(const struct sum *s, const struct calls_pair *pair, FILE *out)
{
	const struct calls_times *t = &pair->times;
	int digits = 2 * (int)s->width;
	size_t i;

	fprintf(out, "%" PRIu32 ";0x%0*" PRIx64 ";0x%0*" PRIx64, pair->cpu, digits, pair->frompc,
		digits, pair->selfpc);
	fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64, t->count, t->total, t->self);
	fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64, t->asleep, t->shortest, t->longest);
	for (i = 0; i < CALLS_SPANS; i++)
		if (t->span[i])
			fprintf(out, " %zu:%" PRIu64, i, t->span[i]);
	putc('\n', out);
}

static void merge_calls_write(void *vsum, const struct merge *m, FILE *out)
{
	const struct sum *s = vsum;
	const struct calls *c = &s->calls;
	size_t i, at = 0;

	fputs("# kpcall version=1", out);
	if (*m->buildid)
		fprintf(out, " build=%s", m->buildid);
	fprintf(out, " cpus=%zu per_ms=%" PRIu64 " cost=%" PRIu64 "\n", c->ncpu, c->per_ms,
		c->cost);
	for (i = 0; i < c->ncpu; i++) {
		fprintf(out, "# cpu=%zu inside=%" PRIu64 " lost=%" PRIu64 " left=%" PRIu64 "\n", i,
			c->cpu[i].inside, c->cpu[i].lost, c->cpu[i].left);
		for (; at < c->n && c->pair[at].cpu == i; at++)
			write_pair(s, &c->pair[at], out);
	}
	fprintf(out, "# pairs=%zu\n", c->n);
}

static void merge_calls_free(void *sum)
{
	calls_free(&((struct sum *)sum)->calls);
}

const struct merge_kind merge_calls = {
	.format = "calls", .size = sizeof(struct sum),
	.add = merge_calls_add, .write = merge_calls_write, .free = merge_calls_free,
};
