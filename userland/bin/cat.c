/* cat: copies files to standard output. */
#include <err.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"

static char buf[STREAM_BUF];

static const char synopsis[] = "cat [file ...]";

/*
 * Copy one file. Each piece goes out as it came, so that a terminal sees it at once. Return 1 after
 * a warning, else 0.
 */
static int copy(int fd, const char *name)
{
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		if (stream_write(STDOUT_FILENO, buf, n) < 0)
			err(1, "standard output");
	if (n < 0)
		warn("%s", name);
	return n < 0;
}

int main(int argc, char **argv)
{
	no_options(argc, argv, synopsis);
	return stream_each(argv + optind, copy);
}
