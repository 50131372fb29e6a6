/*
 * What prof(1), cprof(1) and mprof(1) have in common: their options, how they run a command,
 * and how counts are shown: by function, by line, or beside the source.
 */
#ifndef USERLAND_PROFILE_PRESENT_H
#define USERLAND_PROFILE_PRESENT_H

#include "userland/profile/parts.h"

#define PRESENT_ROW 128 /* bytes that are enough for all columns of numbers of a row */

/* How one of the commands differs from the others. */
struct present {
	const char *kind;    /* of its file: the second word of modules(5) */
	const char *unit;    /* of its counts, as in "12 samples" */
	const char *start;   /* the message to prof(3) that starts it */
	const char *usage;   /* its own options, as in "[-s ms] " */
	const char *also;    /* another way to use it, or NULL */
	const char *options; /* its own options, for getopt */
	void (*option)(int letter, const char *argument);
	uint32_t (*prepare)(void); /* before the start: microseconds between samples; or NULL */

	size_t width; /* of a count, which is the first column; the second is its share */
	char *(*columns)(char *to, const struct counts *c); /* writes the others; or NULL */
	const char *titles; /* of all columns before the name, or NULL */
	void (*margin)(const struct counts *c); /* 16 wide, beside a line; NULL: count and share */
	void (*sums)(const struct module *m); /* prints a line below a module's title; or NULL */
	bool ticks;  /* counts are of the profiling clock's ticks */
	bool covers; /* a title says how many of the instructions ran */
};

extern const struct present cprof, mprof; /* cprof.c, mprof.c */

/* The command's main(): take the options, run a command if one is given, show the counts. */
int present(const struct present *how, int argc, char **argv);

#endif
