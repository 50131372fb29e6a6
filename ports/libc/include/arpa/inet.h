/* The order of bytes in networks, of which there are none here. */
#ifndef _ARPA_INET_H
#define _ARPA_INET_H

#include <stdint.h>

#define htonl(x) __builtin_bswap32(x)
#define htons(x) __builtin_bswap16(x)
#define ntohl(x) __builtin_bswap32(x)
#define ntohs(x) __builtin_bswap16(x)

#endif
