/*
 * What report, export and diff are told alike: which part of a profile is wanted (--module,
 * --process, --mode, and of a time line what window.h has), and in which ELF files its addresses
 * are (--image).
 */
#ifndef TOOLS_PROFILE_SELECTION_H
#define TOOLS_PROFILE_SELECTION_H

#include "tools/code/image.h"
#include "tools/complaint.h"
#include "tools/option.h"
#include "tools/profile/profdata.h"
#include "tools/profile/window.h"

struct selection {
	const char *module, *process; /* NULL: all */
	int mode;		      /* enum profdata_mode; -1: all */
	bool freed; /* also places of memory of which nothing is in use any more */
	struct window window;
};

/*
 * Options: the name of a mode into an int, an ELF file into a struct images, which is opened at
 * once. option.h has what they return.
 */
option_take selection_mode, selection_image;

/*
 * Read a profile (profread()), keep what was asked for, and of that only what counts the
 * same (profdata_split()). Return 0, or -1 and *why, beginning with the path: the profile cannot be
 * read, cannot tell that part from the rest, or has nothing of it. profdata_free() is due
 * after success only.
 */
int selection_read(const struct selection *s, struct profdata *p, const char *path,
		   struct images *images, struct complaint *why);

#endif
