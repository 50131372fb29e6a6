/* Whole files: read into memory, and control files, which take one message at a time. */
#ifndef USERLAND_FILES_WHOLE_H
#define USERLAND_FILES_WHOLE_H

#include <stddef.h>

/*
 * Read a file into memory that the caller frees, with a NUL after it that *n does not count.
 * Return NULL with errno when it cannot be opened or read.
 */
char *whole_read(const char *path, size_t *n);

/* The same, but end the program with status 1 and a message that names the file. */
char *whole_need(const char *path, size_t *n);

/* Write a message to a control file by one write(2), or end the program in the same way. */
void whole_write(const char *path, const char *message);

#endif
