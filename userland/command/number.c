/* Numbers on a command line. */
#include "userland/command/number.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>

/* A whole decimal number within [low, high]; anything else ends the program with status 2. */
long number(const char *text, long low, long high)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (end == text || *end != '\0')
		errx(2, "%s: not a number", text);
	if (errno == ERANGE || n < low || n > high)
		errx(2, "%s: not within %ld and %ld", text, low, high);
	return n;
}
