/*
 * What the profilers share, and the way of a tick from the clock to them.
 *
 *	kernel/isr.asm		the clock's interrupt or NMI; registers saved
 *	trap()			finds the clock's handler
 *	profclock_intr()	arms the next tick; tells lost ones
 *	statclock()		with kprof alone calls prof_kprof_tick(), else prof_tick(), which
 *				serves each profiler; both are in prof.h
 */
#include "prof/prof_hooks.h"
#include "prof/prof_stacktable.h"
#include "prof/prof_tick.h"

void prof_switch(struct prof *p, uint32_t mask, bool on)
{
	uint32_t now = prof_load(&p->on);

	__atomic_store_n(&p->on, on ? now | mask : now & ~mask, __ATOMIC_RELEASE);
}

bool prof_pause(struct prof *p, uint32_t mask)
{
	bool on = prof_wants(p, mask);

	prof_switch(p, mask, false);
	prof_hook_quiesce();
	return on;
}

/*
 * It is written out because compilers for some machines make a call to a library of a division, or
 * of a shift by more than is known.
 */
uint64_t prof_divide(uint64_t n, uint32_t by)
{
	uint64_t q = 0;
	uint32_t rest = 0;

	for (int bit = 0; bit < 64; bit++) {
		bool carry = rest >> 31;

		rest = rest << 1 | (uint32_t)(n >> 63);
		n <<= 1;
		q <<= 1;
		if (carry || rest >= by) {
			rest -= by;
			q |= 1;
		}
	}
	return q;
}

void prof_pace_set(struct prof_pace *pace, uint32_t ticks, uint32_t us)
{
	if (us == pace->us)
		return;
	pace->us_before += (uint64_t)(ticks - pace->ticks_before) * pace->us;
	pace->rates += ticks > pace->ticks_before;
	pace->ticks_before = ticks;
	pace->us = us;
}

uint32_t prof_pace_mean(const struct prof_pace *pace, uint32_t ticks)
{
	uint64_t us;

	if (ticks == 0)
		return pace->us;
	us = pace->us_before + (uint64_t)(ticks - pace->ticks_before) * pace->us;
	return (uint32_t)prof_divide(us + (ticks >> 1), ticks);
}

void prof_period(struct prof *p, uint32_t us)
{
	if (PROF_HAVE_KPROF)
		prof_pace_set(&p->kprof.pace, prof_kprof_ticks(&p->kprof), us);
	if (PROF_HAVE_GMON)
		prof_gmon_period(p, us);
	if (PROF_HAVE_STACK)
		prof_stack_period(&p->stack, us);
	prof_store(&p->us, us);
}
