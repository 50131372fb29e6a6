/*
 * Which functions processors enter and leave, for the plugin of gnomon record: a ring of each
 * processor's last records, from which kptrace(5) is made. Times are shadow.now, in instructions.
 */
#ifndef TOOLS_RECORD_PLUGIN_TRACE_H
#define TOOLS_RECORD_PLUGIN_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/record/plugin/shadow.h"

#define TRACE_OFF UINT32_MAX /* in place of a path: nothing is recorded from then on */

/* From that time on a CPU was on that path, at pc. */
struct trace_record {
	uint64_t time, pc;
	uint32_t path; /* or TRACE_OFF */
};

/* A processor's records: the i-th that was made is at i modulo `keep' of struct trace. */
struct trace_ring {
	struct trace_record *record;
	uint64_t n; /* that were ever made */
	size_t room;
	uint32_t path, shown; /* where the CPU was last, and what that shows; see trace_go() */
	bool on; /* the last record was of a path */
};

/* Begin with zeros, but for `keep`. */
struct trace {
	uint64_t keep; /* how many of a CPU's last records; 0: no records are made */
	bool stopped; /* for good: a call took longer than it was to */
	struct table chosen; /* functions, by entry; none: all */
	uint32_t *shown;     /* by path, and 1: the innermost path in it to a chosen function */
	size_t nshown, room;
	struct trace_ring ring[SHADOW_CPUS];
};

/* A CPU is on a path from now on, or TRACE_OFF. It is recorded if that shows another function. */
void trace_go(struct trace *t, const struct shadow *s, unsigned cpu, uint32_t path, uint64_t pc);

/*
 * Write the lines "trace CPU RECORDS OVERWRITTEN", and for each record "go ADDRESS TIME" behind its
 * path, which print() prints if it is another one than that before, or "off TIME".
 */
void trace_write(const struct trace *t, const struct shadow *s,
		 void (*print)(const struct shadow *s, uint32_t path, FILE *to), FILE *to);

void trace_free(struct trace *t);

#endif
