/*
 * What reaches over the edges of a part of a time line: that a process does not run is known by the
 * records of when it ran before and runs again, of which the part may have neither.
 */
#ifndef TOOLS_PROFILE_REACH_H
#define TOOLS_PROFILE_REACH_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/profile/profdata.h"

/*
 * Note in p->reach which processes do not run at `from` or at `to`, and until when, while all of
 * the records are there. Of instructions, and without changes of process, nothing is noted.
 */
void reach_find(struct profdata *p, uint64_t from, uint64_t to);

#endif
