/*
 * The guest's programs, for the plugin of gnomon record: their code is known by its bytes. Two that
 * are linked to the same addresses are told apart by what runs there; position-independent ones,
 * and libraries, are none of these (tools/record/program.h refuses them).
 */
#ifndef TOOLS_RECORD_PLUGIN_PROGRAMS_H
#define TOOLS_RECORD_PLUGIN_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#define PROGRAMS_MOST 64 /* the bits of a set */

/* One that was given: its name as a process, without blanks, and its file on the host. */
struct program {
	char *name, *path;
	uint64_t entry; /* where it begins */
};

/* A part of a program's code: where it lies, and how long it is. */
struct programs_part {
	uint64_t lo, n;	  /* the first address, and bytes */
	uint8_t *code;	  /* as the file has them */
	unsigned program; /* index */
};

/* Which programs may have run some code, a bit for each. */
struct programs_set {
	uint64_t may;	 /* they have no other code there */
	uint64_t has;	 /* they have just this */
	uint64_t begins; /* they begin there */
};

/* Begin with programs_init(). They last as long as QEMU, and are never freed. */
struct programs {
	struct program program[PROGRAMS_MOST];
	struct programs_part part[PROGRAMS_MOST];
	struct programs_set *set; /* those that were ever found; the first tells nothing */
	size_t n, nparts, nset, room;
};

void programs_init(struct programs *p);

/*
 * Add what a line tells, with hexadecimal numbers: "program NAME ENTRY FILE", and for each part of
 * it "part ADDRESS OFFSET SIZE", of bytes in memory and in FILE, which is read here and now.
 * tools/record/program.h prints such lines. 0, or -1: the line or the file cannot be read, or there
 * are too many.
 */
int programs_add(struct programs *p, const char *line);

/* Return a bit for each program that was added. */
uint64_t programs_all(const struct programs *p);

/*
 * Take those from a set that have other than these n bytes at an address. What has nothing there,
 * as a program does whose library runs, stays in `may', but not in `has'.
 */
void programs_look(const struct programs *p, struct programs_set *set, uint64_t at,
		   const uint8_t *byte, size_t n);

/*
 * Return the number of a set that code at pc has left. There are 65536 at most; for more it is 0,
 * the set that tells nothing, and such code names no process.
 */
uint16_t programs_number(struct programs *p, struct programs_set *set, uint64_t pc);

#endif
