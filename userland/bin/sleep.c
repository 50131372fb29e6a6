/* sleep: waits for a time given in seconds, with a fraction if wanted. */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/usage.h"

#define LONGEST 1000000000L /* seconds; more than thirty years */

static const char synopsis[] = "sleep seconds[.fraction]";

/* Reads "1", "0.5" or ".25" to the nanosecond; further digits are dropped. */
static bool parse(const char *s, struct timespec *t)
{
	const char *start = s;
	long unit = 100000000;

	t->tv_sec = 0;
	t->tv_nsec = 0;
	for (; isdigit((unsigned char)*s); s++) {
		t->tv_sec = t->tv_sec * 10 + (*s - '0');
		if (t->tv_sec > LONGEST)
			return false;
	}
	if (*s == '.') {
		for (s++; isdigit((unsigned char)*s); s++, unit /= 10)
			t->tv_nsec += unit * (*s - '0');
	}
	return *s == '\0' && isdigit((unsigned char)(s > start ? s[-1] : 0));
}

int main(int argc, char **argv)
{
	struct timespec t;

	no_options(argc, argv, synopsis);
	if (argc - optind != 1 || !parse(argv[optind], &t))
		usage('?', synopsis);
	if (nanosleep(&t, NULL) < 0)
		err(1, "sleep");
	return 0;
}
