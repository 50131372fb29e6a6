/* bind: makes a file or directory appear at another place of the namespace. */
#include <sys/bind.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void usage(FILE *to)
{
	fprintf(to, "usage: bind [-a | -b] [-c] new old\n");
	exit(to == stdout ? 0 : 2);
}

int main(int argc, char **argv)
{
	int c, where = MREPL, create = 0;

	while ((c = getopt(argc, argv, "abch")) != -1) {
		int side = c == 'a' ? MAFTER : MBEFORE;

		if (c == 'c')
			create = MCREATE;
		else if (c == 'h')
			usage(stdout);
		else if (c == '?' || (where != MREPL && where != side))
			usage(stderr);
		else
			where = side;
	}
	if (argc - optind != 2)
		usage(stderr);
	if (bind(argv[optind], argv[optind + 1], where | create) < 0)
		err(1, "%s on %s", argv[optind], argv[optind + 1]);
	return 0;
}
