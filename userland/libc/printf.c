/* Formatted text to streams. */
#include <errno.h>
#include "userland/libc/file.h"

struct file_sink {
	struct sink sink;
	FILE *f;
	int failed;
};

/* Pass text on to the stream. */
static void put(struct sink *to, const char *s, size_t n)
{
	struct file_sink *sink = (struct file_sink *)to;

	sink->failed |= __put(sink->f, s, n);
}

/*
 * Print to a stream and return the length, or -1. A short text to an unbuffered stream is
 * one write.
 */
int vfprintf(FILE *f, const char *fmt, va_list ap)
{
	struct file_sink to = {{put}, f, 0};
	int n;

	if (__start_writing(f) < 0)
		return -1;
	if (f->mode != _IONBF) {
		n = __format(&to.sink, fmt, ap);
		return to.failed ? -1 : n;
	}
	n = vdprintf(f->fd, fmt, ap);
	if (n < 0)
		f->flags |= F_ERR;
	return n;
}

/* As vfprintf(). */
int fprintf(FILE *f, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vfprintf(f, fmt, ap);
	va_end(ap);
	return n;
}

/* As vfprintf(), to standard output. */
int vprintf(const char *fmt, va_list ap)
{
	return vfprintf(stdout, fmt, ap);
}

/* As vprintf(). */
int printf(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vprintf(fmt, ap);
	va_end(ap);
	return n;
}
