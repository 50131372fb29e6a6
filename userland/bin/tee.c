/*
 * tee: copies standard input to standard output and to files. A file that fails is given up, the
 * others go on, as POSIX has it; standard output is needed.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

static char buf[STREAM_BUF];

static const char synopsis[] = "tee [-a] [file ...]";

/* With -a the files are appended to. A descriptor of -1 is a file that was given up. */
int main(int argc, char **argv)
{
	int c, count, failed = 0, how = O_TRUNC, *fds;
	ssize_t n;

	while ((c = getopt(argc, argv, "ah")) != -1) {
		if (c != 'a')
			usage(c, synopsis);
		how = O_APPEND; /* in place of O_TRUNC */
	}
	argv += optind;
	count = argc - optind;
	fds = memory(calloc(count + 1, sizeof(*fds)));
	for (int i = 0; i < count; i++) {
		fds[i] = open(argv[i], O_WRONLY | O_CREAT | how, 0644);
		if (fds[i] < 0) {
			warn("%s", argv[i]);
			failed = 1;
		}
	}
	while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0) {
		if (stream_write(STDOUT_FILENO, buf, n) < 0)
			err(1, "standard output");
		for (int i = 0; i < count; i++) {
			if (fds[i] >= 0 && stream_write(fds[i], buf, n) < 0) {
				warn("%s", argv[i]);
				close(fds[i]);
				fds[i] = -1;
				failed = 1;
			}
		}
	}
	if (n < 0)
		err(1, "standard input"); /* what was read is written */
	free(fds);
	return failed;
}
