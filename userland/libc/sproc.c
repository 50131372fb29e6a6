/* sproc(2): a process that shares memory with the one that makes it. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "userland/libc/libc.h"

#define STACK 65536

/* Where the entry function returns to. */
static void done(void)
{
	_exit(0);
}

/*
 * Starts a process that runs entry(arg) and then ends; inh says what it shares. Its
 * stack of 64 KB is never given back. The number of the process, or -1 and ENOMEM.
 */
pid_t sproc(void (*entry)(void *), unsigned inh, void *arg)
{
	char *stack = malloc(STACK);
	uint32_t *top;

	if (!stack)
		return -1;
	top = (uint32_t *)(((uintptr_t)stack + STACK) & ~(uintptr_t)15) - 3;
	top[0] = (uintptr_t)done;
	top[1] = (uintptr_t)arg;
	return __sysret(sys3(SYS_sproc, (int)inh, (int)top, (int)entry));
}
