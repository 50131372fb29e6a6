/* Files by descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ports/libc/calls.h"

/*
 * Open a file; with O_CREAT the third argument is the mode of a new one. All that is written is
 * kept as if by O_SYNC, and a plain file never has anybody wait.
 */
int open(const char *path, int flags, ...)
{
	struct stat st;
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (flags & O_NOFOLLOW && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
		errno = ELOOP;
		return -1;
	}
	flags &= ~(O_NOFOLLOW | O_SYNC | O_SEARCH);
	if (flags & O_NONBLOCK && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		flags &= ~O_NONBLOCK;
	return __sysret(sys3(SYS_open, (int)path, flags, mode));
}

/* Move the offset. newlib's off_t has 32 bits: EOVERFLOW where the new one has more. */
off_t lseek(int fd, off_t offset, int whence)
{
	long long now;

	if (__sysret(sys5(SYS_lseek, fd, offset, offset >> 31, whence, (int)&now)) < 0)
		return -1;
	return now == (off_t)now ? (off_t)now : __sysret(-EOVERFLOW);
}

/* Nothing is kept back that is to be written. */
int fsync(int fd)
{
	return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

int fdatasync(int fd) __attribute__((alias("fsync")));
