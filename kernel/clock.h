/* Time since boot and of day, and the system clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HZ 100 /* of the system clock */

/* The hardware of either clock, the system's or the profiling clock. */
struct timer {
	const char *name;
	uint32_t max_ns;		/* the longest time that it can be armed for */
	bool percpu;			/* each CPU has its own */
	void (*arm)(uint32_t cycles);	/* one interrupt, so many of the TSC's cycles from now */
	void (*disarm)(void);
	/* Interrupt by this vector, or by NMI if it is VEC_NMI. Return 0 or -ENOTSUP. */
	int (*deliver)(unsigned vector);
};

void time_init(uint64_t tsc_hz, int64_t unix_time);
uint64_t time_ns(void);		       /* since time_init, from the TSC */
uint64_t time_cycles(uint64_t cycles); /* TSC cycles in ns */
uint32_t time_tsc_khz(void);
int64_t time_unix(void); /* seconds since 1970 now */
int64_t time_boot(void); /* the same at time 0 */
uint64_t time_start(void); /* the TSC at time 0: hardly the same in any two starts */
/* Set *deadline to now + sec + part/parts seconds. -EINVAL if one of them is out of range. */
int time_after(int64_t sec, int32_t part, uint32_t parts, uint64_t *deadline);

/* Interrupt HZ times a second from here on by t, each CPU's own, or by other while t is lent. */
void clock_start(const struct timer *t, const struct timer *other);
void clock_join(void *);    /* the same on this CPU, which started later; for cpus_call(), too */
void clock_lend(bool lent); /* t belongs to whoever calls, until it is given back; may sleep */
uint64_t clock_ticks(void); /* of the system clock, on CPU 0 */
