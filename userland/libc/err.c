/* Messages that begin with the program's name. Each is one write. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Holds a path and some words; longer messages are cut. */
#define LINE_SIZE 1536

/* Print "name: message" and, unless number is -1, ": " and what the number means. */
static void complain(int number, const char *fmt, va_list ap)
{
	char line[LINE_SIZE] = "";

	if (fmt)
		vsnprintf(line, sizeof(line), fmt, ap);
	dprintf(STDERR_FILENO, "%s: %s%s%s\n", getprogname(), line, number >= 0 && fmt ? ": " : "",
		number >= 0 ? strerror(number) : "");
}

/* Print the message and what errno means. */
void vwarn(const char *fmt, va_list ap)
{
	complain(errno, fmt, ap);
}

/* Print the message alone. */
void vwarnx(const char *fmt, va_list ap)
{
	complain(-1, fmt, ap);
}

/* As vwarn(), then exit. */
void verr(int status, const char *fmt, va_list ap)
{
	vwarn(fmt, ap);
	exit(status);
}

/* As vwarnx(), then exit. */
void verrx(int status, const char *fmt, va_list ap)
{
	vwarnx(fmt, ap);
	exit(status);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
}

void warnx(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarnx(fmt, ap);
	va_end(ap);
}

void err(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	verr(status, fmt, ap);
}

void errx(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	verrx(status, fmt, ap);
}
