/* Writing to standard output. */
#include <stdio.h>

int putchar(int c)
{
	return fputc(c, stdout);
}

/* The string and a newline. */
int puts(const char *s)
{
	return fputs(s, stdout) < 0 ? EOF : fputc('\n', stdout);
}
