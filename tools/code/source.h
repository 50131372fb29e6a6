/*
 * The lines of source files, for those that show code with counts. A file that is not there, or has
 * moved, is no error: there are just no lines. Whether it has changed since it was compiled is told
 * by its time alone.
 */
#ifndef TOOLS_CODE_SOURCE_H
#define TOOLS_CODE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/code/image.h"
#include "tools/texts.h"

struct source_file {
	char *name;  /* as the image has it */
	const char *dir; /* where the compiler ran for it; NULL: unknown */
	char *path;  /* where it was looked for first */
	char *found; /* where it is; NULL: it was not found */
	bool dated;  /* its time was compared with that of a program */
	const char **line; /* line[0] is line 1 */
	size_t n;    /* lines; 0: the file was not found */
	char *text;
	struct texts shown; /* holds lines that are not shown as they are: printable_kept() */
};

/* The files that have been read. All zero to begin with, except the folders. */
struct sources {
	const char **given; /* the folders that the user named: files are looked for there first, */
	size_t ngiven, room_given;
	const char *dir; /* then where the compiler ran for the file, at last here; NULL: nowhere */
	struct source_file *file;
	size_t n, room;
	struct texts folders; /* where the compiler ran for them */
	struct texts names;   /* with their folders' numbers: a file has its name's number */
	size_t nnewer; /* that are newer than the program that they were shown for: */
	char *newer;   /* a sentence about the first of them, without its end; or NULL */
};

/*
 * Return the file of that name, without lines if there is none. It lasts until the next call, its
 * lines until sources_free(). The name is the image's: relative to the folder in which the compiler
 * ran, which is `dir' and has to last, or absolute.
 */
const struct source_file *source_file(struct sources *s, const char *dir, const char *name);

/* Return a line, counted from 1, without its newline; or NULL. It lasts until sources_free(). */
const char *source_line(struct sources *s, const char *dir, const char *name, unsigned line);

/* Return how many lines the file of that name has; 0, too: there is no such file. */
size_t source_lines(struct sources *s, const char *dir, const char *name);

/*
 * Note that a file is shown for a program that was made of it, and compare their times. One whose
 * sources came with it is as old as these.
 */
void source_of(struct sources *s, const char *dir, const char *name, const struct image *program);

/* Return a sentence about files that are newer than their programs; NULL: none is. Caller frees. */
char *sources_newer(const struct sources *s);

/* Return where a file was looked for first, if there were none of all; or else NULL. */
const char *sources_none(const struct sources *s);

void sources_free(struct sources *s);

#endif
