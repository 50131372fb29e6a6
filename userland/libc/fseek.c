/* Where a stream is in its file. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

/* Move to an offset. Return 0, or -1 with ESPIPE or EINVAL. */
int fseeko(FILE *f, off_t offset, int whence)
{
	/* This also moves the descriptor's offset to where the stream is. */
	if (__flush(f) < 0 || lseek(f->fd, offset, whence) < 0)
		return -1;
	f->flags &= ~F_EOF;
	return 0;
}

/* Return the offset of the next byte to be read or written. -1 with ESPIPE for pipes. */
off_t ftello(FILE *f)
{
	off_t at = lseek(f->fd, 0, SEEK_CUR);

	if (at < 0)
		return -1;
	if (f->flags & F_READING)
		return at - (off_t)(f->end - f->at);
	return f->flags & F_WRITING ? at + (off_t)f->at : at;
}

/* As fseeko(). */
int fseek(FILE *f, long offset, int whence)
{
	return fseeko(f, offset, whence);
}

/* As ftello(). -1 with EOVERFLOW if a long cannot hold the offset. */
long ftell(FILE *f)
{
	off_t at = ftello(f);

	return at <= LONG_MAX ? (long)at : __sysret(-EOVERFLOW);
}

/* Move to the beginning, and clear the marks of end and error. */
void rewind(FILE *f)
{
	fseeko(f, 0, SEEK_SET);
	clearerr(f);
}
