/*
 * echo: prints its arguments. Only a first argument -n is an option, and backslashes mean nothing,
 * as in Plan 9.
 */
#include <string.h>

#include "userland/files/stream.h"

int main(int argc, char **argv)
{
	int first = 1;
	char end = '\n';

	if (argc > 1 && strcmp(argv[1], "-n") == 0)
		first = 2;
	for (int i = first; i < argc; i++) {
		if (i > first)
			stream_put(" ", 1);
		stream_put(argv[i], strlen(argv[i]));
	}
	if (first == 1)
		stream_put(&end, 1);
	stream_flush(); /* one write: a control file takes a message at a time */
	return 0;
}
