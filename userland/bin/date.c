/*
 * date: prints the time, by strftime(3). There is no time zone but UTC, and nobody sets the clock:
 * the machine's is read when it starts.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "date [-n | +format]";

int main(int argc, char **argv)
{
	const char *format = "%a %b %e %H:%M:%S UTC %Y";
	bool seconds = false; /* since 1970, in place of text */
	char text[1024]; /* what a format becomes, at most */
	time_t now;
	int c;

	while ((c = getopt(argc, argv, "hn")) != -1) {
		if (c != 'n')
			usage(c, synopsis);
		seconds = true;
	}
	/* As POSIX has it, a format begins with +; beside -n there is none. */
	if (argc - optind > !seconds || (optind < argc && argv[optind][0] != '+'))
		usage('?', synopsis);
	if (optind < argc)
		format = argv[optind] + 1;
	now = time(NULL);
	if (now == (time_t)-1)
		err(1, "time");
	if (seconds) {
		printf("%lld\n", (long long)now);
	} else {
		/* strftime returns 0 for an empty format, too, which is no error. */
		if (*format && strftime(text, sizeof(text), format, gmtime(&now)) == 0)
			errx(1, "%s: too long", format);
		puts(*format ? text : "");
	}
	return 0;
}
