/* What a failed assert says. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Says where and what, and aborts. */
void assert_failed(const char *what, const char *file, int line)
{
	dprintf(STDERR_FILENO, "%s: %s:%d: assertion failed: %s\n", getprogname(), file, line,
		what);
	abort();
}
