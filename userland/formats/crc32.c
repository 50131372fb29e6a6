/* CRC-32: see crc32.h. Four bits at a time, which is quick enough with a table that fits here. */
#include "userland/formats/crc32.h"

uint32_t crc32_add(uint32_t crc, const uint8_t *p, size_t n)
{
	/* What four bits do to the remainder; bits come least significant first. */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	crc = ~crc;
	while (n-- > 0) {
		crc ^= *p++;
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}
