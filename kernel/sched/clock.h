/* The system clock, and the timers that it and the profiling clock may have. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HZ 100 /* of the system clock */

/* The hardware of either clock, the system's or the profiling clock. */
struct timer {
	const char *name;
	uint32_t max_ns;		/* the longest time that it can be armed for */
	bool percpu;			/* each CPU has its own */
	bool turns;			/* other CPUs run when one has armed it: see turns.h */
	void (*arm)(uint32_t cycles);	/* one interrupt, this many TSC cycles from now */
	void (*disarm)(void);
	/* Interrupt by this vector, or by NMI if it is VEC_NMI. Return 0 or -ENOTSUP. */
	int (*deliver)(unsigned vector);
};

/* Interrupt HZ times a second from here on by t, each CPU's own, or by other while t is lent. */
void clock_start(const struct timer *t, const struct timer *other);
void clock_join(void *);    /* the same on this CPU, which started later; for cpus_call(), too */
void clock_lend(void);	    /* this CPU's t belongs to whoever calls this on each CPU */
void clock_take_back(void); /* until now; may sleep */
void clock_wake_at(uint64_t deadline); /* for wait.c: this CPU's first sleeper is to wake then */
uint64_t clock_ticks(void); /* of the system clock, on CPU 0 */
