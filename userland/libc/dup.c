/* Descriptors: others for the same open file, and what they are. */
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Make the lowest free descriptor another one for the same open file. */
int dup(int fd)
{
	return __sysret(sys3(SYS_fcntl, fd, F_DUPFD, 0));
}

/* Make newfd another descriptor for the same open file. What it was before is closed. */
int dup2(int fd, int newfd)
{
	return __sysret(sys3(SYS_fcntl, fd, F_DUP2FD, newfd));
}

/* Ask or change what a descriptor is: abi/fcntl.h has the commands, some of which take a value. */
int fcntl(int fd, int command, ...)
{
	va_list ap;
	int value;

	va_start(ap, command);
	value = va_arg(ap, int);
	va_end(ap);
	return __sysret(sys3(SYS_fcntl, fd, command, value));
}
