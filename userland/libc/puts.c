/* Writing to standard output. */
#include <stdio.h>

int putchar(int c)
{
	return fputc(c, stdout);
}

/* Write the string and a newline. EOF on failure. */
int puts(const char *s)
{
	return fputs(s, stdout) < 0 ? EOF : fputc('\n', stdout);
}
