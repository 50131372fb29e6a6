/*
 * tail: prints the last lines or bytes of files. Input that cannot be read backwards is the rule
 * here, pipes and devices, so each file is read from its beginning.
 */
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

static long wanted = 10; /* lines, or bytes */
static bool bytes;	 /* -c */
static bool titles;	 /* there are several files */
static bool follow;	 /* -f: what is added later, too */

static const char synopsis[] = "tail [-f] [-c bytes | -lines | -n lines] [file ...]";

/* Return where the last wanted lines or bytes of a text begin. */
static size_t tail_start(const char *text, size_t n)
{
	long lines = 0;
	size_t start = n;

	if (bytes)
		return n > (size_t)wanted ? n - wanted : 0;
	if (wanted == 0)
		return n;
	if (start > 0 && text[start - 1] == '\n')
		start--;
	for (; start > 0; start--)
		if (text[start - 1] == '\n' && ++lines == wanted)
			break;
	return start;
}

/* Make room in a full buffer: by dropping what is not the end, or by doubling it. */
static char *make_room(char *text, size_t *len, size_t *size)
{
	size_t start = tail_start(text, *len);

	if (start > *size / 2) {
		*len -= start;
		memmove(text, text + start, *len);
		return text;
	}
	if (*size > SIZE_MAX / 2)
		errx(1, "too long"); /* more than there can be of memory */
	*size = *size ? *size * 2 : STREAM_BUF;
	return memory(realloc(text, *size));
}

/* Print what is added to a file, until that fails or the program is ended. */
static ssize_t print_added(int fd)
{
	static char text[4096];
	ssize_t n;

	while ((n = read(fd, text, sizeof(text))) >= 0) {
		stream_put(text, n);
		stream_flush();
		if (n == 0)
			usleep(100000);
	}
	return n;
}

/*
 * Print the end of a file. No more than some twice of what is wanted is kept in memory. Return 1
 * after a warning, else 0.
 */
static int print(int fd, const char *name)
{
	size_t len = 0, size = 0, start;
	char *text = make_room(NULL, &len, &size);
	ssize_t n;

	while ((n = read(fd, text + len, size - len)) > 0) {
		len += n;
		if (len == size)
			text = make_room(text, &len, &size);
	}
	if (titles)
		stream_title(name);
	start = tail_start(text, len);
	stream_put(text + start, len - start);
	stream_flush();
	free(text);
	if (follow && n == 0)
		n = print_added(fd);
	if (n < 0)
		warn("%s", name);
	return n < 0;
}

int main(int argc, char **argv)
{
	int c, unit = 0;

	number_lines(argc, argv);
	while ((c = getopt(argc, argv, "c:fhn:")) != -1) {
		if (c == 'f') {
			follow = true;
			continue;
		}
		if (c != 'c' && c != 'n')
			usage(c, synopsis);
		if (unit && unit != c)
			errx(2, "-c and -n exclude each other");
		unit = c;
		wanted = number(optarg, 0, LONG_MAX);
		bytes = c == 'c';
	}
	titles = argc - optind > 1;
	if (follow && titles)
		errx(2, "-f is for one file");
	return stream_each(argv + optind, print);
}
