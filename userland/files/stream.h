/*
 * The byte streams that commands work on: their input files, and buffered standard output, which
 * must not be mixed with stdio's.
 */
#ifndef USERLAND_FILES_STREAM_H
#define USERLAND_FILES_STREAM_H

#include <sys/types.h>
#include <stddef.h>

#define STREAM_BUF 65536 /* bytes a read asks for: a system call is what costs */

/*
 * Call f for each input: the NULL-ended names, of which "-" is standard input, or standard input
 * alone when there is none. f returns 0, or 1 when it has warned. Go on after a failure, and
 * return whether there was one.
 */
int stream_each(char **names, int (*f)(int fd, const char *name));

/* Read until there are n bytes or the file ends. Return how many, or -1 with errno. */
ssize_t stream_fill(int fd, void *buf, size_t n);

/*
 * Append the rest of a file to the heap buffer buf (NULL at first) of *size bytes, *len of them in
 * use, with at least one byte to spare after it. Return where the buffer is now, or NULL with
 * errno, when the buffer is freed.
 */
char *stream_slurp(int fd, char *buf, size_t *len, size_t *size);

/* Write n bytes, however many calls that takes. Return 0, or -1 with errno. */
int stream_write(int fd, const void *data, size_t n);

/* Add to standard output, which is written when the buffer is full. */
void stream_put(const void *data, size_t n);

/* Write what stream_put() has buffered, or end the program with a message. */
void stream_flush(void);

/* Print a file's name above its content, with an empty line before all but the first. */
void stream_title(const char *name);

#endif
