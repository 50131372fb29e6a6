/*
 * Output files that appear whole or not at all. What is written goes to a new file in the same
 * folder, NAME.NONCE.part, which takes the name once all of it is there. Until then whatever had
 * the name is as it was. The signals that end a program wait meanwhile, so that no file is left
 * unfinished.
 */
#ifndef TOOLS_OUTFILE_H
#define TOOLS_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "tools/complaint.h"

#define OUTFILE_NONCE 16 /* characters */

struct outfile {
	const char *path; /* as the user calls it */
	int fd;		  /* -1: not open */
	char *to, *temp;  /* the file, links followed, and the new one; NULL: written in place */
	bool seen;	  /* it is a terminal: what that obeys is shown as printable.h says */
};

/*
 * Begin to write a file. A symbolic link is followed, so that what it points to is replaced. What
 * is no regular file (a device, a pipe) is written in place; "-" is the standard output. 0, or -1
 * and *why. The path must last.
 */
int outfile_open(struct outfile *o, const char *path, struct complaint *why);

/* Do the same, but replace whatever has the name, a link or a device as well. */
int outfile_open_new(struct outfile *o, const char *path, struct complaint *why);

/* Find out whether outfile_open() could do that; what is no regular file is taken to be fine. */
int outfile_try(const char *path, struct complaint *why);

/* Write n bytes. 0, or -1 and *why; the caller drops the file then. */
int outfile_write(struct outfile *o, const void *data, size_t n, struct complaint *why);

/*
 * Tell that all has been written, after which only the name is missing: for several files that
 * belong together. 0, or -1 and *why, and then the file has been dropped.
 */
int outfile_written(struct outfile *o, struct complaint *why);

/* End: the file takes its name. 0, or -1 and *why, and then it has been dropped. */
int outfile_close(struct outfile *o, struct complaint *why);

/* End without a file; harmless when none is open. */
void outfile_drop(struct outfile *o);

/* Write a whole file, as outfile_open() and the others do. 0, or -1 and *why. */
int outfile_store(const char *path, const void *data, size_t n, struct complaint *why);

/*
 * A stream into an outfile, for what is too long to be kept in memory first. Close it, and then the
 * outfile: what could not be written is told by then.
 */
struct outfile_stream {
	struct outfile *o;
	FILE *f;
	struct complaint why; /* of the first write that failed */
	bool bad;
};
/* Begin: print into s->f, without a look whether that fails. */
void outfile_stream_open(struct outfile_stream *s, struct outfile *o);
/* 0, or -1 and *why; the caller drops the file then. */
int outfile_stream_close(struct outfile_stream *s, struct complaint *why);

/* Make up a name that nobody else has: hexadecimal digits, and a NUL. */
void outfile_nonce(char nonce[static OUTFILE_NONCE + 1]);

/*
 * Write and close the standard output at a program's end. Return its exit status: 1 in place of 0,
 * and a message, if not everything could be written.
 */
int outfile_standard(const char *program, int status);

#endif
