/* The counts of the device prof(3), by module; and its control. */
#ifndef USERLAND_PROFILE_MODULES_H
#define USERLAND_PROFILE_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULES_DIR "/prof"
#define MODULES_KERNEL "kernel" /* the kernel's name as a module */
#define MODULES_KERNEL_PATH "/boot/gnomon"

/* A line of a histogram: how often something was counted at an instruction. */
struct module_pair {
	uint32_t pc; /* from the start of text on */
	uint32_t count; /* 0 only for a function of the kernel that was not called */
};

/* The sums of a module's memory. */
struct module_memory {
	uint64_t live, peak, total;	 /* bytes: now, the most at a time, and ever allocated */
	uint64_t allocated, freed, lost; /* blocks; lost ones are only counted */
};

/* A place at which memory was ever asked for. */
struct module_place {
	uint32_t pc;		   /* from the start of text on */
	uint32_t peak;		   /* the most bytes at a time */
	uint64_t total;		   /* bytes that were ever allocated */
	uint32_t allocated, freed; /* blocks */
};

/* A module: the kernel, or a program. */
struct module {
	char *name, *path;
	char *title; /* the path, printable */
	struct module_pair *pair; /* by pc, ascending */
	size_t n;
	uint64_t total;		  /* of the counts */
	struct module_place *place; /* of memory: in the same order */
	size_t nplace;
	struct module_memory memory;
};

/* Write a message to ctl. When that fails, end the program, saying what could not be done. */
void modules_ctl(const char *message, const char *doing);

/*
 * Read all modules that have counts, the largest first, or end the program. The one of that name is
 * left out: what runs a command counts what it does itself before that. NULL: none is.
 */
struct module *modules_read(size_t *n, const char *out);

/* Run a command between a message that starts to count, and stop. Return its status as in sh. */
int modules_run(char **args, const char *start);

/* End what was counted before, and put modules on the list of those to count. */
void modules_want(char *const *name, size_t n);

/*
 * Write all modules that have counts to a new file, modules(5). kind is the second word of its
 * first line; interval is the time between samples in microseconds, 0 when there is none. One is
 * left out as in modules_read(). End the program when that fails.
 */
void modules_write(const char *path, const char *kind, uint32_t interval, const char *out);

#endif
