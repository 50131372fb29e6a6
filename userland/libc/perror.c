/* What errno means, on standard error. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Print "s: what errno means", or only that if s is NULL or empty. errno stays as it is. */
void perror(const char *s)
{
	int why = errno;

	if (s && *s != '\0')
		dprintf(STDERR_FILENO, "%s: %s\n", s, strerror(why));
	else
		dprintf(STDERR_FILENO, "%s\n", strerror(why));
	errno = why;
}
