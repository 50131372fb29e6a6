/*
 * What the files of a host offer each other: work.c, which is profiled; port.c, which has all
 * that has to do with prof/; and the machine's own folder.
 */
#ifndef PORT_HOST_H
#define PORT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "machine.h"
#include "prof/arch/prof_entry.h"

/* The files that are left. */
enum file { KPDATA, GMON, KPSTACK };

/*
 * Draw the time from one tick to the next, from half the mean to half as much again: so nothing
 * runs in step with the clock.
 */
static inline uint32_t period(uint32_t mean)
{
	static uint32_t random = 1;

	random = random * 1664525u + 1013904223u;
	return mean / 2 + (uint32_t)((uint64_t)(random >> 8) * mean >> 24);
}

/* machine.c: none of this is instrumented. */
unsigned machine_cpu(void);		/* the number of the CPU that calls, below CPUS */
bool machine_start(void);		/* CPU 0 begins to tick; the others tick and work */
void machine_wait(void);		/* until the others have done their work */
void machine_write(enum file file, const void *data, size_t n);
uintptr_t machine_stack(unsigned cpu);	/* where its stack, of STACK bytes, begins */
void machine_program(void);		/* a program runs, whose registers lead nowhere */
void *machine_memory(size_t n);		/* zeroed; NULL: there is none */

/* port.c: neither. */
extern struct prof_entry prof_entry[CPUS]; /* each CPU's, for the calls at functions' entries */
bool profile_start(void);
bool profile_write(void);
uint32_t profile_lost(void); /* calls that came while their CPU's table was being changed */
void profile_tick(const struct clock_frame *f);

/*
 * work.c: each CPU does the work once; CPU 0 does so in run(), which tells if all went well. What
 * the program calls, 1,000 times, leads to serve().
 */
void work(void);
void serve(void);
bool run(void);

#endif
