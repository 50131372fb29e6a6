/*
 * The disorderly end of a program.
 * Host: no
 */
#include <signal.h>
#include <stdlib.h>

/* End the process by SIGABRT, even if that is ignored. Nothing is flushed. */
void abort(void)
{
	signal(SIGABRT, SIG_DFL);
	raise(SIGABRT);
	__builtin_trap();
}
