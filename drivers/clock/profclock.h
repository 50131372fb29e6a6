/* The profiling clock: calls statclock() again and again, at randomized times. */
#ifndef DRIVERS_CLOCK_PROFCLOCK_H
#define DRIVERS_CLOCK_PROFCLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/clock.h"
#include "kernel/cpu.h"

#define PROFCLOCK_HZ 1000 /* until profclock_hz() says otherwise */
#define PROFCLOCK_HZ_MIN 10
#define PROFCLOCK_HZ_MAX 20000

struct profclock_status {
	const char *source;   /* the timer's name */
	const char *delivery; /* "nmi" or "irq" */
	uint32_t hz;	      /* as asked for */
	uint32_t period_us;   /* the mean period, exactly */
	uint64_t ticks, lost; /* since boot: delivered, and due but never delivered; all CPUs' */
	uint32_t strays;      /* interrupts that came while it ran although none was due */
	struct {
		uint64_t ticks, lost;
	} cpu[MAXCPU];
};

/* Use timer t, not the system clock's, by delivery "nmi" or "irq"; NMI falls back to irq. */
void profclock_init(const struct timer *t, const char *delivery);

/* The clock runs while somebody holds it. From thread context, as all below; may sleep. */
void profclock_hold(void);
void profclock_release(void);

/* Set the rate a second; the period becomes round(1e6 / hz) us. -EINVAL outside the bounds. */
int profclock_hz(unsigned hz);

/* Tick by NMI, or by the highest-priority vector; -EOPNOTSUPP, no change: the timer cannot. */
int profclock_delivery(bool nmi);

void profclock_status(struct profclock_status *st);

/*
 * The tick, on the CPU that calls: VEC_NMI's handler, and what VEC_PROF's calls. Re-arms,
 * and calls statclock(tf); does neither when no tick is due, for then it is another's NMI.
 */
void profclock_intr(struct trapframe *tf);

#endif
