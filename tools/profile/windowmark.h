/*
 * Bounds of a window (window.h) that are marks of a time line, or so long before or after one:
 * `--from ready-5ms'.
 */
#ifndef TOOLS_PROFILE_WINDOWMARK_H
#define TOOLS_PROFILE_WINDOWMARK_H

#include <stdint.h>
#include "tools/complaint.h"
#include "tools/profile/profdata.h"
#include "tools/profile/window.h"

/*
 * Give a bound the time of the first mark with its text, or so long before or after one, of those
 * from `first` on. The end may be so long after the beginning, too: +5ms. A bound that is a time
 * stays. Return 0, or -1 and *why: it is neither.
 */
int windowmark_find(const char *option, struct window_bound *b, struct profdata *p,
		    uint64_t first, struct complaint *why);

#endif
