/* Opening and closing streams. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

/*
 * Return open()'s flags for "r", "w" or "a", then "+" for both directions, "x" for O_EXCL,
 * "e" for O_CLOEXEC. -1 with EINVAL for anything else.
 */
int __open_flags(const char *mode)
{
	int flags;

	switch (mode[0]) {
	case 'r':
		flags = O_RDONLY;
		break;
	case 'w':
		flags = O_WRONLY | O_CREAT | O_TRUNC;
		break;
	case 'a':
		flags = O_WRONLY | O_CREAT | O_APPEND;
		break;
	default:
		return __sysret(-EINVAL);
	}
	if (strchr(mode, '+'))
		flags = (flags & ~O_ACCMODE) | O_RDWR;
	if (strchr(mode, 'x'))
		flags |= O_EXCL;
	if (strchr(mode, 'e'))
		flags |= O_CLOEXEC;
	return flags;
}

/* Return F_READ and F_WRITE as open()'s flags say. */
static uint8_t direction(int flags)
{
	switch (flags & O_ACCMODE) {
	case O_RDONLY:
		return F_READ;
	case O_WRONLY:
		return F_WRITE;
	}
	return F_READ | F_WRITE;
}

/*
 * Allocate a stream. Return NULL with ENOMEM, or if flags is -1, for which errno is set
 * already.
 */
static FILE *new_file(int flags)
{
	FILE *f = flags < 0 ? NULL : malloc(sizeof(*f) + PUSHBACK + BUFSIZ);

	if (!f)
		return NULL;
	*f = (FILE){
		.fd = -1,
		.flags = direction(flags) | F_HEAP,
		.mode = _IOFBF,
		.buf = (unsigned char *)(f + 1),
	};
	return f;
}

/* Open a file as a stream, buffered whole. NULL with EINVAL, ENOMEM, or what open() sets. */
FILE *fopen(const char *path, const char *mode)
{
	int flags = __open_flags(mode);
	FILE *f = new_file(flags);

	if (!f)
		return NULL;
	f->fd = open(path, flags, 0666);
	if (f->fd < 0) {
		free(f);
		return NULL;
	}
	return f;
}

/*
 * Make a stream of an open descriptor, which the stream then owns. NULL with EINVAL or
 * ENOMEM.
 */
FILE *fdopen(int fd, const char *mode)
{
	FILE *f = new_file(__open_flags(mode));

	if (!f)
		return NULL;
	f->fd = fd;
	if (isatty(fd))
		f->mode = _IOLBF;
	return f;
}

/* Make the stream another file under the same descriptor. If that fails, it is closed. */
FILE *freopen(const char *path, const char *mode, FILE *f)
{
	int flags = __open_flags(mode);
	int fd = flags < 0 ? -1 : open(path, flags, 0666);

	__flush(f);
	if (fd < 0 || (fd != f->fd && dup2(fd, f->fd) < 0)) {
		fclose(f);
		return NULL;
	}
	if (fd != f->fd)
		close(fd);
	__forget(f);
	f->flags = direction(flags) | (f->flags & F_HEAP);
	if (f->mode != _IONBF)
		f->mode = MODE_UNKNOWN;
	return f;
}

/*
 * Close a stream. Return EOF if what waited could not be written; the stream is gone in any
 * case.
 */
int fclose(FILE *f)
{
	int r = __flush(f);

	__forget(f);
	if (close(f->fd) < 0)
		r = EOF;
	f->flags &= F_HEAP;
	if (f->flags & F_HEAP)
		free(f);
	return r;
}
