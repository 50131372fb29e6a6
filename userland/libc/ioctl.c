/* Commands to a device. */
#include <stdarg.h>
#include <sys/ioctl.h>
#include "userland/libc/libc.h"

/* Send a command. The third argument is a word, a number or an address as the command says. */
int ioctl(int fd, unsigned long command, ...)
{
	va_list ap;
	int arg;

	va_start(ap, command);
	arg = va_arg(ap, int);
	va_end(ap);
	return __sysret(sys3(SYS_ioctl, fd, (int)command, arg));
}
