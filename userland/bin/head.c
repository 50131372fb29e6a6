/* head: prints the first lines of files, each under its name if there are several. */
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

static char buf[STREAM_BUF];
static long wanted = 10; /* lines */
static bool titles; /* there are several files */

static const char synopsis[] = "head [-lines | -n lines] [file ...]";

/*
 * Print the beginning of a file, and read no more of it than is needed: another reader of a pipe or
 * a terminal may want the rest. Return 1 after a warning, else 0.
 */
static int print(int fd, const char *name)
{
	long left = wanted;
	ssize_t n = 0;

	if (titles)
		stream_title(name);
	while (left > 0 && (n = read(fd, buf, sizeof(buf))) > 0) {
		char *p = buf, *end = buf + n;

		while (left > 0 && p < end) {
			char *newline = memchr(p, '\n', end - p);

			p = newline ? newline + 1 : end;
			left -= newline != NULL;
		}
		stream_put(buf, p - buf);
		stream_flush();
	}
	if (n < 0)
		warn("%s", name);
	return n < 0;
}

int main(int argc, char **argv)
{
	int c, failed;

	number_lines(argc, argv);
	while ((c = getopt(argc, argv, "hn:")) != -1) {
		if (c != 'n')
			usage(c, synopsis);
		wanted = number(optarg, 0, LONG_MAX);
	}
	titles = argc - optind > 1; /* or which lines are whose would not be told */
	failed = stream_each(argv + optind, print);
	stream_flush();
	return failed;
}
