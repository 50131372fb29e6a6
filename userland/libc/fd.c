/* Files by descriptor. */
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* The lowest free descriptor. The third argument, with O_CREAT, is the mode of a new file. */
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

/* Opens an empty file for writing. */
int creat(const char *path, mode_t mode)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int close(int fd)
{
	return __sysret(sys1(SYS_close, fd));
}

/* How many bytes were read, which may be fewer; 0 at the end. */
ssize_t read(int fd, void *buf, size_t n)
{
	return __sysret(sys3(SYS_read, fd, (int)buf, n));
}

/* How many bytes were written, which may be fewer. */
ssize_t write(int fd, const void *buf, size_t n)
{
	return __sysret(sys3(SYS_write, fd, (int)buf, n));
}

/* The new offset. The kernel takes it in two words and answers through a pointer. */
off_t lseek(int fd, off_t offset, int whence)
{
	off_t now;

	if (__sysret(sys5(SYS_lseek, fd, (int)offset, (int)(offset >> 32), whence, (int)&now)) < 0)
		return -1;
	return now;
}

int ftruncate(int fd, off_t size)
{
	return __sysret(sys3(SYS_ftruncate, fd, (int)size, (int)(size >> 32)));
}

/* The lowest free descriptor becomes another for the same open file. */
int dup(int fd)
{
	return __sysret(sys1(SYS_dup, fd));
}

/* newfd becomes another descriptor for the same open file; what it was is closed. */
int dup2(int fd, int newfd)
{
	return __sysret(sys2(SYS_dup2, fd, newfd));
}

/* What is written to fd[1] is read from fd[0]. */
int pipe(int fd[2])
{
	return __sysret(sys1(SYS_pipe, (int)fd));
}
