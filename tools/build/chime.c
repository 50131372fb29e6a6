/*
 * chime: writes the sound that the guest has as /sound, in the form that audio(4) plays: a small
 * bell, struck once. The build runs it.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/outfile.h"
#include "tools/version.h"

#define RATE 44100		/* frames a second, of a left and a right sample */
#define FRAMES (RATE / 7)
#define LOUD 9000.0		/* of 32767 */

/* A bell's partials: frequency and strength relative to the first, seconds to fall to 1/e. */
static const struct {
	double tone, strength, decay;
} partials[] = {
	{1, 1, 0.05}, {2, 0.6, 0.035}, {2.4, 0.5, 0.025}, {3, 0.3, 0.018}, {4.2, 0.2, 0.014},
};

/* Return the bell's sound t seconds after the stroke; the first partial has hz. */
static double bell(double t, double hz)
{
	double sum = 0;

	for (unsigned i = 0; i < sizeof(partials) / sizeof(partials[0]); i++)
		sum += partials[i].strength * exp(-t / partials[i].decay) *
		       sin(2 * M_PI * hz * partials[i].tone * t);
	return LOUD * sum;
}

/* Write a sample: 16 bits, little-endian. */
static void put_sample(double v)
{
	int16_t s = (int16_t)lrint(v);

	putchar(s & 0xff);
	putchar(s >> 8 & 0xff);
}

int main(int argc, char **argv)
{
	static const char usage[] = "usage: chime\n";
	int asked = version_asked("chime", usage, argc, argv);

	if (asked >= 0)
		return asked;
	if (argc > 1) {
		fputs(usage, stderr);
		return 2;
	}
	for (unsigned i = 0; i < FRAMES; i++) {
		put_sample(bell((double)i / RATE, 440));
		put_sample(bell((double)i / RATE, 443)); /* slightly off, so that the two beat */
	}
	return outfile_standard("chime", 0);
}
