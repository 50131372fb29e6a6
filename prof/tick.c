/*
 * The tick: from the clock to the profilers.
 *
 *	kernel/isr.asm		the clock's interrupt or NMI; registers saved
 *	trap()			finds the clock's handler
 *	profclock_intr()	arms the next tick; tells lost ones
 *	statclock()		kprof_tick() counts the address; prof_tick() serves the others
 *
 * A profiler whose own rate is not the clock's adds up struct prof_pace's microseconds.
 */
#include "tick.h"

void prof_tick(const struct prof *p, const struct prof_sample *s)
{
	if (prof_wants(p, PROF_GMON))
		gmon_tick(s);
}

void prof_switch(struct prof *p, uint32_t mask, bool on)
{
	uint32_t now = prof_load(&p->on);

	__atomic_store_n(&p->on, on ? now | mask : now & ~mask, __ATOMIC_RELEASE);
}

/*
 * A quotient that fits into 32 bits. Written out because compilers for 32-bit
 * machines make a 64-bit division a call to a library, and this one calls nothing.
 */
static uint32_t divide(uint64_t n, uint32_t by)
{
	uint64_t rest = 0;
	uint32_t q = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		rest = rest << 1 | (n >> bit & 1);
		q <<= 1;
		if (rest >= by) {
			rest -= by;
			q |= 1;
		}
	}
	return q;
}

void pace_set(struct prof_pace *pace, uint32_t ticks, uint32_t us)
{
	if (us == pace->us)
		return;
	pace->us_before += (uint64_t)(ticks - pace->ticks_before) * pace->us;
	pace->ticks_before = ticks;
	pace->us = us;
}

uint32_t pace_mean(const struct prof_pace *pace, uint32_t ticks)
{
	uint64_t us;

	if (ticks == 0)
		return pace->us;
	us = pace->us_before + (uint64_t)(ticks - pace->ticks_before) * pace->us;
	return divide(us + ticks / 2, ticks);
}

void prof_period(struct prof *p, uint32_t us)
{
	pace_set(&p->kprof.pace, kprof_ticks(&p->kprof), us);
	pace_set(&p->gmon_pace, gmon_ticks(), us);
}
