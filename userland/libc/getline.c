/* Reading lines of any length. Optimize: speed. */
#include <errno.h>
#include <limits.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

/* The first size of a line's memory; it doubles from there. */
#define FIRST_SIZE 120

/* Make *line at least n bytes large. Return -1 with ENOMEM or EOVERFLOW. */
static int reserve(char **line, size_t *size, size_t n, const void *caller)
{
	size_t bigger = !*line || *size < FIRST_SIZE ? FIRST_SIZE : 2 * *size;
	char *p;

	if (*line && n <= *size)
		return 0;
	if (n > SSIZE_MAX / 2)
		return __sysret(-EOVERFLOW);
	p = __realloc(*line, bigger, caller);
	if (!p)
		return -1;
	*line = p;
	*size = bigger;
	return 0;
}

/*
 * Read up to the next delimiter, and with it, into memory that grows as needed and is
 * charged to `caller'. A NUL follows. Return the length, or -1 at the end and on errors.
 */
static ssize_t get(char **line, size_t *size, int delim, FILE *f, const void *caller)
{
	size_t n = 0;
	int c;

	do {
		if (reserve(line, size, n + 2, caller) < 0) {
			f->flags |= F_ERR;
			return -1;
		}
		c = fgetc(f);
		if (c == EOF)
			break;
		(*line)[n++] = (char)c;
	} while (c != delim);
	(*line)[n] = '\0';
	return n == 0 || (c == EOF && ferror(f)) ? -1 : (ssize_t)n;
}

/*
 * Read up to a delimiter into *line, which is NULL or from malloc(), *size bytes large, and
 * is for free(). Return the length, or -1 at the end and on errors. (POSIX)
 */
ssize_t getdelim(char **line, size_t *size, int delim, FILE *f)
{
	return get(line, size, delim, f, CALLER);
}

/* As getdelim(), up to a newline. */
ssize_t getline(char **line, size_t *size, FILE *f)
{
	return get(line, size, '\n', f, CALLER);
}
