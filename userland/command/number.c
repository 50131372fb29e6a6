/* Numbers on a command line. */
#include "userland/command/number.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "userland/command/memory.h"

#define LONGEST 1000000000L /* seconds: more than thirty years */

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

void number_lines(int argc, char **argv)
{
	const char *arg = argc > 1 ? argv[1] : "";

	if (arg[0] != '-' || !isdigit((unsigned char)arg[1]))
		return;
	argv[1] = memory(malloc(strlen(arg) + 2));
	strcpy(argv[1], "-n");
	strcat(argv[1], arg + 1);
}

bool number_seconds(const char *text, struct timespec *t)
{
	const char *s = text;
	long unit = 100000000; /* ns that a digit after the point stands for */

	*t = (struct timespec){.tv_sec = 0};
	for (; isdigit((unsigned char)*s); s++) {
		t->tv_sec = t->tv_sec * 10 + (*s - '0');
		if (t->tv_sec > LONGEST)
			return false;
	}
	if (*s == '.') {
		for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
			t->tv_nsec += unit * (*s - '0');
	}
	return *s == '\0' && s > text && isdigit((unsigned char)s[-1]);
}
