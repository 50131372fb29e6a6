/* From the kernel's results to errno, and what a program needs that the kernel lacks. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "ports/libc/calls.h"

char **__argv;

/* The kernel's numbers are Linux's; newlib has others for those above ERANGE. */
static const struct {
	short kernel, newlib;
} errors[] = {
	{35, EDEADLK}, {36, ENAMETOOLONG}, {38, ENOSYS}, {39, ENOTEMPTY},
	{40, ELOOP}, {75, EOVERFLOW}, {110, ETIMEDOUT},
};

/* Turn an error of the kernel's into -1 and errno, and return everything else unchanged. */
int __sysret(int r)
{
	unsigned i;

	if ((unsigned)r < -4095u)
		return r;
	errno = -r;
	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i].kernel == -r)
			errno = errors[i].newlib;
	return -1;
}

static void say(const char *text)
{
	sys3(SYS_write, STDERR_FILENO, (int)text, (int)strlen(text));
}

/* Say once that the program needs a call that there is not. Return -1 with ENOSYS. */
int __lacks(const char *call, char *said)
{
	if (!*said) {
		*said = 1;
		say(__argv && *__argv ? *__argv : "a program");
		say(": needs ");
		say(call);
		say("(2), which this kernel lacks\n");
	}
	errno = ENOSYS;
	return -1;
}
