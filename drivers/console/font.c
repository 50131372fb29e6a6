/* Finding glyphs: see font.h. */
#include "drivers/console/font.h"

uint8_t font_find(uint32_t code)
{
	uint32_t lo = 0, hi = font_count;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (font_code[mid] == code)
			return (uint8_t)(mid + ' ');
		if (font_code[mid] < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return font_missing;
}
