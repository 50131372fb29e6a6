/* Why a profile may have no counts at all: often nobody has started the profiler. */
#ifndef TOOLS_PROFILE_NOTHING_H
#define TOOLS_PROFILE_NOTHING_H

#include "tools/profile/profdata.h"

/* Return what is to be said of that; NULL: something was counted. */
const char *nothing_why(const struct profdata *p);

#endif
