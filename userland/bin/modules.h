/* What the device prof(3) has counted, and whose functions that was in. */
#ifndef MODULES_H
#define MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULES_DIR "/prof"

struct module_pair {
	uint32_t pc, count;
};

struct module {
	char *name, *path;
	struct module_pair *pair; /* ascending pc, from the start of text on */
	size_t n;
	uint64_t total;
};

/* A function of a module, with what its instructions have. */
struct module_function {
	const char *name;
	uint64_t total;
	uint32_t first; /* of its first instruction */
	uint32_t ran;	/* instructions that have a count */
};

/* One message to ctl; ends the program with what it meant to do when that fails. */
void modules_ctl(const char *message, const char *doing);

/* All modules, the one with most first; ends the program when they cannot be read. */
struct module *modules_read(size_t *n);

/*
 * The functions that have counts, or all, the one with most first. Ends the program with
 * a message when the module's file has no symbols.
 */
struct module_function *modules_functions(const struct module *m, bool all, size_t *n);

/* Runs a command between that message, which starts to count, and stop: its status as in sh. */
int modules_run(char **args, const char *start);

/* Ends what was counted before, and puts those modules on the list. */
void modules_want(char *const *name, size_t n);

/* Does print(m) in a process of its own for each module; blank(m) in its place if it fails. */
int modules_each(void (*print)(const struct module *m), void (*blank)(const struct module *m));

#endif
