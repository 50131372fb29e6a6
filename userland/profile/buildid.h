/* The build id, by which a kernel's image is known to be the running kernel's. */
#ifndef USERLAND_PROFILE_BUILDID_H
#define USERLAND_PROFILE_BUILDID_H

#include "userland/profile/symtab.h"

#define BUILDID_MAX 64 /* characters, of which a build id has 40 */

/* Copy the running kernel's build id from /dev/version, at most BUILDID_MAX characters. */
void buildid_running(char hex[BUILDID_MAX + 1]);

/*
 * End the program with a message when the symbols, which came from the file of that name, are
 * not the running kernel's.
 */
void buildid_check(const struct symtab *s, const char *path);

#endif
