/*
 * What ran when, by the records of a kptrace(5); and stacks that change in time, as calls, for
 * formats that know beginnings and ends instead of samples. That a function ran without a break
 * between two ticks is an assumption, which only records of entries and returns make true.
 */
#ifndef TOOLS_EXPORT_TIMELINE_H
#define TOOLS_EXPORT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/distinct.h"
#include "tools/profile/profdata.h"

/* A time in which a process ran on a CPU. */
struct timeline_span {
	uint64_t begin, end; /* in the time line's unit, since the machine was started; half-open */
	uint32_t cpu, pid;
	uint32_t process; /* index of its name */
	uint32_t sample;  /* index of its path; PROFDATA_NONE: not known */
	size_t record;	  /* index of that which it begins with */
};

/*
 * Return the span that begins with a record: until the CPU's next one, but after a tick not longer
 * than two of them, for then some were lost.
 */
struct timeline_span timeline_span(const struct profdata *p, size_t record);

/* Whether all records are ticks, so that each counts 1; else they are entries and returns. */
bool timeline_of_ticks(const struct profdata *p);

/* Return a time of the time line in nanoseconds; an instruction is a microsecond. */
uint64_t timeline_ns(const struct profdata *p, uint64_t time);

/* Return the spans of all records in the order of their beginnings; the caller frees them. */
struct timeline_span *timeline_spans(const struct profdata *p);

/* A call of a frame, or the return from it, at that time. */
typedef void timeline_call(void *arg, uint32_t frame, uint64_t time);

/* A stack that changes in time. All zero to begin with. */
struct timeline_stack {
	uint32_t *frame; /* numbers, the outermost first */
	size_t n, room;
	uint32_t *next; /* what timeline_functions() makes it into */
	size_t room_next;
	uint8_t mode; /* that it was in then */
	bool noted;   /* it is among those of a struct timeline_open */
	uint64_t now, end; /* when it changed last, and how long it is known to stay so */
};

/*
 * Those of many stacks that may have frames, by their indices: where a time line is stopped, all
 * others are left alone, however often that is. All zero to begin with.
 */
struct timeline_open {
	size_t *at;
	size_t n, room;
};

/* Note the stack of an index, until timeline_finish(); then the caller empties the list. */
void timeline_note(struct timeline_open *open, struct timeline_stack *s, size_t at);

/*
 * Tell what it takes to make the stack into another one of n frames, which it is from begin to end;
 * before that it is empty for the time that is not known. Times that go back stand still.
 */
void timeline_change(struct timeline_stack *s, const uint32_t *frame, size_t n, uint64_t begin,
		     uint64_t end, timeline_call *enter, timeline_call *leave, void *arg);

/* Whether the records tell which process runs. What that calls goes on while it does not run. */
bool timeline_of_processes(const struct profdata *p);

/* Say that a stack is up to a moment as it is now. */
void timeline_stay(struct timeline_stack *s, uint64_t time);

/* Who does one thing after the other in a time line of functions: a process, or else a CPU. */
struct timeline_thread {
	uint32_t pid, cpu; /* the key: 0 is no process, and where there is one no CPU */
	uint32_t on;	   /* the CPU that it was on last */
	struct timeline_stack stack;
};

/* All zero to begin with. */
struct timeline_threads {
	struct timeline_thread *thread;
	size_t n, room;
	struct timeline_open open;
	struct distinct known;
};

/* Return the index of that whose time a span is, and note where it is, and that it is open. */
size_t timeline_thread(struct timeline_threads *t, const struct profdata *p,
		       const struct timeline_span *span);

/* Free them; their stacks are finished. */
void timeline_threads_free(struct timeline_threads *t);

/* Change a stack into that of the functions of a span, whose numbers are the frames. */
struct export;
void timeline_functions(struct timeline_stack *s, struct export *x,
			const struct timeline_span *span, timeline_call *enter,
			timeline_call *leave, void *arg);

/* Return from all frames, and free the stack. */
void timeline_finish(struct timeline_stack *s, timeline_call *leave, void *arg);

#endif
