/*
 * chime: writes the sound that the guest finds as /sound: a small bell, struck once, in the form
 * that audio(4) plays. The build runs it.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define RATE 44100
#define FRAMES (RATE * 2 / 5)
#define LOUD 9000.0

/* A bell's partials: how many times the lowest tone, how strong, seconds until it is weak. */
static const struct {
	double tone, strength, decay;
} partials[] = {
	{1, 1, 0.1}, {2, 0.6, 0.07}, {2.4, 0.5, 0.05}, {3, 0.3, 0.035}, {4.2, 0.2, 0.03},
};

/* The bell's sound t seconds after the stroke; its lowest tone has that many Hz. */
static double bell(double t, double hz)
{
	double sum = 0;

	for (unsigned i = 0; i < sizeof(partials) / sizeof(partials[0]); i++)
		sum += partials[i].strength * exp(-t / partials[i].decay) *
		       sin(2 * M_PI * hz * partials[i].tone * t);
	return LOUD * sum;
}

static void put_sample(double v)
{
	int16_t s = (int16_t)lrint(v);

	putchar(s & 0xff);
	putchar(s >> 8 & 0xff);
}

int main(void)
{
	for (unsigned i = 0; i < FRAMES; i++) {
		put_sample(bell((double)i / RATE, 440));
		put_sample(bell((double)i / RATE, 443)); /* the other ear hears it beat */
	}
	return fflush(stdout) != 0 || ferror(stdout);
}
