/*
 * trace: the last ticks of each CPU, and the changes of process among them, with the time of each.
 * A record refers to its path in the tables of prof_stack.h: whatever frees or empties those does
 * so with this. kptrace(5) has the file.
 */
#pragma once

#include "prof/prof_sample.h"

#define PROF_TRACE_MOST (1u << 24) /* records of a CPU */
#define PROF_TRACE_CLASSES 2u  /* of those who make marks */
#define PROF_TRACE_MARKS 128u  /* marks of a class that are kept, the last ones */
#define PROF_TRACE_MARK 40u    /* bytes of a mark's text with its end */

/* A moment in a CPU's ring: a tick, or that another process runs, or is woken. */
struct prof_trace_record {
	uint64_t time;
	uint32_t pid;
	uint32_t entry; /* twice its place in the CPU's table, and 1 if that is the one of waits */
};

/* A moment that somebody has given a name: printable text. */
struct prof_trace_mark {
	uint64_t time;
	uint32_t pid, cpu;
	char text[PROF_TRACE_MARK];
};

struct prof_trace {
	uint32_t size;	 /* records of each CPU, a power of two; 0: there are no rings */
	uint32_t per_ms; /* of the units that times are given in */
	uint64_t start;	 /* the time from which they are shown */
	bool switches;	 /* for who calls prof_trace_switch() */
	struct prof_trace_record *ring[PROF_CPUS(PROF_HAVE_STACK)];
	uint32_t n[PROF_CPUS(PROF_HAVE_STACK)]; /* records so far; atomic */
	struct prof_trace_mark *mark;		/* for each class so many */
	uint32_t marks[PROF_TRACE_CLASSES];	/* of each so far */
};

/*
 * Keep the last ticks of each CPU, at least n of them and at most twice as many, or return false:
 * n is 0 or more than PROF_TRACE_MOST, there are no tables of paths, or, with switches, of waits,
 * or there is no memory. A millisecond has per_ms of the units that times are given in.
 */
bool prof_trace_open(struct prof *p, uint32_t n, bool switches, uint32_t per_ms, uint64_t start);

/*
 * Note a tick, after prof_sample(), or that from that time on the sample's process runs on this
 * CPU, from where prof_stack_wait() is called. While PROF_TRACE is on.
 */
void prof_trace_tick(struct prof *p, const struct prof_sample *s, uint64_t time);
void prof_trace_switch(struct prof *p, const struct prof_sample *s, uint64_t time);

/* Note who is woken by what runs on that CPU, if changes of process are. While PROF_TRACE is on. */
void prof_trace_woken(struct prof *p, unsigned cpu, uint32_t pid, uint64_t time);

/*
 * Keep a mark, if PROF_TRACE is on. No class takes the room of another, so that a stranger's marks
 * do not push out one's own. Not while another mark is kept, or the file is written.
 */
void prof_trace_mark(struct prof *p, unsigned of_class, const struct prof_trace_mark *mark);

/* Note that from that time on nothing is noted, if changes of process were. */
void prof_trace_off(struct prof *p, uint64_t time);

/* These are of the row of this profiler: prof_profilers.h. */
void prof_trace_close(struct prof *p, uint32_t bit);
void prof_trace_clear(struct prof *p, uint32_t bit);

/* Write the file kptrace(5), but its first line; nothing is noted meanwhile. */
int prof_trace_write(struct prof *p, uint32_t bit, const struct prof_sink *to);
