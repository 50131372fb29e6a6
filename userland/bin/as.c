/*
 * as: runs a command as another user. There are two, and only eve, the owner of the machine, may
 * become somebody else: setuid(2).
 */
#include <err.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/run.h"
#include "userland/command/usage.h"

static const char *const users[] = { "eve", "none" }; /* by uid */

static const char synopsis[] = "as user command [argument ...]";

/* Return the uid of a user by name, or end the program. */
static int find_user(const char *name)
{
	for (int uid = 0; uid < 2; uid++)
		if (strcmp(name, users[uid]) == 0)
			return uid;
	errx(1, "%s: no such user; there are eve and none", name);
}

int main(int argc, char **argv)
{
	no_options(argc, argv, synopsis);
	if (argc - optind < 2)
		usage('?', synopsis);
	if (setuid(find_user(argv[optind])) < 0)
		err(1, "%s", argv[optind]);
	run_exec(argv + optind + 1);
}
