/*
 * What prof(1), cprof(1) and mprof(1) have in common: their options, how they run a command,
 * and how what was counted is shown: by function, by line, or beside the source.
 */
#ifndef USERLAND_PROFILE_PRESENT_H
#define USERLAND_PROFILE_PRESENT_H

#include "userland/profile/parts.h"

#define PRESENT_SOURCES "/src"

/* One of the commands. */
struct present {
	const char *kind;    /* what its file says that it has: modules(5) */
	const char *unit;    /* of its counts, as in "12 samples" */
	const char *start;   /* the message to the device that starts it */
	const char *usage;   /* its own options, as in "[-s ms] " */
	const char *also;    /* another use of it, or NULL */
	const char *options; /* the same for getopt */
	void (*option)(int letter, const char *argument);
	uint32_t (*prepare)(void); /* before the start: microseconds between samples; or NULL */

	/* The columns before a function's or line's name; the margin of a source line (16 wide). */
	void (*columns)(const struct counts *c, const struct counts *whole);
	void (*margin)(const struct counts *c, const struct counts *whole);
	void (*sums)(const struct module *m); /* below the title of a module; or NULL */
	bool covers; /* titles tell how much of the instructions ran */
};

/* The command's main. */
int present(const struct present *p, int argc, char **argv);

/*
 * Prints n as per cent of total, 6 characters wide; "-" when total is 0.
 * Only all is 100.0.
 */
void present_percent(uint64_t n, uint64_t total);

#endif
