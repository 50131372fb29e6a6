/* less: shows files, or what is piped into it, a screen at a time. */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"
#include "userland/text/pager.h"

#define CONSOLE "/dev/cons" /* whose keys are read where standard input is the text */

static const char synopsis[] = "less [file ...]";

static char *text; /* of all the files, one after the other */
static size_t len, size;

/* Add a file to the text. Return 1 after a warning, else 0. */
static int add(int fd, const char *name)
{
	text = stream_slurp(fd, text, &len, &size);
	if (!text)
		err(1, "%s", name);
	return 0;
}

int main(int argc, char **argv)
{
	int failed, keys = STDIN_FILENO;

	no_options(argc, argv, synopsis);
	failed = stream_each(argv + optind, add);
	if (!isatty(keys))
		keys = open(CONSOLE, O_RDONLY);
	if (text)
		pager_show(text, len, keys);
	return failed;
}
