/*
 * The file of trace-cmd, version 6, as trace-cmd.dat.v6(5) has it: descriptions of events, names of
 * functions and processes, and for each CPU the pages of a ring buffer of Linux's ftrace.
 */
#ifndef TOOLS_EXPORT_TRACEFILE_H
#define TOOLS_EXPORT_TRACEFILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/memory.h"

#define TRACEFILE_PAGE 4096 /* bytes, of a ring's */
#define TRACEFILE_LARGEST 2048 /* bytes of an event */

/* What all events begin with: fields that readers find by the names that Linux has for them. */
struct tracefile_common {
	uint16_t type; /* its number, from TRACEFILE_FIRST on */
	uint8_t flags, preempt_count; /* of Linux's own; 0 here */
	int32_t pid;
};

/* A kind of event; `fields` and `print` are in the words of an event's format file in tracefs. */
struct tracefile_kind {
	const char *system; /* "ftrace": those that readers know themselves, and come first */
	const char *name, *fields, *print;
};

#define TRACEFILE_FIRST 100 /* the number of the first kind; others follow in their order */

/* The events of a CPU: a page that is being filled, and those before. */
struct tracefile_ring {
	struct memory_stream pages;
	unsigned char page[TRACEFILE_PAGE];
	size_t used;	    /* bytes of its events */
	uint64_t first, ns; /* times of its first event and of its last */
	uint64_t lost;	    /* events that were lost before this page */
};

/* A file that is being made, all of it in memory. */
struct tracefile {
	const struct tracefile_kind *kind;
	size_t nkind;
	struct memory_stream symbols;	/* lines of /proc/kallsyms */
	struct memory_stream processes; /* lines PID NAME */
	struct tracefile_ring *ring;	/* by CPU */
	size_t nring;
};

/* Begin a file for so many CPUs; lines are added to symbols.f and processes.f. */
void tracefile_init(struct tracefile *f, const struct tracefile_kind *kind, size_t nkind,
		    size_t ncpu);

/*
 * Add an event of n bytes, at most TRACEFILE_LARGEST, to a CPU's; it begins with a struct
 * tracefile_common. Times do not go back; the bytes are copied.
 */
void tracefile_add(struct tracefile *f, uint32_t cpu, uint64_t ns, const void *event, size_t n);

/* Write the file, and free what it had. */
void tracefile_finish(struct tracefile *f, FILE *to);

#endif
