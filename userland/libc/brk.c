/* The break: the end of the program's data. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/*
 * Move the break. Return -1 with ENOMEM if there is no memory below it. The kernel returns
 * where the break is, which on failure is where it was.
 */
int brk(void *end)
{
	int now = __sysret(sys1(SYS_brk, (int)end));

	if (now == -1)
		return -1;
	if ((uintptr_t)now >= (uintptr_t)end)
		return 0;
	return __sysret(-ENOMEM);
}

/* Move the break by some bytes and return where it was, or (void *)-1 with ENOMEM. */
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
