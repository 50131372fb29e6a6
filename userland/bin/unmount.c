/*
 * unmount: undoes bind(1): it takes one thing out of a union, or with one operand all that was
 * bound there.
 */
#include <sys/bind.h>
#include <err.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "unmount [new] old";

int main(int argc, char **argv)
{
	const char *old, *new = NULL;

	no_options(argc, argv, synopsis);
	if (argc - optind < 1 || argc - optind > 2)
		usage('?', synopsis);
	old = argv[argc - 1];
	if (argc - optind == 2)
		new = argv[optind];
	if (unmount(new, old) < 0)
		err(1, "%s", old);
	return 0;
}
