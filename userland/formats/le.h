/* Little-endian numbers in the bytes of a file, whichever machine reads or writes them. */
#ifndef USERLAND_FORMATS_LE_H
#define USERLAND_FORMATS_LE_H

#include <stdint.h>

static inline uint16_t le_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t le_get32(const uint8_t *p)
{
	return le_get16(p) | (uint32_t)le_get16(p + 2) << 16;
}

static inline uint64_t le_get64(const uint8_t *p)
{
	return le_get32(p) | (uint64_t)le_get32(p + 4) << 32;
}

/* Return a number as wide as a pointer, 4 or 8 bytes. */
static inline uint64_t le_get_word(const uint8_t *p, unsigned width)
{
	if (width == 8)
		return le_get64(p);
	return le_get32(p);
}

/* Each of these stores a number and returns where the next one goes. */
static inline uint8_t *le_put16(uint8_t *to, uint16_t v)
{
	*to++ = (uint8_t)v;
	*to++ = (uint8_t)(v >> 8);
	return to;
}

static inline uint8_t *le_put32(uint8_t *to, uint32_t v)
{
	return le_put16(le_put16(to, (uint16_t)v), (uint16_t)(v >> 16));
}

static inline uint8_t *le_put64(uint8_t *to, uint64_t v)
{
	return le_put32(le_put32(to, (uint32_t)v), (uint32_t)(v >> 32));
}

#endif
