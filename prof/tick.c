/*
 * The tick: from the clock to the profilers.
 *
 *	kernel/isr.asm		the clock's interrupt or NMI; registers saved
 *	trap()			finds the clock's handler
 *	profclock_intr()	arms the next tick; tells lost ones
 *	statclock()		kprof_tick() counts the address, and prf_tick() now and then;
 *				stack_tick() the path that led there; prof_tick() serves the others
 *
 * A profiler whose own rate is not the clock's adds up microseconds, as prf_tick() does.
 */
#include "prof/stack.h"
#include "prof/tick.h"

void prof_tick(struct prof *p, const struct prof_sample *s)
{
	uint32_t on = prof_on(p);

	if (on & PROF_GMON)
		gmon_tick(s);
	if (on & PROF_PROFIL)
		profil_tick(p, s);
	if (on & PROF_MODULE)
		module_tick(p, s);
}

void prof_switch(struct prof *p, uint32_t mask, bool on)
{
	uint32_t now = prof_load(&p->on);

	__atomic_store_n(&p->on, on ? now | mask : now & ~mask, __ATOMIC_RELEASE);
}

/* A random number below period: xorshift, scaled. */
static uint32_t draw(struct prof_beat *b, uint32_t period)
{
	uint32_t x = b->random;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	b->random = x;
	return (uint32_t)((uint64_t)x * period >> 32);
}

void beat_begin(struct prof_beat *b, uint32_t period, uint32_t seed)
{
	b->random = seed * 2654435769u; /* odd: only 0 gives 0, which would stay */
	if (b->random == 0)
		b->random = 2463534242u;
	b->at = draw(b, period);
	b->left = (int32_t)b->at + 1;
}

uint32_t beat_due(struct prof_beat *b, uint32_t period, uint32_t us)
{
	uint32_t n = 0, next;

	b->left -= (int32_t)us;
	while (b->left <= 0) {
		n++;
		next = draw(b, period);
		b->left += (int32_t)(period + next - b->at);
		b->at = next;
	}
	return n;
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
	gmon_period(us);
	stack_period(&p->stack, us);
	prof_store(&p->prf.us, us);
	prof_store(&p->module.us, us);
	prof_store(&p->profil_us, us);
}
