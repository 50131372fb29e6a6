/* sproc(2): a process that shares memory with the one that starts it. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "userland/libc/libc.h"

#define STACK 65536

/* End the process: the entry function returns to here. */
static void done(void)
{
	_exit(0);
}

/*
 * Start a process that runs entry(arg) and then ends; inh says what it shares. Its stack of
 * 64 KB is never freed, because the process that could free it still runs on it. Return its
 * number, or -1 with EAGAIN or ENOMEM.
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
	int pid = sys3(SYS_sproc, (int)inh, (int)top, (int)entry);
	if (pid < 0)
		free(stack);
	return __sysret(pid);
}
