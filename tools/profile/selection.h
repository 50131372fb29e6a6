/* Which part of a profile was asked for: --module, --process and --mode of gnomon(1). */
#ifndef TOOLS_PROFILE_SELECTION_H
#define TOOLS_PROFILE_SELECTION_H

#include "tools/complaint.h"
#include "tools/profile/profdata.h"

struct selection {
	const char *module, *process; /* NULL: all */
	int mode;		      /* enum profdata_mode; -1: all */
};

/* Take the mode of that name. 0, or -1 and why: there is none. */
int selection_mode(struct selection *s, const char *name, struct complaint *why);

/*
 * Keep only what was asked for, and of that what counts the same (profdata_split()). 0, or
 * -1 and why: the profile cannot tell it from the rest, or there is nothing of it.
 */
int selection_apply(const struct selection *s, struct profdata *p, struct complaint *why);

#endif
