/* UTF-8: RFC 3629. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return how many bytes a character has that begins with c, 2 to 4; 0 when none does. */
static inline unsigned utf8_length(uint8_t c)
{
	if (c < 0xc2 || c > 0xf4)
		return 0;
	if (c < 0xe0)
		return 2;
	return 3 + (c >= 0xf0);
}

/* Return how many of n bytes come before the first that is no printing ASCII: most are. */
static inline size_t utf8_ascii(const void *s, size_t n)
{
	const uint8_t *at = s;
	size_t k = 0;
	uint32_t four;

	for (; k + sizeof(four) <= n; k += sizeof(four)) {
		__builtin_memcpy(&four, at + k, sizeof(four));
		if (((four - 0x20202020u) | (four + 0x01010101u) | four) & 0x80808080u)
			break; /* one is below the blank, above the tilde, or above 7fh */
	}
	while (k < n && (uint8_t)(at[k] - ' ') < 0x7f - ' ')
		k++;
	return k;
}

/* Return whether c is one of the further bytes of a character. */
static inline bool utf8_continues(uint8_t c)
{
	return (c & 0xc0) == 0x80;
}
