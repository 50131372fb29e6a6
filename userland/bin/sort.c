/*
 * sort: sorts lines, all of them in memory, by their bytes. Those that compare equal keep their
 * order. Its status is 2 after an error, as POSIX wants it to be greater than 1.
 */
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

/* A line of the text. */
struct line {
	const char *text; /* without the newline */
	const char *key;  /* within it, up to its end */
	unsigned len;
};

static bool numeric, reverse, unique; /* -n, -r and -u */
static long field = 1;		      /* -k: the key begins at this one, from 1 */
static const char *separator;	      /* -t: this character is between fields, not blanks */

static char *text; /* all the input, whose files each end with a newline here */
static size_t text_len, text_size;

static const char synopsis[] = "sort [-nru] [-k field] [-t char] [file ...]";

/* Blanks are between fields. */
static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Return where the key of a line begins: at the field asked for, or at the line's end. */
static const char *find_key(const char *p, const char *end)
{
	for (long i = 1; separator && i < field; i++) {
		p = memchr(p, *separator, end - p);
		if (!p)
			return end;
		p++;
	}
	if (separator)
		return p;
	for (long i = 1; i < field; i++) {
		while (p < end && is_blank(*p))
			p++;
		while (p < end && !is_blank(*p))
			p++;
	}
	while (field > 1 && p < end && is_blank(*p))
		p++;
	return p;
}

/* A number's digits, of any length, without zeros that do not matter. */
struct digits {
	const char *whole, *fraction;
	size_t nwhole, nfraction;
	int sign; /* -1, 0 or 1 */
};

/* Take a number apart; what is none comes out as zero. */
static struct digits parse(const char *p, const char *end)
{
	struct digits d = { .sign = 1 };

	while (p < end && is_blank(*p))
		p++;
	if (p < end && (*p == '-' || *p == '+'))
		d.sign = *p++ == '-' ? -1 : 1;
	while (p < end && *p == '0')
		p++;
	for (d.whole = p; p < end && is_digit(*p); p++)
		d.nwhole++;
	d.fraction = p;
	if (p < end && *p == '.') {
		for (d.fraction = ++p; p < end && is_digit(*p); p++)
			d.nfraction++;
		while (d.nfraction > 0 && d.fraction[d.nfraction - 1] == '0')
			d.nfraction--;
	}
	if (d.nwhole == 0 && d.nfraction == 0)
		d.sign = 0;
	return d;
}

/* Compare by bytes; of two texts that begin alike the shorter comes first. */
static int compare_bytes(const char *a, size_t n, const char *b, size_t m)
{
	int order = memcmp(a, b, n < m ? n : m);

	return order ? order : (n > m) - (n < m);
}

/*
 * Compare by the numbers that the keys begin with: by sign, then by size, which the count of digits
 * tells first, then by fraction.
 */
static int compare_numbers(const struct line *a, const struct line *b)
{
	struct digits x = parse(a->key, a->text + a->len), y = parse(b->key, b->text + b->len);
	int order;

	if (x.sign != y.sign)
		return x.sign - y.sign;
	if (x.nwhole != y.nwhole)
		return x.nwhole > y.nwhole ? x.sign : -x.sign;
	order = memcmp(x.whole, y.whole, x.nwhole);
	if (order == 0)
		order = compare_bytes(x.fraction, x.nfraction, y.fraction, y.nfraction);
	return order * x.sign;
}

/* Return the order of two lines as the options have it: below, at or above 0. */
static int compare(const struct line *a, const struct line *b)
{
	int order;

	if (numeric)
		order = compare_numbers(a, b);
	else
		order = compare_bytes(a->key, a->text + a->len - a->key, b->key,
				      b->text + b->len - b->key);
	if (reverse)
		return order < 0 ? 1 : -(order > 0);
	return order;
}

/* Sort by merging: stable, and n log n with any input. spare has room for half of the lines. */
static void sort(struct line *lines, size_t n, struct line *spare)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort(lines, half, spare);
	sort(lines + half, n - half, spare);
	/* What is in order already is only looked at. */
	if (compare(&lines[half - 1], &lines[half]) <= 0)
		return;
	memcpy(spare, lines, half * sizeof(*lines));
	while (i < half && j < n)
		lines[k++] = compare(&spare[i], &lines[j]) <= 0 ? spare[i++] : lines[j++];
	memcpy(lines + k, spare + i, (half - i) * sizeof(*lines));
}

/*
 * Read a file after those that were read before. Its last line is given its newline here, so that
 * it does not join the next file's first: stream_slurp leaves room for one byte.
 */
static int gather(int fd, const char *name)
{
	size_t before = text_len;

	text = stream_slurp(fd, text, &text_len, &text_size);
	if (!text)
		err(2, "%s", name);
	if (text_len > before && text[text_len - 1] != '\n')
		text[text_len++] = '\n';
	return 0;
}

/* Return the list of lines, which the caller frees; *n is their number. */
static struct line *split(size_t *n)
{
	const char *p = text, *end = text + text_len;
	struct line *lines;
	size_t count = 0;

	/* text is NULL if there was no input that could be read. */
	for (; p && p < end; p++)
		count += *p == '\n';
	/* Twice is room for the sort's spare lines. */
	if (count > SIZE_MAX / sizeof(*lines) / 2)
		errx(2, "too many lines");
	lines = malloc((count + 1) * sizeof(*lines));
	if (!lines)
		err(2, "memory");
	p = text;
	for (size_t i = 0; i < count; i++) {
		const char *newline = memchr(p, '\n', end - p);

		lines[i] = (struct line){ p, find_key(p, newline), newline - p };
		p = newline + 1;
	}
	*n = count;
	return lines;
}

int main(int argc, char **argv)
{
	struct line *lines, *spare;
	size_t n;
	int c, failed;

	while ((c = getopt(argc, argv, "hk:nrt:u")) != -1) {
		if (c == 'k')
			field = number(optarg, 1, INT_MAX);
		else if (c == 'n')
			numeric = true;
		else if (c == 'r')
			reverse = true;
		else if (c == 't' && strlen(optarg) == 1)
			separator = optarg;
		else if (c == 't')
			errx(2, "-t %s: not one character", optarg);
		else if (c == 'u')
			unique = true;
		else
			usage(c, synopsis);
	}
	failed = stream_each(argv + optind, gather);
	lines = split(&n);
	spare = malloc((n / 2 + 1) * sizeof(*spare));
	if (!spare)
		err(2, "memory");
	sort(lines, n, spare);
	/* Of equal lines -u prints the first, and it is that which others are compared with. */
	for (size_t i = 0, last = 0; i < n; i++) {
		if (unique && i > 0 && compare(&lines[last], &lines[i]) == 0)
			continue;
		stream_put(lines[i].text, lines[i].len + 1);
		last = i;
	}
	stream_flush();
	free(spare);
	free(lines);
	free(text);
	return failed;
}
