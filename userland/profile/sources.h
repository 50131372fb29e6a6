/* Which source files prof(1) and its relatives can show, as far as that is known before a run. */
#ifndef USERLAND_PROFILE_SOURCES_H
#define USERLAND_PROFILE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SOURCES_DIR "/src" /* where the names in a table of lines begin */

/* Return whether a file's name is the one asked for: the whole of it, or its last part. */
bool sources_named(const char *file, const char *wanted);

/*
 * Return NULL if a source file may be among the lines of what a command will run, or who lacks it:
 * all of n modules on the list; or, with none, the command, the kernel and the sources.
 */
const char *sources_lack(const char *wanted, char *const *module, size_t n, const char *command);

/* A source whose text was read: the name, and which file it is. */
struct sources_text {
	const char *name; /* NULL: none */
	dev_t dev;
	ino_t ino;
};

/*
 * Read the text of a source, which the caller frees, and add it to those that were read before,
 * which end with an empty row. Warn and return NULL if there is none to be shown: it is named by
 * whoever made the program, and may be a device, which has no end, or waits for keys, or have been
 * read under another name. What a terminal would obey is made question marks.
 */
char *sources_read(struct sources_text *before, const char *name, size_t *size);

#endif
