/*
 * Switching a stream between reading and writing, and writing what is left in buffers at the end. A
 * stream does one at a time: F_READING and F_WRITING are never both set.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

/* The streams in F_WRITING, for fflush(NULL). */
static FILE *written;

/* Write n bytes in as many pieces as it takes. Return 0, or EOF with errno. */
int __write_all(int fd, const void *buf, size_t n)
{
	const char *p = buf;

	while (n > 0) {
		ssize_t r = write(fd, p, n);

		if (r < 0)
			return EOF;
		p += r;
		n -= r;
	}
	return 0;
}

/*
 * Move the file's offset back over what was read but not used. Pipes cannot; that is no
 * error.
 */
static void give_back(FILE *f)
{
	int why = errno;

	if (f->end > f->at)
		lseek(f->fd, -(off_t)(f->end - f->at), SEEK_CUR);
	f->at = f->end = PUSHBACK;
	errno = why;
}

/* Write what waits, or drop it if that fails. Give back what was read too early. */
int __flush(FILE *f)
{
	size_t n = f->at;

	if (f->flags & F_READING)
		give_back(f);
	if (!(f->flags & F_WRITING))
		return 0;
	f->at = 0;
	if (__write_all(f->fd, f->buf, n) == 0)
		return 0;
	f->flags |= F_ERR;
	return EOF;
}

/*
 * Decide before the first byte whether lines are written as they end: on a terminal they
 * are.
 */
static void find_mode(FILE *f)
{
	int why = errno;

	if (f->mode == MODE_UNKNOWN)
		f->mode = isatty(f->fd) ? _IOLBF : _IOFBF;
	errno = why;
}

/* Fail, because the stream was not opened for this. */
static int refuse(FILE *f)
{
	f->flags |= F_ERR;
	return __sysret(-EBADF);
}

/* Make the stream one that is being read, unless it is already. */
int __start_reading(FILE *f)
{
	if (f->flags & F_READING)
		return 0;
	if (!(f->flags & F_READ))
		return refuse(f);
	find_mode(f);
	if (__flush(f) < 0)
		return EOF;
	if (f->flags & F_WRITING)
		__forget(f);
	f->flags |= F_READING;
	f->at = f->end = PUSHBACK;
	return 0;
}

/* Make the stream one that is being written, unless it is already. */
int __start_writing(FILE *f)
{
	if (f->flags & F_WRITING)
		return 0;
	if (!(f->flags & F_WRITE))
		return refuse(f);
	find_mode(f);
	__flush(f);
	f->flags = (f->flags & ~(F_READING | F_EOF)) | F_WRITING;
	f->at = 0;
	f->next = written;
	written = f;
	return 0;
}

/* Take a stream out of the list, if it is there. */
void __forget(FILE *f)
{
	FILE **p = &written;

	f->flags &= ~F_WRITING;
	while (*p && *p != f)
		p = &(*p)->next;
	if (*p)
		*p = f->next;
}

/* Write the unfinished lines of terminals. */
void __flush_lines(void)
{
	FILE *f;

	for (f = written; f; f = f->next) {
		if (f->mode == _IOLBF)
			__flush(f);
	}
}

/* Write what waits in the stream or, for NULL, in all streams. Return 0, or EOF with errno. */
int fflush(FILE *f)
{
	int r = 0;

	if (f)
		return __flush(f);
	for (f = written; f; f = f->next) {
		if (__flush(f) < 0)
			r = EOF;
	}
	return r;
}

/* Write what waits. exit() calls this in programs that have this file. */
void __stdio_exit(void)
{
	fflush(NULL);
}
