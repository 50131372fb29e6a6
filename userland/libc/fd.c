/* Files by descriptor. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/*
 * Open a file and return the lowest free descriptor. With O_CREAT the third argument is the
 * mode of a new file.
 */
int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return __sysret(sys3(SYS_open, (int)path, flags, mode));
}

/* Create or empty a file, and open it for writing. */
int creat(const char *path, mode_t mode)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int close(int fd)
{
	return __sysret(sys1(SYS_close, fd));
}

/* Read up to n bytes and return how many, 0 at the end. */
ssize_t read(int fd, void *buf, size_t n)
{
	return __sysret(sys3(SYS_read, fd, (int)buf, n));
}

/* Write up to n bytes and return how many. */
ssize_t write(int fd, const void *buf, size_t n)
{
	return __sysret(sys3(SYS_write, fd, (int)buf, n));
}

/*
 * Move the offset and return it. The kernel takes it in two words, and answers through a
 * pointer because its results are of 32 bits.
 */
off_t lseek(int fd, off_t offset, int whence)
{
	off_t now;

	if (__sysret(sys5(SYS_lseek, fd, (int)offset, (int)(offset >> 32), whence, (int)&now)) < 0)
		return -1;
	return now;
}

/* Set what FSET_SIZE, FSET_MODE or FSET_MTIME stands for. */
int fset(int fd, int what, off_t value)
{
	return __sysret(sys5(SYS_fset, fd, what, (int)value, (int)(value >> 32), 0));
}

/* Cut a file to that size, or extend it with zeros. */
int ftruncate(int fd, off_t size)
{
	return fset(fd, FSET_SIZE, size);
}

/* Make a pipe: what is written to fd[1] can be read from fd[0]. */
int pipe(int fd[2])
{
	return __sysret(sys1(SYS_pipe, (int)fd));
}
