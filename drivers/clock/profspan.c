/* What a profiler was given of the profiling clock's ticks: see profspan.h. */
#include "drivers/clock/profspan.h"
#include "drivers/clock/profclock.h"
#include "kernel/lib.h"

struct profspan profspan_kprof, profspan_gmon;

/* Return the microseconds since boot. */
static uint64_t now_us(void)
{
	uint64_t us = time_ns();

	div64(&us, 1000);
	return us;
}

/* Add the clock's counts to the span's, or subtract them: n is 1 or -1. */
static void add(struct profspan *s, int64_t n)
{
	uint64_t ticks, lost;

	s->us += n * now_us();
	for (int i = 0; i < ncpu; i++) {
		profspan_cpu(NULL, i, &ticks, &lost);
		s->cpu[i].ticks += n * ticks;
		s->cpu[i].lost += n * lost;
	}
}

void profspan_begin(struct profspan *s)
{
	if (s->on)
		return;
	add(s, -1);
	s->on = true;
	profclock_hold();
}

void profspan_end(struct profspan *s)
{
	if (!s->on)
		return;
	profclock_release();
	s->on = false;
	add(s, 1);
}

void profspan_clear(struct profspan *s)
{
	bool on = s->on;

	*s = (struct profspan){.on = on};
	if (on)
		add(s, -1);
}

void profspan_cpu(const struct profspan *s, unsigned cpu, uint64_t *ticks, uint64_t *lost)
{
	*ticks = 0;
	*lost = 0;
	if (!s || s->on)
		profclock_counts(cpu, ticks, lost);
	if (s) {
		*ticks += s->cpu[cpu].ticks;
		*lost += s->cpu[cpu].lost;
	}
}

void profspan_all(const struct profspan *s, uint64_t *ticks, uint64_t *lost)
{
	uint64_t t, l;

	*ticks = 0;
	*lost = 0;
	for (int i = 0; i < ncpu; i++) {
		profspan_cpu(s, i, &t, &l);
		*ticks += t;
		*lost += l;
	}
}

size_t profspan_text(const struct profspan *s, const char *prefix, char *out, size_t size)
{
	struct profclock_status st;
	uint64_t ticks, lost;
	int n;

	profclock_status(&st);
	profspan_all(s, &ticks, &lost);
	n = snprintf(out, size, "%sclock=%s delivery=%s hz=%u period_us=%u cpus=%d "
		     "elapsed_us=%llu ticks=%llu lost=%llu\n", prefix, st.source, st.delivery, st.hz,
		     st.period_us, ncpu, s ? s->us + (s->on ? now_us() : 0) : now_us(), ticks, lost);
	for (int i = 0; i < ncpu; i++) {
		profspan_cpu(s, i, &ticks, &lost);
		n += snprintf(out + n, size - (size_t)n, "# cpu=%d ticks=%llu lost=%llu\n", i,
			      ticks, lost);
	}
	return (size_t)n;
}
