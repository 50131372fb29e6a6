/* Finding glyphs: see font.h. */
#include "drivers/console/font.h"

uint8_t font_find(uint32_t code)
{
	uint32_t lo = 0, hi = font_count;

	if (code >= ' ' && code < 0x7f) /* the font begins with these */
		return (uint8_t)(code - ' ');
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (font_code[mid] == code)
			return (uint8_t)mid;
		if (font_code[mid] < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return font_missing;
}
