/* The clocks of a guest: inside_time() and inside_clock() of inside.h. */
#include <stdio.h>
#include <string.h>
#include "tools/guest/inside.h"

#define NAME 16 /* bytes of a timer's name that are shown, with its NUL */
#define CLOCK(i) BLOCK_CLOCK(PROF_BLOCK_##i)

/* What the kernel notes for a profiler: the numbers of its fields. */
static const struct span {
	const char *profiler;
	unsigned on, us, ticks, lost;
} spans[] = {
	{"kprof", CLOCK(KPROF_ON), CLOCK(KPROF_US), CLOCK(KPROF_TICKS), CLOCK(KPROF_LOST)},
	{"gmon", CLOCK(GMON_ON), CLOCK(GMON_US), CLOCK(GMON_TICKS), CLOCK(GMON_LOST)},
};

int inside_time(struct inside *in, uint64_t *ns, struct complaint *why)
{
	return block_number(&in->block, CLOCK(CLOCK_TIME_NS), 0, UINT64_MAX, ns, why);
}

/* Read the name of the timer, and how it interrupts, as far as the kernel tells. */
static int read_source(struct inside *in, struct runinfo *r, struct complaint *why)
{
	char text[NAME] = "";
	uint64_t nmi;

	if (block_has(&in->block, CLOCK(CLOCK_NAME)) &&
	    block_table(&in->block, CLOCK(CLOCK_NAME), 0, text, sizeof(text) - 1, why) < 0)
		return -1;
	text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789")] = 0;
	strcpy(r->clock, text);
	if (!block_has(&in->block, CLOCK(CLOCK_NMI)))
		return 0;
	if (block_number(&in->block, CLOCK(CLOCK_NMI), 0, UINT64_MAX, &nmi, why) < 0)
		return -1;
	strcpy(r->delivery, "irq");
	if (nmi)
		strcpy(r->delivery, "nmi");
	return 0;
}

/* Return how many CPUs a profiler in there has tables for; 0: none is ready. */
static uint64_t count_cpus(struct inside *in)
{
	static const unsigned field[] = {
		PROF_BLOCK_KPROF_NCPU, PROF_BLOCK_GMON_NCPU, PROF_BLOCK_STACK_NCPU,
	};
	struct complaint none;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < sizeof(field) / sizeof(field[0]) && n == 0; i++)
		if (block_number(&in->block, field[i], 0, TICKS_MAXCPU, &n, &none) < 0)
			n = 0;
	return n;
}

/* Read how fast the clock ticks. */
static int read_rate(struct inside *in, struct runinfo *r, struct complaint *why)
{
	r->cpus = count_cpus(in);
	if (block_number(&in->block, CLOCK(CLOCK_HZ), 0, UINT32_MAX, &r->hz, why) < 0)
		return -1;
	return block_number(&in->block, CLOCK(CLOCK_PERIOD_US), 0, UINT32_MAX, &r->period_us, why);
}

/* Read what was counted on a CPU, in those fields. */
static int read_ticks(struct inside *in, unsigned ticks, unsigned lost, unsigned cpu,
		      struct ticks *t, struct complaint *why)
{
	if (block_number(&in->block, ticks, cpu, UINT64_MAX, &t->taken, why) < 0)
		return -1;
	return block_number(&in->block, lost, cpu, UINT64_MAX, &t->lost, why);
}

/* Read what the clock has counted on each CPU since boot. */
static int read_counts(struct inside *in, struct runinfo *r, struct complaint *why)
{
	for (unsigned i = 0; i < r->cpus; i++)
		if (read_ticks(in, CLOCK(CLOCK_TICKS), CLOCK(CLOCK_LOST), i, &r->cpu[i], why) < 0)
			return -1;
	return 0;
}

/* Read all that is known of the clock. */
static int read_clock(struct inside *in, struct runinfo *r, struct complaint *why)
{
	if (read_source(in, r, why) < 0)
		return -1;
	if (read_rate(in, r, why) < 0)
		return -1;
	if (read_counts(in, r, why) < 0)
		return -1;
	if (inside_time(in, &r->elapsed_us, why) < 0)
		return -1;
	r->elapsed_us /= 1000;
	return 0;
}

/*
 * Make of the clock's counts those of a profiler, as profspan.c does in the kernel: while it is
 * on, its numbers lack what the clock's were when it began.
 */
static int of_profiler(struct inside *in, const struct span *s, struct runinfo *r,
		       struct complaint *why)
{
	struct ticks t;
	uint64_t on, us;
	unsigned i;

	if (block_number(&in->block, s->on, 0, UINT64_MAX, &on, why) < 0)
		return -1;
	if (block_number(&in->block, s->us, 0, UINT64_MAX, &us, why) < 0)
		return -1;
	if (!on) {
		r->elapsed_us = 0;
		memset(r->cpu, 0, sizeof(r->cpu));
	}
	r->elapsed_us += us;
	for (i = 0; i < r->cpus; i++) {
		if (read_ticks(in, s->ticks, s->lost, i, &t, why) < 0)
			return -1;
		r->cpu[i].taken += t.taken;
		r->cpu[i].lost += t.lost;
	}
	return 0;
}

int inside_clock(struct inside *in, const char *profiler, struct runinfo *r,
		 struct complaint *why)
{
	unsigned i;

	*r = (struct runinfo){.cpus = 0};
	strcpy(r->profiler, profiler);
	if (read_clock(in, r, why) < 0)
		return -1;
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		if (strcmp(profiler, spans[i].profiler) != 0)
			continue;
		if (of_profiler(in, &spans[i], r, why) < 0)
			return -1;
	}
	for (i = 0; i < r->cpus; i++) {
		r->all.taken += r->cpu[i].taken;
		r->all.lost += r->cpu[i].lost;
	}
	return 0;
}
