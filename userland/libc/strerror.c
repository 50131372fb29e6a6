/* What the error numbers mean, in words. */
#include <errno.h>
#include <string.h>

#define UNKNOWN "Unknown error "

static const char *const text[] = {
	[0] = "No error",
	[EPERM] = "Operation not permitted",
	[ENOENT] = "No such file or directory",
	[ESRCH] = "No such process",
	[EINTR] = "Interrupted",
	[EIO] = "Input/output error",
	[ENXIO] = "No such device or address",
	[E2BIG] = "Argument list too long",
	[ENOEXEC] = "Not a program",
	[EBADF] = "Bad file descriptor",
	[ECHILD] = "No child processes",
	[EAGAIN] = "Resource temporarily unavailable",
	[ENOMEM] = "Out of memory",
	[EACCES] = "Permission denied",
	[EFAULT] = "Bad address",
	[EBUSY] = "Busy",
	[EEXIST] = "File exists",
	[EXDEV] = "Not on the same device",
	[ENODEV] = "No such device",
	[ENOTDIR] = "Not a directory",
	[EISDIR] = "Is a directory",
	[EINVAL] = "Invalid argument",
	[ENFILE] = "Too many files",
	[EMFILE] = "Too many open files",
	[ENOTTY] = "Not a terminal",
	[ETXTBSY] = "Text file busy",
	[EFBIG] = "File too large",
	[ENOSPC] = "No space left",
	[ESPIPE] = "Cannot seek",
	[EROFS] = "Read-only file system",
	[EMLINK] = "Too many links",
	[EPIPE] = "Broken pipe",
	[EDOM] = "Argument out of domain",
	[ERANGE] = "Result out of range",
	[ENAMETOOLONG] = "File name too long",
	[ENOSYS] = "No such system call",
	[ENOTEMPTY] = "Directory not empty",
	[ELOOP] = "Too many levels",
	[EPROTO] = "Protocol error",
	[EOVERFLOW] = "Value too large",
	[EOPNOTSUPP] = "Not supported",
	[ETIMEDOUT] = "Timed out",
};

/*
 * Return the meaning of an error number, never NULL. One without a name is valid until the
 * next such call.
 */
char *strerror(int err)
{
	static char buf[sizeof(UNKNOWN) + 11] = UNKNOWN;
	unsigned n = err < 0 ? -(unsigned)err : (unsigned)err;
	char *p = buf + sizeof(buf) - 1;

	if (err >= 0 && n < sizeof(text) / sizeof(text[0]) && text[n])
		return (char *)text[n];
	do
		*--p = '0' + n % 10;
	while ((n /= 10) > 0);
	if (err < 0)
		*--p = '-';
	memmove(buf + strlen(UNKNOWN), p, buf + sizeof(buf) - p);
	return buf;
}
