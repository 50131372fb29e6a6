/* What ran when, by the records of a kptrace(5); and stacks that change in time, as calls. */
#ifndef TOOLS_EXPORT_TIMELINE_H
#define TOOLS_EXPORT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/profdata.h"

/* A time in which a process ran on a CPU. */
struct timeline_span {
	uint64_t begin, end; /* microseconds since the machine was started, half-open */
	uint32_t cpu, pid;
	uint32_t process; /* index of its name */
	uint32_t sample;  /* index of its path; PROFDATA_NONE: not known */
};

/*
 * Return the span that begins with a record: until the CPU's next one, but after a tick not longer
 * than two of them, for then some were lost.
 */
struct timeline_span timeline_span(const struct profdata *p, size_t record);

/* Whether all records are ticks, so that each counts 1; gnomon record's are entries and returns. */
bool timeline_of_ticks(const struct profdata *p);

/* Return the spans of all records in the order of their beginnings; the caller frees them. */
struct timeline_span *timeline_spans(const struct profdata *p);

/* A call of a frame, or the return from it. */
typedef void timeline_call(void *arg, uint32_t frame, uint64_t us);

/* A stack that changes in time. All zero to begin with. */
struct timeline_stack {
	uint32_t *frame; /* numbers, the outermost first */
	size_t n, room;
	uint32_t *next; /* what timeline_functions() makes it into */
	size_t room_next;
	uint64_t now, end; /* when it changed last, and how long it is known to stay so */
};

/*
 * Tell what it takes to make the stack into another one of n frames, which it is from begin to end;
 * before that it is empty for the time that is not known. Times that go back stand still.
 */
void timeline_change(struct timeline_stack *s, const uint32_t *frame, size_t n, uint64_t begin,
		     uint64_t end, timeline_call *enter, timeline_call *leave, void *arg);

/* The same for the functions that run from a record on, whose numbers are the frames. */
struct export;
void timeline_functions(struct timeline_stack *s, struct export *x, size_t record,
			timeline_call *enter, timeline_call *leave, void *arg);

/* Return from all frames, and free the stack. */
void timeline_finish(struct timeline_stack *s, timeline_call *leave, void *arg);

#endif
