/* The profiling clock: calls statclock() again and again, at randomized times. */
#pragma once

#include "kernel/sched/clock.h"
#include "kernel/machine/cpu.h"

#define PROFCLOCK_HZ 1000 /* until profclock_hz() says otherwise */
#define PROFCLOCK_HZ_MIN 10
#define PROFCLOCK_HZ_MAX 20000

struct profclock_status {
	const char *source;   /* the timer's name */
	const char *delivery; /* "nmi" or "irq" */
	uint32_t hz;	      /* as requested */
	uint32_t period_us;   /* the mean period, exactly */
	uint32_t strays;      /* interrupts that came while it ran although none was due */
};

struct clock_counts {
	uint64_t ticks, lost; /* delivered, and due but never delivered */
};

/*
 * Use timer t, which boot/clocks.c chooses, by "nmi" or "irq", before anybody holds the clock; NMI
 * falls back to irq. If each CPU has such a timer, the system clock uses it while this clock stands
 * still. The seed determines at what random times ticks come. `why` is printed, to say why t was
 * chosen.
 */
void profclock_init(const struct timer *t, const char *delivery, uint32_t seed, const char *why);

/*
 * Count one more who holds the clock (1), one fewer (-1) or the same (0); it runs while held.
 * Unless NULL, `then` is called while the clock stands still, so each tick comes before it or after
 * it, on every CPU. Threads only, like all below; may sleep.
 */
void profclock_change(int more, void (*then)(void *arg), void *arg);
/* Since when it stands still, for `then', in TSC cycles. Points until it runs again are lost. */
extern uint64_t profclock_stood;

/* Set the ticks a second; the period becomes round(1e6 / hz) us. -EINVAL if out of bounds. */
int profclock_hz(unsigned hz);

/* Tick by NMI, or by the highest-priority vector. -EOPNOTSUPP if the timer cannot: no change. */
int profclock_delivery(bool nmi);

void profclock_status(struct profclock_status *st);
struct clock_counts profclock_counts(unsigned cpu); /* one CPU's since boot */

/* Say where the clock's variables are, in the fields that prof/prof_block.h has for them. */
struct prof_block_field;
void profclock_describe(struct prof_block_field *f);

/*
 * Handle a tick on the CPU that calls, for VEC_NMI and VEC_PROF: re-arm the timer and call
 * statclock(tf). Do neither if no tick is due, for then the NMI had another source.
 */
void profclock_intr(struct trapframe *tf);
