/* What a program wants done at its end. */
#include <errno.h>
#include <stdlib.h>
#include "userland/libc/libc.h"

#define NFN 32

static void (*fns[NFN])(void);
static unsigned n;

/* -1 and ENOMEM when NFN functions are there already. */
int atexit(void (*fn)(void))
{
	if (n == NFN)
		return __sysret(-ENOMEM);
	fns[n++] = fn;
	return 0;
}

/* Calls the functions, the last one first; they may register more. */
void __atexit_run(void)
{
	while (n > 0)
		fns[--n]();
}
