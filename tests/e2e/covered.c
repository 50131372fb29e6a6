/*
 * A program to be covered: lines that end with a mark and a number, as in "+ 1000", say
 * what cprof(1) has to show beside them. Volatile variables keep the compiler from
 * moving or leaving out anything.
 */
#include <stdio.h>

static volatile unsigned counted, wide, never = 3;

static void __attribute__((noinline)) leaf(void)
{
	counted++; /* + 250 */
}

static void __attribute__((noinline)) unused(void)
{
	counted += 5; /* - 0 */
}

/* Three of four times the first, else the second. */
static unsigned __attribute__((noinline)) choose(unsigned i)
{
	if (i % 4) /* + 1000 */
		return wide; /* + 750 */
	leaf(); /* + 250 */
	return never + wide; /* + 250 */
}

int main(int argc, char **argv)
{
	unsigned i;

	for (i = 0; i < 1000; i++)
		wide = choose(i); /* + 1000 */
	if (argc > 1) /* + 1 */
		unused(); /* - 0 */
	counted = argc > 1 ? never : wide; /* ~ 1 */
	do {
		if (never == 0) /* + 3 */
			puts(argv[0]); /* - 0 */
		never--; /* + 3 */
	} while (never > 0); /* + 3 */
	return 0;
}
