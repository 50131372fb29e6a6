/* CRC-32, the checksum of IEEE 802.3 (Ethernet): in files, frames and sum(1). */
#ifndef USERLAND_FORMATS_CRC32_H
#define USERLAND_FORMATS_CRC32_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return the checksum of bytes whose checksum is crc, followed by the n bytes at p. The
 * checksum of no bytes is 0.
 */
uint32_t crc32_add(uint32_t crc, const uint8_t *p, size_t n);

#endif
