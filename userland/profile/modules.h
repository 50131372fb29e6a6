/* What the device prof(3) has counted, module by module; and its control. */
#ifndef USERLAND_PROFILE_MODULES_H
#define USERLAND_PROFILE_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODULES_DIR "/prof"

struct module_pair {
	uint32_t pc, count;
};

/* What a module has of memory in all: bytes, and blocks. */
struct module_memory {
	uint64_t live, peak, allocated, freed, lost;
};

struct module {
	char *name, *path;
	struct module_pair *pair; /* ascending pc, from the start of text on */
	size_t n;
	uint64_t total;
	struct module_pair *peak; /* of memory: as pair, the most that there was at a time */
	size_t npeak;
	struct module_memory memory;
};

/* One message to ctl; ends the program with what it meant to do when that fails. */
void modules_ctl(const char *message, const char *doing);

/* All modules, the one with most first; ends the program when they cannot be read. */
struct module *modules_read(size_t *n);

/* Runs a command between that message, which starts to count, and stop: its status as in sh. */
int modules_run(char **args, const char *start);

/* Ends what was counted before, and puts those modules on the list. */
void modules_want(char *const *name, size_t n);

/*
 * Writes all modules that have counts to a new file, modules(5). kind is the second word of
 * its first line, interval the time between samples in microseconds, 0 when there is none.
 * Ends the program when that fails.
 */
void modules_write(const char *path, const char *kind, uint32_t interval);

#endif
