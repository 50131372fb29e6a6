/*
 * mkframes: writes what a guest would send to the standard output.
 *
 * usage: mkframes [TYPE ARGUMENT]...
 *	V TEXT, O TEXT, D TEXT, E TEXT	a frame with that text
 *	F SIZE:PATH	a file begins
 *	S SIZE:PATH	a file was stored
 *	N SIZE		frames 'D' with SIZE bytes: 0, 1, 2, ... 250, 0, ...
 *	X STATUS	the end
 *	! TEXT		TEXT as it is, no frame
 */
#include <stdio.h>
#include <stdlib.h>
#include "tests/tools/framedata.h"

/* Write one frame. */
static void put(char type, const void *payload, size_t n)
{
	static uint8_t buf[16 + 65536];

	fwrite(buf, 1, framedata_make(buf, type, payload, n), stdout);
}

/* Write a frame 'F' or 'S' from SIZE:PATH. */
static void put_file(char type, const char *arg)
{
	const char *path = strchr(arg, ':') + 1;
	uint8_t buf[4096];

	framedata_number(buf, strtoull(arg, NULL, 0), 8);
	memcpy(buf + 8, path, strlen(path));
	put(type, buf, 8 + strlen(path));
}

/* Write a pattern in pieces of odd sizes. */
static void put_pattern(size_t size)
{
	static uint8_t buf[65521];
	size_t at = 0, n, i;

	for (; at < size; at += n) {
		n = size - at < sizeof(buf) ? size - at : sizeof(buf);
		for (i = 0; i < n; i++)
			buf[i] = (at + i) % 251;
		put('D', buf, n);
	}
}

int main(int argc, char **argv)
{
	uint8_t status[4];
	int i;

	for (i = 1; i + 1 < argc; i += 2)
		switch (argv[i][0]) {
		case 'F':
		case 'S':
			put_file(argv[i][0], argv[i + 1]);
			break;
		case 'N':
			put_pattern(strtoul(argv[i + 1], NULL, 0));
			break;
		case 'X':
			framedata_number(status, atoi(argv[i + 1]), 4);
			put('X', status, 4);
			break;
		case '!':
			fputs(argv[i + 1], stdout);
			break;
		default:
			put(argv[i][0], argv[i + 1], strlen(argv[i + 1]));
		}
	return 0;
}
