/*
 * A hash of bytes that may come from a file that somebody made. A secret is in it, so that nobody
 * can choose bytes whose hashes are equal, or fall together in a table.
 */
#ifndef TOOLS_HASH_H
#define TOOLS_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Return the hash of n bytes, which is the same until the program ends. */
uint64_t hash_of(const void *bytes, size_t n);

#endif
