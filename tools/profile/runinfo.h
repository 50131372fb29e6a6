/*
 * How a profile was counted: which kernel, on which machine, by which clock, and how many ticks
 * were lost. gnomon-run(1) writes it to FILE.run beside each FILE that it fetches; kpstack(5)
 * begins with what the guest knows of it.
 */
#ifndef TOOLS_PROFILE_RUNINFO_H
#define TOOLS_PROFILE_RUNINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "userland/formats/ticks.h"

#define RUNINFO_TEXT 64 /* bytes of a text, with its NUL */
#define RUNINFO_SUFFIX ".run"

/* What is not known is 0 or empty. In the order of the keys in FILE.run: runinfo.c uses it. */
struct runinfo {
	char build[RUNINFO_TEXT]; /* the kernel's build id */
	char qemu[RUNINFO_TEXT];  /* its version */
	char accel[RUNINFO_TEXT], model[RUNINFO_TEXT];
	uint64_t memory_mb;
	uint64_t weighed; /* counts of single CPUs were weighed by what was due */
	char icount[RUNINFO_TEXT]; /* the shift, auto or off */
	char profiler[RUNINFO_TEXT]; /* whose ticks these are: kprof, gmon, prof, or any */
	char clock[RUNINFO_TEXT], delivery[RUNINFO_TEXT]; /* pit or lapic; nmi or irq */
	uint64_t hz, period_us, cpus; /* the clock's rate and period; the CPUs that it samples */
	uint64_t elapsed_us; /* how long the clock ran */
	struct ticks all, cpu[TICKS_MAXCPU]; /* taken and lost, by all CPUs and by each */
};

/*
 * Take words KEY=VALUE from a text. After profiler=NAME, up to the next such word, they are of
 * that profiler: those of the one that is wanted are taken or, if there were no ticks for it, those
 * of all profilers, `any`. After cpu=N, to the end of the line, words are of that CPU.
 */
void runinfo_words(struct runinfo *r, const char *profiler, const char *text, size_t n);

/*
 * Read FILE.run, beside a file of that profiler. Return whether there is one; else all of *r is
 * unknown. Words that are not known are passed over.
 */
bool runinfo_beside(struct runinfo *r, const char *profiler, const char *file);

/* Take from another what is not known here; of ticks, all or nothing. */
void runinfo_complete(struct runinfo *r, const struct runinfo *from);

/*
 * Add the ticks of another run. What the two do not have in common is not known of the sum. Return
 * false if one of them tells nothing of ticks: then the sum does not either.
 */
bool runinfo_add(struct runinfo *r, const struct runinfo *of);

/* Forget how many ticks there were. */
void runinfo_drop_ticks(struct runinfo *r);

/* Write everything that is known as lines, for FILE.run. */
void runinfo_print(const struct runinfo *r, FILE *to);

/* Write the clock and its ticks as the comments that kpstack(5) has after its first line. */
void runinfo_print_clock(const struct runinfo *r, FILE *to);

/* Return the ticks that were lost as per cent of those that were due; 0 if none were due. */
double runinfo_percent(const struct ticks *t);

/* Return how many CPUs tell what they lost. */
unsigned runinfo_ncpu(const struct runinfo *r);

/*
 * Return a line that says how much was lost and what can be done about it, if that is more than
 * 1 %; or NULL. The caller frees it.
 */
char *runinfo_loss(const struct runinfo *r);

/* Return whether CPUs lost such different shares that their sum weighs them wrongly, by 1 %. */
bool runinfo_uneven(const struct runinfo *r);

#endif
