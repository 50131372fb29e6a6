/*
 * Whether a kernel runs where its file has it, for the plugin of gnomon record: by the first bytes
 * of functions, which are found elsewhere if it was loaded there or has moved itself. Distances are
 * bytes above the address that was told, modulo 2^64: one below is a large number. What is done
 * about it is the caller's business.
 */
#ifndef TOOLS_RECORD_PLUGIN_MOVED_H
#define TOOLS_RECORD_PLUGIN_MOVED_H

#include <stdint.h>
#include "tools/record/plugin/table.h"

#define MOVED_BYTES 16 /* of each function */
#define MOVED_ENOUGH 8 /* functions that tell by how much */

/* Begin with zeros. */
struct moved {
	struct table code;  /* addresses of functions, by their bytes; 1: of several */
	struct table seen;  /* functions that were found, by address and distance */
	struct table votes; /* how many, by distance */
};

/* Add a function's first bytes, as the file has them. If two begin alike, neither tells of this. */
void moved_add(struct moved *m, uint64_t at, const uint8_t byte[static MOVED_BYTES]);

/*
 * These bytes are executed at pc. Return whether they are a function's; *by is how far it moved.
 * Each function votes once for a distance, however often it runs there.
 */
int moved_look(struct moved *m, uint64_t pc, const uint8_t byte[static MOVED_BYTES], uint64_t *by);

/* Return how many functions have moved that far. */
uint64_t moved_votes(struct moved *m, uint64_t by);

/* Return the distance other than 0 that most have, of which there are *n; both 0: none moved. */
uint64_t moved_most(const struct moved *m, uint64_t *n);

#endif
