/* The end of a program whose assertion failed. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Print where and what, and abort. */
void assert_failed(const char *what, const char *file, int line)
{
	dprintf(STDERR_FILENO, "%s: %s:%d: assertion failed: %s\n", getprogname(), file, line,
		what);
	abort();
}
