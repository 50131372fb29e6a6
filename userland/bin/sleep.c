/* sleep: waits for a time given in seconds, with a fraction if wanted. */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LONGEST 1000000000L /* seconds; more than thirty years */

static void usage(FILE *to)
{
	fprintf(to, "usage: sleep seconds[.fraction]\n");
	exit(to == stdout ? 0 : 2);
}

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
	int c;

	while ((c = getopt(argc, argv, "h")) != -1)
		usage(c == 'h' ? stdout : stderr);
	if (argc - optind != 1 || !parse(argv[optind], &t))
		usage(stderr);
	if (nanosleep(&t, NULL) < 0)
		err(1, "sleep");
	return 0;
}
