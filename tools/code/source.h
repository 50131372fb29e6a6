/* The lines of source files. */
#ifndef TOOLS_CODE_SOURCE_H
#define TOOLS_CODE_SOURCE_H

#include <stddef.h>

struct source_file {
	char *name; /* as the image has it */
	char **line; /* line[0] is line 1 */
	size_t n;    /* 0: the file was not found */
	char *text;
};

/* Files that were read, kept. All zero to begin with, but for dir. */
struct sources {
	const char *dir; /* where relative names begin; NULL: here */
	struct source_file *file;
	size_t n, room;
};

/* The file of that name; not there, it has no lines. It lasts until the next call. */
const struct source_file *source_file(struct sources *s, const char *name);

/* A line without its newline, or NULL where there is none. It lasts until sources_free(). */
const char *source_line(struct sources *s, const char *name, unsigned line);

void sources_free(struct sources *s);

#endif
