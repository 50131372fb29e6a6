/* What a profiler was given of the profiling clock's ticks: see profspan.h. */
#include "drivers/clock/profspan.h"
#include "kernel/machine/image.h"
#include "kernel/machine/time.h"
#include "kernel/prof/profilers.h"

struct profspan profspan_kprof, profspan_gmon, profspan_prof;
const struct profspan profspan_any = {.on = true};
struct prof_block prof_block;

void profspan_describe(void)
{
	static struct prof_block_field clock[PROF_BLOCK_CLOCKS] = {
		[PROF_BLOCK_KPROF_ON] = PROF_BLOCK_AT(profspan_kprof.on),
		[PROF_BLOCK_KPROF_US] = PROF_BLOCK_AT(profspan_kprof.us),
		[PROF_BLOCK_KPROF_TICKS] = PROF_BLOCK_EACH(profspan_kprof.cpu, .ticks),
		[PROF_BLOCK_KPROF_LOST] = PROF_BLOCK_EACH(profspan_kprof.cpu, .lost),
		[PROF_BLOCK_GMON_ON] = PROF_BLOCK_AT(profspan_gmon.on),
		[PROF_BLOCK_GMON_US] = PROF_BLOCK_AT(profspan_gmon.us),
		[PROF_BLOCK_GMON_TICKS] = PROF_BLOCK_EACH(profspan_gmon.cpu, .ticks),
		[PROF_BLOCK_GMON_LOST] = PROF_BLOCK_EACH(profspan_gmon.cpu, .lost),
	};

	profclock_describe(clock);
	prof_block_init(&prof_block, prof, clock, build_id_note + 16); /* after head and name */
}

/* Return the microseconds since boot at a time of the TSC. */
static uint64_t profspan_us_at(uint64_t tsc)
{
	return time_cycles(tsc - time_start()) / 1000;
}

/* Add the clock's counts then to the span's, or subtract them: n is 1 or -1. */
static void profspan_add(struct profspan *s, int64_t n, uint64_t tsc)
{
	s->us += n * profspan_us_at(tsc);
	for (unsigned i = 0; i < ncpu; i++) {
		struct clock_counts now = profclock_counts(i);

		s->cpu[i].ticks += n * now.ticks;
		s->cpu[i].lost += n * now.lost;
	}
}

/* Begin or stop to count, while the clock stands still. */
static void profspan_switch(void *span)
{
	struct profspan *s = span;

	s->on = !s->on;
	if (s->count)
		s->count(s->on);
	profspan_add(s, s->on ? -1 : 1, profclock_stood);
}

void profspan_run(struct profspan *s, bool on)
{
	if (s->on != on)
		profclock_change(on ? 1 : -1, profspan_switch, s);
}

void profspan_clear(struct profspan *s)
{
	bool on = s->on;

	*s = (struct profspan){.on = on, .count = s->count};
	if (on)
		profspan_add(s, -1, rdtsc());
}

struct clock_counts profspan_cpu(const struct profspan *s, unsigned cpu)
{
	struct clock_counts n = {0};

	if (s->on)
		n = profclock_counts(cpu);
	n.ticks += s->cpu[cpu].ticks;
	n.lost += s->cpu[cpu].lost;
	return n;
}

struct clock_counts profspan_all(const struct profspan *s)
{
	struct clock_counts sum = {0};

	for (unsigned i = 0; i < ncpu; i++) {
		struct clock_counts n = profspan_cpu(s, i);

		sum.ticks += n.ticks;
		sum.lost += n.lost;
	}
	return sum;
}

void profspan_show(const struct profspan *s, const char *prefix, struct picture *to)
{
	uint64_t us = s->us;
	struct clock_counts c = profspan_all(s);
	struct profclock_status st;

	if (s->on)
		us += profspan_us_at(rdtsc());
	profclock_status(&st);
	picture_print(to, "%sclock=%s delivery=%s hz=%u period_us=%u", prefix, st.source,
		      st.delivery, st.hz, st.period_us);
	picture_print(to, " cpus=%u elapsed_us=%llu ticks=%llu lost=%llu\n", ncpu, us, c.ticks,
		      c.lost);
	for (unsigned i = 0; i < ncpu; i++) {
		c = profspan_cpu(s, i);
		picture_print(to, "# cpu=%u ticks=%llu lost=%llu\n", i, c.ticks, c.lost);
	}
}
