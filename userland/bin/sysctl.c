/*
 * sysctl: shows what the kernel keeps under names such as kern.profiling.state. It is the shell's
 * way to what programs ask for by sysctl(3).
 */
#include <sys/sysctl.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/stream.h"

#define COLUMNS 32 /* bytes to a line of hexadecimal */

static const char synopsis[] = "sysctl name ...";

/* Print a value: as a number if it has the size of one, else in hexadecimal. */
static void print(const char *name, const unsigned char *data, size_t n)
{
	char text[16];
	int value;

	stream_put(name, strlen(name));
	stream_put(" =", 2);
	/* Names do not tell types; what the kernel has of 4 bytes are numbers. */
	if (n == sizeof(value)) {
		memcpy(&value, data, sizeof(value));
		stream_put(text, snprintf(text, sizeof(text), " %d", value));
	} else {
		for (size_t i = 0; i < n; i++)
			stream_put(text, snprintf(text, sizeof(text), "%s%02x",
						  i % COLUMNS ? "" : "\n  ", data[i]));
	}
	stream_put("\n", 1);
}

/* Show a variable, after asking how long its value is. Return 1 after a warning, else 0. */
static int show(const char *name)
{
	unsigned char *data = NULL;
	size_t n = 0;

	if (sysctlbyname(name, NULL, &n, NULL, 0) < 0 || !(data = malloc(n + 1)) ||
	    sysctlbyname(name, data, &n, NULL, 0) < 0) {
		warn("%s", name);
		free(data);
		return 1;
	}
	print(name, data, n);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	no_options(argc, argv, synopsis);
	if (optind == argc)
		usage('?', synopsis);
	for (; optind < argc; optind++)
		failed |= show(argv[optind]);
	stream_flush();
	return failed;
}
