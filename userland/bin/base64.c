/*
 * base64: turns bytes into text of 64 characters, and with -d back (RFC 4648, section 4). That is
 * the way to pass a binary file through a console.
 */
#include <err.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"

#define LINE_BYTES 57 /* become a line of 76 characters, the most that MIME allows */

/* The digits 0 to 63; = fills a last group that has fewer than three bytes. */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static unsigned char buf[STREAM_BUF];

static const char synopsis[] = "base64 [-d] [file ...]";

/* Encode three bytes as four digits of six bits each. */
static void encode_group(char to[4], unsigned a, unsigned b, unsigned c)
{
	to[0] = digits[a >> 2];
	to[1] = digits[(a & 3) << 4 | b >> 4];
	to[2] = digits[(b & 15) << 2 | c >> 6];
	to[3] = digits[c & 63];
}

/* Encode up to LINE_BYTES bytes as one line. What the last group lacks is = in the text. */
static void encode_line(const unsigned char *p, size_t n)
{
	char line[LINE_BYTES / 3 * 4 + 1], *to = line;

	for (; n >= 3; n -= 3, p += 3, to += 4)
		encode_group(to, p[0], p[1], p[2]);
	if (n > 0) {
		encode_group(to, p[0], n == 2 ? p[1] : 0, 0);
		memset(to + 1 + n, '=', 3 - n);
		to += 4;
	}
	*to++ = '\n';
	stream_put(line, to - line);
}

/* Encode a file, by pieces that make whole lines. Return 1 after a warning, else 0. */
static int encode(int fd, const char *name)
{
	size_t piece = STREAM_BUF / LINE_BYTES * LINE_BYTES;
	ssize_t n;

	do {
		n = stream_fill(fd, buf, piece);
		for (ssize_t i = 0; i < n; i += LINE_BYTES)
			encode_line(buf + i, n - i < LINE_BYTES ? n - i : LINE_BYTES);
		stream_flush();
	} while (n == (ssize_t)piece);
	if (n < 0)
		warn("%s", name);
	return n < 0;
}

/* A group of four characters while it is decoded. */
struct group {
	unsigned value; /* the bits so far */
	unsigned chars; /* so far, the pads among them */
	unsigned pads;	/* = at its end; after one with a pad nothing may follow */
};

/* Take a character, and put the group's bytes when it is full. Return false if it is misplaced. */
static bool decode_char(struct group *g, char c)
{
	const char *digit = c ? strchr(digits, c) : NULL;
	char bytes[3];

	/* White space may be anywhere: mail breaks lines. */
	if (c == '\n' || c == '\r' || c == ' ' || c == '\t')
		return true;
	if (c == '=' && g->chars >= 2)
		g->pads++;
	else if (!digit || g->pads > 0)
		return false;
	g->value = g->value << 6 | (digit ? digit - digits : 0);
	if (++g->chars < 4)
		return true;
	/* A pad stands for a byte less. */
	for (int i = 0; i < 3; i++)
		bytes[i] = g->value >> (16 - 8 * i);
	stream_put(bytes, 3 - g->pads);
	g->chars = 0;
	g->value = 0;
	return true;
}

/* Decode a file. What came before a fault is written. Return 1 after a warning, else 0. */
static int decode(int fd, const char *name)
{
	struct group g = { 0 };
	bool good = true;
	ssize_t n;

	while (good && (n = read(fd, buf, sizeof(buf))) > 0)
		for (ssize_t i = 0; i < n && good; i++)
			good = decode_char(&g, buf[i]);
	stream_flush();
	if (good && n < 0) {
		warn("%s", name);
		return 1;
	}
	if (good && g.chars == 0)
		return 0;
	warnx("%s: not base64, or cut short", name);
	return 1;
}

int main(int argc, char **argv)
{
	int (*work)(int fd, const char *name) = encode;
	int c;

	while ((c = getopt(argc, argv, "dh")) != -1) {
		if (c != 'd')
			usage(c, synopsis);
		work = decode;
	}
	return stream_each(argv + optind, work);
}
