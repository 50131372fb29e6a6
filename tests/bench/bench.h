/*
 * What bench measures: cases in tables, one a subject. Each case runs in a process of its own, so
 * that none finds what another has left.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_SIZES 6

struct bench_case {
	const char *name;
	void (*start)(void);	     /* NULL, or what has to be there before */
	void (*run)(unsigned times); /* what is measured, so many times */
	void (*end)(void);	     /* NULL, or what ends the processes that start has made */
	unsigned times;
	unsigned per;		     /* if not 0, each time is so many of what is counted */
	bool each;		     /* each time is bench_size of what is counted */
	unsigned sizes[BENCH_SIZES]; /* if any, it is measured with bench_size set to each */
};

/* Tables, each with an end that has no name. */
extern const struct bench_case bench_calls[], bench_directories[], bench_processes[],
	bench_memory[], bench_pipes[], bench_library[], bench_commands[];

extern unsigned bench_size;
extern uint64_t bench_own; /* cycles, if what is measured is only a part of what runs; else 0 */

static inline uint64_t bench_time(void)
{
	uint64_t v;

	__asm__ volatile("rdtsc" : "=A"(v));
	return v;
}

/* Unless that went well, end the program with a message that says what did not, and why. */
void bench_want(bool ok, const char *what);

/* Fork processes that do nothing but wait, until bench_wake(). */
void bench_sleepers(unsigned n);
void bench_wake(void);

#endif
