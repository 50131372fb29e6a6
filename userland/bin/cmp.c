/*
 * cmp: compares two files byte by byte. Its status is 0 when they are the same, 1 when they differ,
 * and 2 in trouble, as POSIX has it.
 */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"

/* One of the two files. */
struct file {
	const char *name;
	int fd;
	ssize_t n; /* bytes in buf */
	unsigned char buf[STREAM_BUF];
};

static struct file a, b;
static bool silent; /* -s: only the status tells */

static const char synopsis[] = "cmp [-s] file1 file2";

/* Open an operand, or end the program with the status for trouble. */
static void open_file(struct file *f, const char *name)
{
	f->name = name;
	f->fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);
	if (f->fd < 0)
		err(2, "%s", name);
}

/* Read the next piece, whole unless the file ends. */
static void fill(struct file *f)
{
	f->n = stream_fill(f->fd, f->buf, sizeof(f->buf));
	if (f->n < 0)
		err(2, "%s", f->name);
}

/*
 * Return where the two buffers begin to differ, or the length of the shorter. Add the lines up to
 * there to *line.
 */
static ssize_t first_difference(unsigned long long *line)
{
	ssize_t shorter = a.n < b.n ? a.n : b.n, i;

	for (i = 0; i < shorter && a.buf[i] == b.buf[i]; i++)
		*line += a.buf[i] == '\n';
	return i;
}

int main(int argc, char **argv)
{
	unsigned long long offset = 0, line = 1;
	int c;

	while ((c = getopt(argc, argv, "hs")) != -1) {
		if (c != 's')
			usage(c, synopsis);
		silent = true;
	}
	if (argc - optind != 2)
		usage('?', synopsis);
	open_file(&a, argv[optind]);
	open_file(&b, argv[optind + 1]);
	do {
		ssize_t same;

		fill(&a);
		fill(&b);
		same = first_difference(&line);
		offset += same;
		if (same == a.n && same == b.n)
			continue;
		if (silent)
			return 1;
		if (same == a.n || same == b.n)
			warnx("%s ends after byte %llu", same == a.n ? a.name : b.name, offset);
		else
			printf("%s %s differ: byte %llu, line %llu\n", a.name, b.name, offset + 1,
			       line);
		return 1;
	} while (a.n > 0);
	return 0;
}
