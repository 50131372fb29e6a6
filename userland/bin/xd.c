/*
 * xd: shows bytes in hexadecimal, with their offset and as text. A line is "00000000  68 69  |hi|";
 * offsets have eight digits, or 16 beyond 4 GB.
 */
#include <err.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

#define COLUMNS_MAX 256 /* bytes on a line */

static unsigned char buf[STREAM_BUF];
static long columns = 16;     /* -c: bytes on a line */
static long skip;	      /* -s: bytes of each file that are not shown */
static long limit = LONG_MAX; /* -n: bytes of each file that are, at most */

static const char synopsis[] = "xd [-c columns] [-n count] [-s skip] [file ...]";

/* Put the low digits of a number, most significant first. Return the place after them. */
static char *put_hex(char *to, unsigned long long value, int digits)
{
	while (digits-- > 0)
		*to++ = "0123456789abcdef"[value >> (4 * digits) & 15];
	return to;
}

/* Print a line: the offset, the bytes, and between bars those that can be printed. */
static void print_line(unsigned long long offset, const unsigned char *p, size_t n)
{
	char line[16 + COLUMNS_MAX * 4 + 8]; /* a byte has three columns, and one as text */
	char *to = put_hex(line, offset, offset >> 32 ? 16 : 8);

	*to++ = ' ';
	for (size_t i = 0; i < (size_t)columns; i++) {
		*to++ = ' ';
		if (i < n)
			to = put_hex(to, p[i], 2);
		else
			to = memset(to, ' ', 2) + 2;
	}
	/* A last line that is short has blanks for bytes, so that the bars stay in one column. */
	memcpy(to, "  |", 3);
	to += 3;
	for (size_t i = 0; i < n; i++)
		*to++ = p[i] >= ' ' && p[i] < 0x7f ? p[i] : '.';
	memcpy(to, "|\n", 2);
	stream_put(line, to + 2 - line);
}

/* Pass over the first bytes, by reading where one cannot seek. Return -1 with errno if not. */
static int pass_over(int fd, long n)
{
	if (n == 0 || lseek(fd, n, SEEK_CUR) >= 0)
		return 0;
	while (n > 0) {
		ssize_t got = read(fd, buf, n < STREAM_BUF ? n : STREAM_BUF);

		if (got <= 0)
			return got; /* at the end there is nothing to show, which is no error */
		n -= got;
	}
	return 0;
}

/* Show one file, by pieces that make whole lines. Return 1 after a warning, else 0. */
static int dump(int fd, const char *name)
{
	size_t piece = STREAM_BUF / columns * columns;
	unsigned long long offset = skip;
	long left = limit;
	ssize_t n;

	if (pass_over(fd, skip) < 0) {
		warn("%s", name);
		return 1;
	}
	do {
		size_t want = left < (long)piece ? (size_t)left : piece;

		n = stream_fill(fd, buf, want);
		for (ssize_t i = 0; i < n; i += columns)
			print_line(offset + i, buf + i, n - i < columns ? n - i : columns);
		offset += n > 0 ? n : 0;
		left -= n > 0 ? n : 0;
	} while (n == (ssize_t)piece && left > 0);
	stream_flush();
	if (n < 0)
		warn("%s", name);
	return n < 0;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "c:hn:s:")) != -1) {
		if (c == 'c')
			columns = number(optarg, 1, COLUMNS_MAX);
		else if (c == 'n')
			limit = number(optarg, 0, LONG_MAX);
		else if (c == 's')
			skip = number(optarg, 0, LONG_MAX);
		else
			usage(c, synopsis);
	}
	return stream_each(argv + optind, dump);
}
