/* glob(3). newlib's own says by the number of names alone that none matched. */
#ifndef _GNOMON_GLOB_H
#define _GNOMON_GLOB_H

#include_next <glob.h>

#define GLOB_ABORTED GLOB_ABEND
#define GLOB_NOMATCH (-3)

#ifndef MISSING_SYSCALL_NAMES /* not while newlib itself is built */
static inline int __glob(const char *pattern, int flags, int (*wrong)(const char *, int),
			 glob_t *found)
{
	int r = glob(pattern, flags, wrong, found);

	return r == 0 && found->gl_matchc == 0 && !(flags & GLOB_NOCHECK) ? GLOB_NOMATCH : r;
}

#define glob __glob
#endif

#endif
