/*
 * The programs of a profile whose functions have no names, for no file of them was found: a profile
 * full of question marks should not leave anybody wondering what to do.
 */
#ifndef TOOLS_PROFILE_UNNAMED_H
#define TOOLS_PROFILE_UNNAMED_H

#include "tools/profile/profdata.h"

/*
 * Return a sentence that names those in which something was counted, after a part of the profile
 * has been selected; NULL: there are none. The caller frees it, and says it.
 */
char *unnamed_note(struct profdata *p);

#endif
