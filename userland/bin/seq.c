/*
 * seq: prints a sequence of whole numbers, upwards or downwards. Options are not taken by getopt,
 * for -1 is a number here.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/files/stream.h"

#define LARGEST (INT_MAX / 2) /* so that first + step cannot overflow */

static const char synopsis[] = "seq [first [step]] last";

int main(int argc, char **argv)
{
	long value[3] = { 0 }, first, step, last;

	if (argc > 1 && strcmp(argv[1], "-h") == 0)
		usage('h', synopsis);
	if (argc < 2 || argc > 4)
		usage('?', synopsis);
	for (int i = 1; i < argc; i++)
		value[i - 1] = number(argv[i], -LARGEST, LARGEST);
	first = argc > 2 ? value[0] : 1;
	step = argc > 3 ? value[1] : 1;
	last = value[argc - 2];
	if (step == 0)
		usage('?', synopsis);
	for (long n = first; step > 0 ? n <= last : n >= last; n += step) {
		char text[24];

		stream_put(text, snprintf(text, sizeof(text), "%ld\n", n));
	}
	stream_flush();
	return 0;
}
