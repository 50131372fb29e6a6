/* UTF-8: RFC 3629. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return how many bytes a character has that begins with c, 2 to 4; 0 when none does. */
static inline unsigned utf8_length(uint8_t c)
{
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef)
		return 3;
	return c >= 0xf0 && c <= 0xf4 ? 4 : 0;
}

/* Return whether c is one of the further bytes of a character. */
static inline bool utf8_continues(uint8_t c)
{
	return (c & 0xc0) == 0x80;
}
