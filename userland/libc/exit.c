/* The orderly end of a program. */
#include <stdlib.h>
#include <unistd.h>
#include "userland/libc/libc.h"

#pragma weak __atexit_run
#pragma weak __stdio_exit

/*
 * Call what atexit() was given, flush the streams, and end the process. Programs without
 * those parts do not carry them (libc.h).
 */
void exit(int status)
{
	if (__atexit_run)
		__atexit_run();
	if (__stdio_exit)
		__stdio_exit();
	_exit(status);
}
