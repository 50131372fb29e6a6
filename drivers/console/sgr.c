/* Select graphic rendition: see sgr.h. */
#include "drivers/console/sgr.h"

/* Set a colour: tens say what has it, units which it is; above 7 it is the usual one. */
static void sgr_colour(struct sgr *look, unsigned tens, unsigned units)
{
	static const uint8_t vga[] = {0, 4, 2, 6, 1, 5, 3, 7}; /* red and blue are exchanged */
	unsigned shift = tens & 1 ? 8 : 12;
	unsigned colour = units < 8 ? vga[units] + (tens > 4) * 8u : SGR_PLAIN >> shift;

	look->colours = (uint16_t)((look->colours & ~(15 << shift)) | (colour & 15) << shift);
}

void sgr_set(struct sgr *look, unsigned n)
{
	switch (n) {
	case 0:
		*look = (struct sgr){.colours = SGR_PLAIN};
		break;
	case 1:
	case 22:
		look->bold = n == 1;
		break;
	case 7:
	case 27:
		look->reverse = n == 7;
		break;
	case 30 ... 49:
	case 90 ... 109:
		sgr_colour(look, n / 10, n % 10);
		break;
	}
}
