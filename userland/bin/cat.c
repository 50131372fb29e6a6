/* cat: copies files to standard output. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"

static char buf[STREAM_BUF];
static bool numbers; /* -n: a line's number is before it */

static const char synopsis[] = "cat [-n] [file ...]";

/* With -n: put out a piece, whose first line may have begun in the piece before. */
static void put_numbered(const char *p, size_t n)
{
	static unsigned long line;
	static bool inside;
	char number[24];

	for (const char *end = p + n; p < end;) {
		const char *newline = memchr(p, '\n', end - p), *next = newline ? newline + 1 : end;

		if (!inside)
			stream_put(number, snprintf(number, sizeof(number), "%6lu\t", ++line));
		stream_put(p, next - p);
		inside = !newline;
		p = next;
	}
	stream_flush();
}

/*
 * Copy one file. Each piece goes out as it came, so that a terminal sees it at once. Return 1 after
 * a warning, else 0.
 */
static int copy(int fd, const char *name)
{
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (numbers)
			put_numbered(buf, n);
		else if (stream_write(STDOUT_FILENO, buf, n) < 0)
			err(1, "standard output");
	}
	if (n < 0)
		warn("%s", name);
	return n < 0;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "hn")) != -1) {
		if (c != 'n')
			usage(c, synopsis);
		numbers = true;
	}
	return stream_each(argv + optind, copy);
}
