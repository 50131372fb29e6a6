/* The guest's programs, for the plugin of gnomon record: their code is known by its bytes. */
#ifndef TOOLS_RECORD_PLUGIN_PROGRAMS_H
#define TOOLS_RECORD_PLUGIN_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#define PROGRAMS_MOST 64

struct program {
	char *name;
	uint64_t lo, n; /* where its code lies, and how long it is */
	uint8_t *code;
};

/* Begin with zeros. */
struct programs {
	struct program program[PROGRAMS_MOST];
	unsigned n;
};

/*
 * Add one by a line "program NAME ADDRESS OFFSET SIZE FILE" with hexadecimal numbers, which tells
 * where a part of the file's code runs. Several may have one name. 0, or -1: it cannot be read.
 */
int programs_add(struct programs *p, const char *line);

/* Return a bit for each program. */
uint64_t programs_all(const struct programs *p);

/* Return those of some programs that have these n bytes at an address. */
uint64_t programs_with(const struct programs *p, uint64_t some, uint64_t at, const uint8_t *byte,
		       size_t n);

#endif
