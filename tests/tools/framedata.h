/* Making frames for the tests: written after frames(5), not after tools/run/frames.c. */
#ifndef TESTS_FRAMEDATA_H
#define TESTS_FRAMEDATA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* Store a number of n bytes, little-endian. */
static inline void framedata_number(uint8_t *to, uint64_t v, unsigned n)
{
	for (; n-- > 0; v >>= 8)
		*to++ = v & 0xff;
}

/* Make a frame with n bytes of payload. Return its length. */
static inline size_t framedata_make(uint8_t *to, char type, const void *payload, size_t n)
{
	memcpy(to, "GNMF", 4);
	to[4] = type;
	memset(to + 5, 0, 3);
	framedata_number(to + 8, n, 4);
	framedata_number(to + 12, crc32(0, payload, n), 4);
	memcpy(to + 16, payload, n);
	return 16 + n;
}

#endif
