/* Where a stream is in its file. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

int fseeko(FILE *f, off_t offset, int whence)
{
	/* This also moves the descriptor's offset to where the stream is. */
	if (__flush(f) < 0 || lseek(f->fd, offset, whence) < 0)
		return -1;
	f->flags &= ~F_EOF;
	return 0;
}

/* The offset of the next byte that is read or written; -1 and ESPIPE for pipes. */
off_t ftello(FILE *f)
{
	off_t at = lseek(f->fd, 0, SEEK_CUR);

	if (at < 0)
		return -1;
	if (f->flags & F_READING)
		return at - (off_t)(f->end - f->at);
	return f->flags & F_WRITING ? at + (off_t)f->at : at;
}

/* 0, or -1: ESPIPE, EINVAL. */
int fseek(FILE *f, long offset, int whence)
{
	return fseeko(f, offset, whence);
}

/* As ftello; -1 and EOVERFLOW when a long cannot hold it. */
long ftell(FILE *f)
{
	off_t at = ftello(f);

	return at <= LONG_MAX ? (long)at : __sysret(-EOVERFLOW);
}

/* To the beginning, with a clean slate. */
void rewind(FILE *f)
{
	fseeko(f, 0, SEEK_SET);
	clearerr(f);
}
