/* Formatted text to descriptors. */
#include <string.h>
#include <unistd.h>
#include "userland/libc/file.h"

/* Where the text goes, and what of it has not been written yet. */
struct fd_sink {
	struct sink sink;
	int fd;
	int failed;
	size_t n;
	char buf[256];
};

/* Collect text in the buffer, and write that when it is full. */
static void put(struct sink *to, const char *s, size_t n)
{
	struct fd_sink *sink = (struct fd_sink *)to;

	if (n > sizeof(sink->buf) - sink->n) {
		sink->failed |= __write_all(sink->fd, sink->buf, sink->n);
		sink->n = 0;
	}
	if (n > sizeof(sink->buf)) {
		sink->failed |= __write_all(sink->fd, s, n);
		return;
	}
	memcpy(sink->buf + sink->n, s, n);
	sink->n += n;
}

/*
 * Print to a descriptor and return the length, or -1. Up to 256 bytes are one write, so that
 * short lines of several processes do not mix.
 */
int vdprintf(int fd, const char *fmt, va_list ap)
{
	struct fd_sink to; /* not initialised whole: that would clear the buffer */
	int n;

	to.sink.put = put;
	to.fd = fd;
	to.n = 0;
	to.failed = 0;
	n = __format(&to.sink, fmt, ap);
	to.failed |= __write_all(fd, to.buf, to.n);
	return to.failed ? -1 : n;
}

/* As vdprintf(). */
int dprintf(int fd, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vdprintf(fd, fmt, ap);
	va_end(ap);
	return n;
}
