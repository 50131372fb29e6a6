/* The byte streams that commands work on: their input files, and buffered standard output. */
#ifndef USERLAND_FILES_STREAM_H
#define USERLAND_FILES_STREAM_H

#include <sys/types.h>
#include <stddef.h>

#define STREAM_BUF 65536 /* bytes a read asks for: a system call is what costs */

int stream_each(char **names, int (*f)(int fd, const char *name));
ssize_t stream_fill(int fd, void *buf, size_t n);
char *stream_slurp(int fd, char *buf, size_t *len, size_t *size);
void stream_put(const void *data, size_t n);
void stream_flush(void);
void stream_title(const char *name);

#endif
