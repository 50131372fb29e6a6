/*
 * Numbers for strings that end with a NUL, for formats that write each string once: in the order in
 * which they came, which is that of the file.
 */
#ifndef TOOLS_EXPORT_NAMES_H
#define TOOLS_EXPORT_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* The strings so far. All zero to begin with. */
struct names {
	char **name; /* by number */
	uint32_t n;
	size_t room;
	uint32_t *slot; /* a hash table of numbers + 1; 0: free */
	size_t slots;	/* a power of two, or 0 */
};

/* Return the number of a string: 0 for the first one, then 1 ... A new one is copied, and lasts. */
uint32_t names_number(struct names *t, const char *name);

void names_free(struct names *t);

#endif
