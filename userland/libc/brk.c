/* The break: the end of the program's data. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Sets the break; -1 and ENOMEM when the memory below it cannot be had. */
int brk(void *end)
{
	int now = __sysret(sys1(SYS_brk, (int)end));

	if (now == -1)
		return -1;
	if ((uintptr_t)now >= (uintptr_t)end)
		return 0;
	return __sysret(-ENOMEM);
}

/* Moves the break and returns where it was; (void *)-1 and ENOMEM when it cannot. */
void *sbrk(intptr_t increment)
{
	uintptr_t now = (uintptr_t)sys1(SYS_brk, 0);
	uintptr_t end = now + increment;

	if (increment == 0)
		return (void *)now;
	if (increment > 0 ? end < now : end > now)
		return (void *)__sysret(-ENOMEM);
	return brk((void *)end) < 0 ? (void *)-1 : (void *)now;
}
