/* Reading from streams. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "userland/libc/file.h"

/*
 * Read up to n bytes into buf, not into the stream's buffer. Return 0 at the end and on
 * errors.
 */
static size_t read_some(FILE *f, void *buf, size_t n)
{
	ssize_t r;

	if (f->flags & F_EOF)
		return 0;
	/* Show a question before its answer is read. */
	if (f->mode != _IOFBF)
		__flush_lines();
	r = read(f->fd, buf, n);
	if (r > 0)
		return r;
	f->flags |= r == 0 ? F_EOF : F_ERR;
	return 0;
}

/* Fill the empty buffer. Return how many bytes it has; 0 at the end and on errors. */
static size_t refill(FILE *f)
{
	f->at = f->end = PUSHBACK;
	f->end += read_some(f, f->buf + PUSHBACK, f->mode == _IONBF ? 1 : BUFSIZ);
	return f->end - f->at;
}

/* Return the next byte, even if the buffer is empty. EOF at the end and on errors. */
int __fill(FILE *f)
{
	if (__start_reading(f) < 0 || (f->at == f->end && refill(f) == 0))
		return EOF;
	return f->buf[f->at++];
}

/* Return the next byte. EOF at the end and on errors. */
int fgetc(FILE *f)
{
	if ((f->flags & F_READING) && f->at < f->end)
		return f->buf[f->at++];
	return __fill(f);
}

int getc(FILE *f)
{
	return fgetc(f);
}

/*
 * Put a character back in front of the stream; room for PUSHBACK of them is certain. Return
 * it, or EOF.
 */
int ungetc(int c, FILE *f)
{
	if (c == EOF || __start_reading(f) < 0 || f->at == 0)
		return EOF;
	f->buf[--f->at] = (unsigned char)c;
	f->flags &= ~F_EOF;
	return (unsigned char)c;
}

/* Copy up to n bytes out of the buffer. If it is empty and they are many, read past it. */
static size_t take(FILE *f, char *p, size_t n)
{
	if (f->at == f->end) {
		if (n >= BUFSIZ)
			return read_some(f, p, n);
		if (refill(f) == 0)
			return 0;
	}
	if (n > f->end - f->at)
		n = f->end - f->at;
	memcpy(p, f->buf + f->at, n);
	f->at += n;
	return n;
}

/* Read n elements and return how many are whole: fewer at the end and on errors. */
size_t fread(void *buf, size_t size, size_t n, FILE *f)
{
	size_t want, got = 0, r;

	if (__builtin_mul_overflow(size, n, &want)) {
		errno = EOVERFLOW;
		return 0;
	}
	if (want == 0 || __start_reading(f) < 0)
		return 0;
	while (got < want && (r = take(f, (char *)buf + got, want - got)) > 0)
		got += r;
	return got / size;
}

/* Read a line with its newline, or size - 1 bytes of it. NULL at the end and on errors. */
char *fgets(char *buf, int size, FILE *f)
{
	int n = 0, c = EOF;

	while (n < size - 1 && (c = fgetc(f)) != EOF) {
		buf[n++] = (char)c;
		if (c == '\n')
			break;
	}
	if (size <= 0 || (n == 0 && size > 1) || (c == EOF && ferror(f)))
		return NULL;
	buf[n] = '\0';
	return buf;
}
