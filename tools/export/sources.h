/*
 * Coverage by source file: its functions and the lines that have code, with their counts. Of an
 * image in which something was counted there is all of it; of others nothing.
 */
#ifndef TOOLS_EXPORT_SOURCES_H
#define TOOLS_EXPORT_SOURCES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/export/export.h"
#include "tools/export/names.h"

/* A count of a line, or of the function that begins there. */
struct sources_row {
	uint32_t file;	      /* number of its path */
	unsigned line;	      /* 0: unknown */
	const char *function; /* "" in lines; it lasts as long as the image */
	uint64_t count;	      /* of its instructions; of a function: how often its first one ran */
};

/* Rows by file, line and name. */
struct sources_rows {
	struct sources_row *row;
	size_t n, room;
};

struct sources {
	struct names files; /* paths, in no order */
	struct sources_rows lines, functions;
	uint64_t nowhere; /* counts of instructions whose line is not known */
};

/* One file of them. */
struct sources_file {
	const char *path;
	const struct sources_row *line, *function;
	size_t nline, nfunction;
};

/*
 * Gather the sources of all images whose files are known, with what did not run, and say how many
 * counts have no line. Return 0, or -1 and *why: the profile is not one of coverage, which the
 * format `name` holds.
 */
int sources_open(struct sources *s, const struct export *x, const char *name,
		 struct complaint *why);
void sources_close(struct sources *s);

/* Call put() with each file, in the order of their numbers; what it gets lasts until the end. */
void sources_each(const struct sources *s, void (*put)(void *arg, const struct sources_file *file),
		  void *arg);

#endif
