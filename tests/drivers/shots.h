/* The machine under the profiling clock in hosted tests: a cycle counter, and CPUs with a timer. */
#ifndef TESTS_DRIVERS_SHOTS_H
#define TESTS_DRIVERS_SHOTS_H

#include <stdbool.h>
#include <stdint.h>
#include "drivers/clock/profclock.h"

extern uint64_t tsc, shots_hz; /* the cycle counter, and its rate */
extern uint64_t shots[MAXCPU];	       /* when each CPU's armed shot comes; NEVER: none */
extern unsigned vector, told[MAXCPU];  /* how the timer delivers, and each CPU's */
extern unsigned eois, nmis, ipis;      /* the last two: sent to all other CPUs */
extern unsigned statclocks[MAXCPU];    /* calls of statclock() */
extern bool nmi_refused;	       /* the timer cannot deliver so */
extern bool lent;		       /* the system clock's timers are this clock's now */
extern uint32_t paced;		       /* what turns_pace() was told last */
extern unsigned joins;		       /* how often the system clock took one of them back */
extern const struct timer fake_timer;  /* CPU 0's */
extern const struct timer percpu_timer;

bool interrupt(unsigned cpu); /* as the timer delivers; whether statclock() was called */
bool shot_on(unsigned cpu, uint64_t late); /* that CPU's shot comes, so many cycles late */
bool shot(uint64_t late);		   /* CPU 0's */
void tick(uint64_t late);		   /* through as many pieces as it takes */

/* The clock's state, and its counts: of each CPU, and of all together. */
struct shots_status {
	const char *source, *delivery;
	uint32_t hz, period_us, strays;
	uint64_t ticks, lost;
	struct clock_counts cpu[MAXCPU];
};
struct shots_status status(void);

/* A new clock at hz, held, on n CPUs of that cycle rate; and its end. */
void begin_on(int n, const struct timer *timer, uint64_t cycles, unsigned hz);
void begin(uint64_t cycles, unsigned hz); /* on one CPU */
void finish(void);
int let_go(void **state); /* after each test: a failed one must not leave the clock to the next */

#endif
