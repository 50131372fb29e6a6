/* Strings with numbers, for formats that write each string once. */
#ifndef TOOLS_EXPORT_NAMES_H
#define TOOLS_EXPORT_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* All zero to begin with. */
struct names {
	char **name; /* by number */
	uint32_t n;
	size_t room;
	uint32_t *slot; /* a hash table of numbers + 1; 0: free */
	size_t slots;
};

/* The number of a string, which is copied: 0 for the first one, then 1 ... */
uint32_t names_number(struct names *t, const char *name);

void names_free(struct names *t);

#endif
