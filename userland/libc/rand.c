/* Numbers that look random: a xorshift generator, the same row for the same seed. */
#include <stdint.h>
#include <stdlib.h>

static uint32_t state = 2463534242u;

void srand(unsigned seed)
{
	/* Zero would stay zero for ever. */
	state = seed * 2654435761u | 1u;
}

/* In [0, RAND_MAX]. */
int rand(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (int)(state & RAND_MAX);
}
