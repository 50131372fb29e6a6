/*
 * sleep: waits for a time given in seconds. A fraction of one, which POSIX does not have, is waited
 * for as precisely as the kernel's clock ticks.
 */
#include <err.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"

static const char synopsis[] = "sleep seconds[.fraction]";

int main(int argc, char **argv)
{
	struct timespec t;

	no_options(argc, argv, synopsis);
	if (argc - optind != 1 || !number_seconds(argv[optind], &t))
		usage('?', synopsis);
	if (nanosleep(&t, NULL) < 0)
		err(1, "sleep");
	return 0;
}
