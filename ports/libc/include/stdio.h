/* getline(3) and getdelim(3), which newlib has by other names. */
#ifndef _GNOMON_STDIO_H
#define _GNOMON_STDIO_H

#include <sys/features.h>
#if __POSIX_VISIBLE >= 200809
#define __getdelim getdelim
#define __getline getline
#endif
#include_next <stdio.h>

#endif
