/* Numbers in memory at any address, their lowest byte first, as tables and messages have them. */
#pragma once

#include <stdint.h>

/* Return the number of n bytes, at most 8, at p. */
static inline uint64_t le_get(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n > 0)
		v = v << 8 | p[--n];
	return v;
}

static inline uint16_t le_get16(const uint8_t *p)
{
	return (uint16_t)le_get(p, 2);
}

static inline uint32_t le_get32(const uint8_t *p)
{
	return (uint32_t)le_get(p, 4);
}

/* Store v as n bytes at p. */
static inline void le_put(uint8_t *p, unsigned n, uint64_t v)
{
	for (; n > 0; n--, v >>= 8)
		*p++ = (uint8_t)v;
}
