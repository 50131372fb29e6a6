/*
 * trace: the last ticks of each CPU, and the changes of process, entries to functions and returns
 * among them, with the time of each. A record refers to its path in the tables of prof_stack.h, or
 * to a pair in those of prof_call.h: whatever frees or empties those does so with this. kptrace(5)
 * has the file.
 */
#pragma once

#include "prof/prof_sample.h"

#define PROF_TRACE_MOST (1u << 24) /* records of a CPU */
#define PROF_TRACE_CLASSES 2u  /* of those who make marks and records: the owner, and others */
#define PROF_TRACE_MARKS 128u  /* marks of a class that are kept, the last ones */
#define PROF_TRACE_MARK 40u    /* bytes of a mark's text with its end */
#define PROF_TRACE_CALL 0x80000000u /* an entry or a return: what it has in place of a path */
#define PROF_TRACE_CAUGHT PROF_TRACE_CLASSES /* in place of a class: what fired the trigger */

/* A moment in a CPU's ring: a tick, or that another process runs, or is woken, or a call. */
struct prof_trace_record {
	uint64_t time;
	uint32_t pid;
	uint32_t entry; /* twice its place in the CPU's table, and 1 if that is the one of waits */
};

/* A CPU's of a class. A machine's stub may add to it, and knows this struct and the last. */
struct prof_trace_ring {
	uint32_t n;    /* records so far; atomic */
	uint32_t mask; /* how many there is room for, a power of two, less 1 */
	struct prof_trace_record *at;
};

/* A moment that somebody has given a name: printable text. */
struct prof_trace_mark {
	uint64_t time;
	uint32_t pid, cpu;
	char text[PROF_TRACE_MARK];
};

struct prof_trace {
	uint32_t size;	 /* records of a ring, a power of two; 0: there are no rings */
	uint32_t per_ms; /* of the units that times are given in */
	uint64_t start;	 /* the time from which they are shown */
	uint32_t what;	 /* is recorded beside ticks: PROF_WAIT, PROF_CALLS */
	struct prof_trace_ring ring[PROF_CPUS(PROF_HAVE_STACK)][PROF_TRACE_CLASSES];
	struct prof_trace_ring none; /* where calls are noted that are not recorded, */
	struct prof_trace_record nothing; /* each in the place of the one before */
	bool others[PROF_CPUS(PROF_HAVE_STACK)]; /* whose process came to the CPU last */
	struct prof_trace_mark *mark;		/* for each class so many, and for the trigger */
	uint32_t marks[PROF_TRACE_CLASSES + 1]; /* of each so far; the last is atomic */

	/* The trigger: a call of that function that takes so long, or the kernel's word. */
	prof_addr function; /* as in struct prof_call_site; 0: none */
	uint64_t limit, after; /* units of time: of the call; how long records still come then */
	uint32_t fired;	       /* atomic; 1: it has */

	uint32_t readers; /* of the file, in parts: nothing is noted while there are some */
	uint32_t cleared; /* how often; who reads in parts cannot go on then */
};

/*
 * Keep the last ticks of each CPU, and, as `what` says, who runs and who is woken, PROF_WAIT, and
 * the entries and returns of measured calls, PROF_CALLS: at least n of the owner's processes and at
 * most twice as many, and as many of all others. Or return false: n is 0 or more than
 * PROF_TRACE_MOST, there are no tables of paths, or not those that `what` names, or there is no
 * memory. A millisecond has per_ms of the units that times are given in.
 */
bool prof_trace_open(struct prof *p, uint32_t n, uint32_t what, uint32_t per_ms, uint64_t start);

/*
 * Note a tick, after prof_sample(), or that from that time on the sample's process runs on this
 * CPU, from where prof_stack_wait() is called. While PROF_TRACE is on.
 */
void prof_trace_tick(struct prof *p, const struct prof_sample *s, uint64_t time);
void prof_trace_switch(struct prof *p, const struct prof_sample *s, uint64_t time);

/*
 * Note who is woken by what runs on that CPU, the owner's process or another, if changes of process
 * are. While PROF_TRACE is on.
 */
void prof_trace_woken(struct prof *p, unsigned cpu, uint32_t pid, bool others, uint64_t time);

/*
 * That process runs on the CPU from now on, whose calls are recorded if they are wanted. With
 * interrupts off.
 */
void prof_trace_run(struct prof *p, unsigned cpu, uint32_t pid, bool others);

/* Have the calls on all CPUs be recorded, if they are to be now, or no longer: of prof_switch(). */
void prof_trace_calls(struct prof *p);

/*
 * Wait for a call of the function, 0 for none, that takes so long or longer, both in units of time:
 * so long afterwards PROF_TRACE goes off, and stays so until the records are cleared. Now they are,
 * and what was counted of calls.
 */
void prof_trace_trigger(struct prof *p, prof_addr function, uint64_t limit, uint64_t after);

/* What was waited for has come, there and then: note it if it is the first. In any context. */
void prof_trace_fire(struct prof *p, unsigned cpu, uint32_t pid, uint64_t time);

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

/* The records of a class on a CPU that have not been read: from first on, up to n. */
struct prof_trace_rest {
	struct prof_trace_record *at;
	uint32_t mask, first, n;
};

/* How far the file has been read that is read in parts; at first zeros. */
struct prof_trace_reader {
	unsigned part; /* the CPU; and after the last one, classes of marks */
	bool begun;    /* the CPU's first line has been read: what its rings have left is known */
	struct prof_trace_rest rest[PROF_TRACE_CLASSES];
	uint32_t mark; /* the next of its class */
};

/*
 * Write what comes next in the file, a line or some, or return false: that was all. Nothing is
 * noted, and nothing cleared, from the first part to the last: p->trace.readers and .cleared are
 * for who sees to that. What the sink returns is not looked at.
 */
bool prof_trace_more(const struct prof *p, struct prof_trace_reader *r, const struct prof_sink *to);
