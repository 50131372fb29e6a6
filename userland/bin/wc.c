/*
 * wc: counts lines, words and bytes. Only what is to be printed is counted: words take far more
 * time than newlines, and bytes none.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"

/* What was counted in a file, or in all. */
struct counts {
	unsigned long long lines, words, bytes;
};

static char buf[STREAM_BUF];
static bool show_lines, show_words, show_bytes; /* -l, -w and -c */
static int width = 7;				/* of a column; 1 if there is only one number */
static struct counts total;

static const char synopsis[] = "wc [-clw] [file ...]";

/* Return the number of newlines in a piece. */
static unsigned count_lines(const char *p, size_t n)
{
	const char *end = p + n;
	unsigned lines = 0;

	while ((p = memchr(p, '\n', end - p))) {
		lines++;
		p++;
	}
	return lines;
}

/* As isspace(3), but inline: it is asked for each byte. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Return how many words begin in a piece. *inside says whether its edges are in a word. */
static unsigned count_words(const char *p, size_t n, bool *inside)
{
	unsigned words = 0;
	bool in = *inside;

	for (const char *end = p + n; p < end; p++) {
		bool now = !is_space(*p);

		words += now && !in;
		in = now;
	}
	*inside = in;
	return words;
}

/* Print the counts that were asked for, and a name unless it is NULL. */
static void print(const struct counts *c, const char *name)
{
	const char *between = ""; /* a blank, after the first column */

	if (show_lines) {
		printf("%*llu", width, c->lines);
		between = " ";
	}
	if (show_words) {
		printf("%s%*llu", between, width, c->words);
		between = " ";
	}
	if (show_bytes)
		printf("%s%*llu", between, width, c->bytes);
	if (name)
		printf(" %s", name);
	putchar('\n');
}

/* Count one file and add it to the total. Return 1 after a warning, else 0. */
static int count(int fd, const char *name)
{
	struct counts c = { 0 };
	bool inside = false;
	ssize_t n;

	/* A word may go on from one piece into the next. */
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		c.bytes += n;
		if (show_lines)
			c.lines += count_lines(buf, n);
		if (show_words)
			c.words += count_words(buf, n, &inside);
	}
	if (n < 0)
		warn("%s", name);
	total.lines += c.lines;
	total.words += c.words;
	total.bytes += c.bytes;
	print(&c, fd == STDIN_FILENO ? NULL : name);
	return n < 0;
}

int main(int argc, char **argv)
{
	int c, failed;

	while ((c = getopt(argc, argv, "chlw")) != -1) {
		if (c == 'c')
			show_bytes = true;
		else if (c == 'l')
			show_lines = true;
		else if (c == 'w')
			show_words = true;
		else
			usage(c, synopsis);
	}
	if (!show_lines && !show_words && !show_bytes)
		show_lines = show_words = show_bytes = true;
	/* A number alone is not set in a column, so that $(...) of a shell gets just that. */
	if (show_lines + show_words + show_bytes == 1 && argc - optind <= 1)
		width = 1;
	failed = stream_each(argv + optind, count);
	if (argc - optind > 1)
		print(&total, "total");
	return failed;
}
