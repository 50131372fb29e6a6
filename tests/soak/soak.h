/*
 * The soak test: processes that do what they like, of the owner and of the user none, while the
 * profilers are switched on and off. The machine must survive it and be as it was.
 */
#ifndef TESTS_SOAK_SOAK_H
#define TESTS_SOAK_SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* All names of files that the test makes begin so: they are removed at its end, wherever. */
#define MARK "sk"

#define BATCH 250    /* calls that a worker counts by a byte in the pipe */
#define REPORT_FD 63 /* where it writes that */

/* The state of this process's generator, and what it is. */
extern uint32_t soak_seed;
extern bool soak_owner; /* not the user none */
extern bool soak_child; /* of a worker: it starts no others */
extern pid_t soak_main; /* processes from this one on are the test's */

/* Return the next number of the series, from 0 to n - 1. */
uint32_t pick(uint32_t n);
/* Return true once in n times. */
bool chance(uint32_t n);
/* Return a number on which calls may stumble. */
uint32_t odd(void);
/* Change some bytes of n, or repeat or drop some; at most room are in use then. Return how many. */
size_t damage(char *text, size_t n, size_t room);

/* The workers: each does so many calls in its current directory, and counts them. */
typedef void worker(unsigned calls);
worker soak_calls, soak_names, soak_files;
void soak_counted(unsigned *n); /* count a call */

/* Return a string that may be a path; for_good: it may be removed or changed. Lasts a few calls. */
const char *soak_path(bool for_good);

/* Run a damaged executable, made of a good one's n bytes. Return false if it cannot be ended. */
bool soak_execute(const uint8_t *good, size_t n);

/* Switch some profiler on or off; end all that there are. */
void soak_switch(void);
void soak_switch_off(void);

/* soak.c: time of the machine in ns, and an end of the process within so many; or -1. */
int64_t soak_now(void);
int soak_wait(pid_t pid, int64_t ns);

#endif
