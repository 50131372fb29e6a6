/* pwd: prints the path of the current directory. */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void usage(FILE *to)
{
	fprintf(to, "usage: pwd\n");
	exit(to == stdout ? 0 : 2);
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	int c;

	while ((c = getopt(argc, argv, "h")) != -1)
		usage(c == 'h' ? stdout : stderr);
	if (optind < argc)
		usage(stderr);
	if (!getcwd(path, sizeof(path)))
		err(1, "current directory");
	puts(path);
	return 0;
}
