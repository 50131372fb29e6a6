/* unmount: undoes bind. */
#include <sys/bind.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void usage(FILE *to)
{
	fprintf(to, "usage: unmount [new] old\n");
	exit(to == stdout ? 0 : 2);
}

int main(int argc, char **argv)
{
	const char *old, *new = NULL;
	int c;

	while ((c = getopt(argc, argv, "h")) != -1)
		usage(c == 'h' ? stdout : stderr);
	if (argc - optind < 1 || argc - optind > 2)
		usage(stderr);
	old = argv[argc - 1];
	if (argc - optind == 2)
		new = argv[optind];
	if (unmount(new, old) < 0)
		err(1, "%s", old);
	return 0;
}
