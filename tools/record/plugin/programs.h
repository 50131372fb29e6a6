/* The guest's programs, for the plugin of gnomon record: their code is known by its bytes. */
#ifndef TOOLS_RECORD_PLUGIN_PROGRAMS_H
#define TOOLS_RECORD_PLUGIN_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#define PROGRAMS_MOST 64

struct program {
	char *name, *path;
	uint64_t entry; /* where it begins */
};

/* A part of a program's code: where it lies, and how long it is. */
struct programs_part {
	uint64_t lo, n;
	uint8_t *code;
	unsigned program;
};

/* Which programs may have run some code, a bit for each. */
struct programs_set {
	uint64_t may;	 /* they have no other code there */
	uint64_t has;	 /* they have just this */
	uint64_t begins; /* they begin there */
};

/* Begin with programs_init(). */
struct programs {
	struct program program[PROGRAMS_MOST];
	struct programs_part part[PROGRAMS_MOST];
	struct programs_set *set; /* those that were ever found; the first tells nothing */
	size_t n, nparts, nset, room;
};

void programs_init(struct programs *p);

/*
 * Add what a line tells, with hexadecimal numbers: "program NAME ENTRY FILE", and for each part of
 * it "part ADDRESS OFFSET SIZE". 0, or -1: it cannot be read.
 */
int programs_add(struct programs *p, const char *line);

/* Return a bit for each program. */
uint64_t programs_all(const struct programs *p);

/* Take those from a set that have other than these n bytes at an address. */
void programs_look(const struct programs *p, struct programs_set *set, uint64_t at,
		   const uint8_t *byte, size_t n);

/* Return the number of a set that code at pc has left. There are 65536 at most. */
uint16_t programs_number(struct programs *p, struct programs_set *set, uint64_t pc);

#endif
