/*
 * bind: makes a file or directory appear at another place of the namespace, as in Plan 9: instead
 * of what is there, or in a union before or after it.
 */
#include <sys/bind.h>
#include <err.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "bind [-a | -b] [-c] new old";

int main(int argc, char **argv)
{
	int c, where = MREPL, create = 0;

	/* -a and -b exclude each other; -c says in which part of a union files are created. */
	while ((c = getopt(argc, argv, "abch")) != -1) {
		int side = c == 'a' ? MAFTER : MBEFORE;

		if (c == 'c')
			create = MCREATE;
		else if (c == 'h')
			usage('h', synopsis);
		else if (c == '?' || (where != MREPL && where != side))
			usage('?', synopsis);
		else
			where = side;
	}
	if (argc - optind != 2)
		usage('?', synopsis);
	/* The message names both, for either may be what is wrong. */
	if (bind(argv[optind], argv[optind + 1], where | create) < 0)
		err(1, "%s on %s", argv[optind], argv[optind + 1]);
	return 0;
}
