/* Writing to streams. */
#include <errno.h>
#include <string.h>
#include "userland/libc/file.h"

/* Write past the buffer, which is empty. */
static int write_through(FILE *f, const char *s, size_t n)
{
	if (__write_all(f->fd, s, n) == 0)
		return 0;
	f->flags |= F_ERR;
	return EOF;
}

/*
 * Write n bytes. All output comes here, but for what fputc() puts into the buffer itself.
 * Return 0, or EOF with errno.
 */
int __put(FILE *f, const char *s, size_t n)
{
	size_t part;

	if (__start_writing(f) < 0)
		return EOF;
	if (f->mode == _IONBF)
		return __flush(f) < 0 ? EOF : write_through(f, s, n);
	while (n > 0) {
		if (f->at == BUFSIZ && __flush(f) < 0)
			return EOF;
		if (f->at == 0 && n >= BUFSIZ)
			return write_through(f, s, n);
		part = n < BUFSIZ - f->at ? n : BUFSIZ - f->at;
		memcpy(f->buf + f->at, s, part);
		f->at += part;
		if (f->mode == _IOLBF && memchr(s, '\n', part) && __flush(f) < 0)
			return EOF;
		s += part;
		n -= part;
	}
	return 0;
}

/* Write a byte. Return it, or EOF. */
int fputc(int c, FILE *f)
{
	char byte = (char)c;

	if ((f->flags & F_WRITING) && f->mode == _IOFBF && f->at < BUFSIZ) {
		f->buf[f->at++] = (unsigned char)c;
		return (unsigned char)c;
	}
	return __put(f, &byte, 1) < 0 ? EOF : (unsigned char)c;
}

int putc(int c, FILE *f)
{
	return fputc(c, f);
}

/* Write a string. Return 0, or EOF. */
int fputs(const char *s, FILE *f)
{
	return __put(f, s, strlen(s));
}

/*
 * Write n elements. Return n, or 0 if not all could be written, since a failed write does
 * not tell how far it came.
 */
size_t fwrite(const void *buf, size_t size, size_t n, FILE *f)
{
	size_t bytes;

	if (__builtin_mul_overflow(size, n, &bytes)) {
		errno = EOVERFLOW;
		return 0;
	}
	return bytes == 0 || __put(f, buf, bytes) < 0 ? 0 : n;
}
