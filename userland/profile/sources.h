/* Which source files prof(1) and its relatives can show, as far as that is known before a run. */
#ifndef USERLAND_PROFILE_SOURCES_H
#define USERLAND_PROFILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#define SOURCES_DIR "/src" /* where the names in a table of lines begin */

/* Return whether a file's name is the one asked for: the whole of it, or its last part. */
bool sources_named(const char *file, const char *wanted);

/*
 * Return NULL if a source file may be among the lines of what a command will run, or who lacks it:
 * all of n modules on the list; or, with none, the command, the kernel and the sources.
 */
const char *sources_lack(const char *wanted, char *const *module, size_t n, const char *command);

#endif
