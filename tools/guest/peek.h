/* Reading the kernel's variables and tables out of a guest's memory, with its pointers followed. */
#ifndef TOOLS_GUEST_PEEK_H
#define TOOLS_GUEST_PEEK_H

#include "tools/guest/inside.h"

#define PEEK_MAXTABLE (64u << 20) /* bytes: a table that claims to be larger is damaged */

/*
 * The variables are named by a path of layout_find(), in which %u stands for i. Each of these
 * returns 0, or -1 and *why.
 */

/* Read a number, which must be at most max. */
int peek_number(struct inside *in, const char *path, unsigned i, uint64_t max, uint64_t *value,
		struct complaint *why);
int peek_number32(struct inside *in, const char *path, unsigned i, uint32_t *value,
		  struct complaint *why);

/* Copy n bytes from where a pointer points. */
int peek_table(struct inside *in, const char *path, unsigned i, void *to, size_t n,
	       struct complaint *why);

/* Read how long a profiler's ticks are, and how long those before a change were. */
int peek_pace(struct inside *in, const char *path, unsigned i, struct prof_pace *pace,
	      struct complaint *why);

#endif
