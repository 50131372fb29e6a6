/* Functions to call at the end of a program. */
#include <errno.h>
#include <stdlib.h>
#include "userland/libc/libc.h"

/* C asks for at least 32. */
#define NFN 32

static void (*fns[NFN])(void);
static unsigned n;

/* Register a function. Return -1 with ENOMEM if NFN are registered already. */
int atexit(void (*fn)(void))
{
	if (n == NFN)
		return __sysret(-ENOMEM);
	fns[n++] = fn;
	return 0;
}

/* Call the functions, the last one first. They may register more. */
void __atexit_run(void)
{
	while (n > 0)
		fns[--n]();
}
