/* Files by descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/termios.h>
#include <unistd.h>
#include "ports/libc/calls.h"

/* Open a file; with O_CREAT the third argument is the mode of a new one. */
int open(const char *path, int flags, ...)
{
	int mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = va_arg(ap, int);
		va_end(ap);
	}
	return __sysret(sys3(SYS_open, (int)path, flags, mode));
}

int close(int fd)
{
	return __sysret(sys1(SYS_close, fd));
}

ssize_t read(int fd, void *buf, size_t n)
{
	return __sysret(sys3(SYS_read, fd, (int)buf, (int)n));
}

ssize_t write(int fd, const void *buf, size_t n)
{
	return __sysret(sys3(SYS_write, fd, (int)buf, (int)n));
}

/* Move the offset. newlib's off_t has 32 bits: EOVERFLOW where the new one has more. */
off_t lseek(int fd, off_t offset, int whence)
{
	long long now;

	if (__sysret(sys5(SYS_lseek, fd, offset, offset >> 31, whence, (int)&now)) < 0)
		return -1;
	if (now != (off_t)now) {
		errno = EOVERFLOW;
		return -1;
	}
	return (off_t)now;
}

int ftruncate(int fd, off_t size)
{
	return __sysret(sys5(SYS_fset, fd, FSET_SIZE, size, size >> 31, 0));
}

int pipe(int fd[2])
{
	return __sysret(sys1(SYS_pipe, (int)fd));
}

int ioctl(int fd, int command, ...)
{
	va_list ap;
	int arg;

	va_start(ap, command);
	arg = va_arg(ap, int);
	va_end(ap);
	return __sysret(sys3(SYS_ioctl, fd, command, arg));
}

int select(int n, fd_set *rd, fd_set *wr, fd_set *ex, struct timeval *timeout)
{
	return __sysret(sys5(SYS_select, n, (int)rd, (int)wr, (int)ex, (int)timeout));
}

/* Entries of a directory, as newlib's readdir(3) wants them. */
int getdents(int fd, void *buf, int n);
int getdents(int fd, void *buf, int n)
{
	return __sysret(sys3(SYS_getdents, fd, (int)buf, n));
}
