/*
 * Writing costs and calls in callgrind's format: names and positions once, then numbers. Valgrind's
 * manual has it, in the chapter "Callgrind Format Specification"; callgrind_annotate and
 * KCachegrind read it. What else the head says is for the caller to write first.
 */
#ifndef TOOLS_EXPORT_CALLGRINDFILE_H
#define TOOLS_EXPORT_CALLGRINDFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/code/addr.h"

#define CALLGRIND_SELF 0xffffffffu	  /* as a callee: the cost is no call's */
#define CALLGRIND_SPONTANEOUS 0xfffffffeu /* calls from nowhere */
#define CALLGRIND_ROOT 0x80000000u	  /* functions from here on have no code */

/* A cost at a place: of the function itself, or of the calls that it makes there. */
struct callgrind_cost {
	uint32_t function, callee; /* any numbers that describe() knows; or see above */
	code_addr pc;
	uint64_t line;	      /* 0: unknown */
	const char *file;     /* NULL: unknown */
	uint64_t cost, calls; /* in units of the event; how many calls, if there is a callee */
};

/* What is known of a function. Its strings last at least until describe() is called again. */
struct callgrind_function {
	const char *name;
	const char *object; /* "???": unknown */
	const char *file;   /* NULL: unknown */
	unsigned line;
	code_addr pc;
};

/* Return what is known of a function; `buf` may hold its name. */
typedef struct callgrind_function callgrind_describe(void *arg, uint32_t function, char buf[512]);

/* Sort costs, and add up those of the same function, place and callee. Return how many are left. */
size_t callgrind_merge(struct callgrind_cost *cost, size_t n);

/* A file that is to be written. */
struct callgrind_file {
	FILE *to;
	const char *event; /* what a cost is */
	bool addresses;	   /* positions are instructions and lines; else lines, and all pc 0 */
	callgrind_describe *describe;
	void *arg; /* of describe() */
};

/*
 * Write the last lines of the head, n merged costs, and their sum: of the functions themselves, for
 * the costs of calls are in these again.
 */
void callgrind_write(const struct callgrind_file *file, const struct callgrind_cost *cost,
		     size_t n);

#endif
