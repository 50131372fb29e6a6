/*
 * The profilers' lives: a row for each, and what is done with them by their bits in prof.on. A
 * profiler that counts on all CPUs at once and for all processes is started and stopped by these;
 * the others have functions of their own for that, which are told for whom.
 */
#pragma once

#include "prof/prof.h"

struct prof_profiler {
	uint32_t bit;	  /* 0 ends the rows */
	const char *name; /* one word */

	/* What it has of this, with its bit; else NULL. */
	bool (*open)(struct prof *p, uint32_t bit, uint32_t per_ms); /* makes them, or false */
	void (*close)(struct prof *p, uint32_t bit);	/* frees them, with what was counted */
	void (*clear)(struct prof *p, uint32_t bit);	/* zeroes them; it is stopped */
	int (*write)(struct prof *p, uint32_t bit, const struct prof_sink *to); /* its file */
	void (*period)(struct prof *p, uint32_t us); /* ticks have that length from now on */
};

extern const struct prof_profiler prof_profilers[];

#define PROF_ALL UINT32_MAX /* all profilers that are started here, in the masks below */

/* Return the bits of the profilers that have tables to count in, of those started here. */
uint32_t prof_ready(const struct prof *p);

/* Count from now on, adding to earlier counts, in those profilers of the mask that have tables. */
void prof_start(struct prof *p, uint32_t mask);
void prof_stop(struct prof *p, uint32_t mask);
void prof_clear(struct prof *p, uint32_t mask); /* zeroes their counts; does not stop counting */

/*
 * Note that the clock's period is us microseconds from now on. To be called also after
 * prof_kprof_init and prof_gmon_init, before the first tick.
 */
void prof_period(struct prof *p, uint32_t us);

/* Give ticks to the profilers in mask, or stop. A tick that sees this sees earlier stores, too. */
void prof_switch(struct prof *p, uint32_t mask, bool on);

/* Stop those profilers until no tick is under way. Return whether one of them was on. */
bool prof_pause(struct prof *p, uint32_t mask);
