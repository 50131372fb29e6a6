/* Numbers that look random: a xorshift generator, the same series for the same seed. */
#include <stdint.h>
#include <stdlib.h>

static uint32_t state = 2463534242u;

/* Begin the series of that seed. */
void srand(unsigned seed)
{
	/* A state of zero would stay zero. */
	state = seed * 2654435761u | 1u;
}

/* Return the next number, in [0, RAND_MAX]. */
int rand(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (int)(state & RAND_MAX);
}
