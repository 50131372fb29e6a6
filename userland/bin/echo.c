/* echo: prints its arguments. */
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
	stream_flush();
	return 0;
}
