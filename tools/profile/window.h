/*
 * A part of a time line (kptrace(5)): the records from one moment to another, of one CPU, of one
 * process. The options --from, --to, --cpu and --pid choose it.
 */
#ifndef TOOLS_PROFILE_WINDOW_H
#define TOOLS_PROFILE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/option.h"
#include "tools/profile/profdata.h"

/* A moment, or a CPU's or process's number, as an option gave it. */
struct window_bound {
	const char *text; /* NULL: it was not given */
	uint64_t value;	  /* of a moment in microseconds, or as the file has it */
	unsigned ns;	  /* beyond these */
	bool has_unit;	  /* the moment was given in s, ms, us or ns */
	bool is_mark;	  /* the text is a mark's, whose time is not known yet */
};

struct window {
	struct window_bound from, to; /* from the first moment on, before the second */
	struct window_bound cpu, pid;
};

/*
 * Options, into a struct window_bound. A moment is a number as the file has it, microseconds or
 * instructions, or has a unit, as in 12.5s, 12500ms, 12500000us or 12500000000ns, or is the text of
 * a mark.
 */
option_take window_from, window_to, window_cpu, window_pid;

/* Return whether the end is after the beginning; else complain. */
enum option_status window_check(const struct window *w, struct complaint *why);

/*
 * Keep only what is in the window, and count that. The change of process before its beginning is
 * kept, at its beginning, for it tells who ran then. Without any of the options all stays. Return
 * 0, or -1 and *why: the profile is no time line, or has nothing there.
 */
int window_apply(const struct window *given, struct profdata *p, struct complaint *why);

/* Complain that a profile without records has no times. Return -1. */
int window_lack(const struct profdata *p, struct complaint *why);

/* What is to be said of a kernel's time line without records. */
extern const char window_empty[];

/* Read a number with a unit; more than some 150 years are refused. */
bool window_take_time(const char *arg, struct window_bound *to);

/*
 * Make a moment one in the unit of the file's times: the nearest microsecond, or that nanosecond.
 * A number without a unit is of microseconds there, too, as in the lines of such a file.
 */
void window_bind(struct window_bound *b, const struct profdata *p);

/* Print a time of the profile as --from takes it. */
void window_moment(const struct profdata *p, double time, char *to, size_t n);

#endif
