/* The clocks of a guest: inside_time() and inside_clock() of inside.h. */
#include <stdio.h>
#include <string.h>
#include "tools/guest/peek.h"

#define CLOCK "drivers/clock/profclock.c:" /* the profiling clock's variables */

/* CPU 0's system clock always runs, and is armed for a time that is less than a tick away. */
int inside_time(struct inside *in, uint64_t *ns, struct complaint *why)
{
	return peek_number(in, "cpus[0].next_tick", 0, UINT64_MAX, ns, why);
}

/* Read the name of the timer, and how it interrupts. */
static int read_source(struct inside *in, struct runinfo *r, struct complaint *why)
{
	char text[sizeof("lapic")];
	uint32_t name, nmi;

	if (peek_number32(in, CLOCK "timer.name", 0, &name, why) < 0 ||
	    ram_kernel(in->ram, name, text, sizeof(text) - 1, why) < 0 ||
	    peek_number32(in, CLOCK "by_nmi", 0, &nmi, why) < 0)
		return -1;
	text[sizeof(text) - 1] = 0;
	strcpy(r->clock, text);
	strcpy(r->delivery, nmi ? "nmi" : "irq");
	return 0;
}

/* Read how many CPUs there are, and how fast the clock ticks. */
static int read_rate(struct inside *in, struct runinfo *r, struct complaint *why)
{
	if (peek_number(in, "kernel/cpu.c:ncpu", 0, RUNINFO_MAXCPU, &r->cpus, why) < 0 ||
	    peek_number(in, CLOCK "rate", 0, UINT32_MAX, &r->hz, why) < 0)
		return -1;
	return peek_number(in, CLOCK "period_us", 0, UINT32_MAX, &r->period_us, why);
}

/* Read what the clock has counted on each CPU since boot. */
static int read_counts(struct inside *in, struct runinfo *r, struct complaint *why)
{
	for (unsigned i = 0; i < r->cpus; i++)
		if (peek_number(in, CLOCK "clock_of[%u].ticks", i, UINT64_MAX, &r->cpu[i].taken,
				why) < 0 ||
		    peek_number(in, CLOCK "clock_of[%u].lost", i, UINT64_MAX, &r->cpu[i].lost,
				why) < 0)
			return -1;
	return 0;
}

/* Read a number of what the kernel notes for a profiler; in its path, %u stands for a CPU. */
static int peek_span(struct inside *in, const struct runinfo *r, const char *part, unsigned cpu,
		     uint64_t *value, struct complaint *why)
{
	char path[64 + RUNINFO_TEXT];

	snprintf(path, sizeof(path), "profspan_%s.%s", r->profiler, part);
	return peek_number(in, path, cpu, UINT64_MAX, value, why);
}

/*
 * Make of the clock's counts those of a profiler, as profspan.c does in the kernel: while it is
 * on, its numbers lack what the clock's were when it began.
 */
static int of_profiler(struct inside *in, struct runinfo *r, struct complaint *why)
{
	struct runinfo_ticks t;
	uint64_t on, us;
	unsigned i;

	if (peek_span(in, r, "on", 0, &on, why) < 0 || peek_span(in, r, "us", 0, &us, why) < 0)
		return -1;
	r->elapsed_us = us + (on ? r->elapsed_us : 0);
	for (i = 0; i < r->cpus; i++) {
		if (peek_span(in, r, "cpu[%u].ticks", i, &t.taken, why) < 0 ||
		    peek_span(in, r, "cpu[%u].lost", i, &t.lost, why) < 0)
			return -1;
		r->cpu[i].taken = t.taken + (on ? r->cpu[i].taken : 0);
		r->cpu[i].lost = t.lost + (on ? r->cpu[i].lost : 0);
	}
	return 0;
}

int inside_clock(struct inside *in, const char *profiler, struct runinfo *r,
		 struct complaint *why)
{
	unsigned i;

	*r = (struct runinfo){.cpus = 0};
	strcpy(r->profiler, profiler);
	if (read_source(in, r, why) < 0 || read_rate(in, r, why) < 0 ||
	    read_counts(in, r, why) < 0 || inside_time(in, &r->elapsed_us, why) < 0)
		return -1;
	r->elapsed_us /= 1000;
	if (strcmp(profiler, "any") != 0 && of_profiler(in, r, why) < 0)
		return -1;
	for (i = 0; i < r->cpus; i++) {
		r->all.taken += r->cpu[i].taken;
		r->all.lost += r->cpu[i].lost;
	}
	return 0;
}
