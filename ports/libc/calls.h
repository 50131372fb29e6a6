/* What the files below newlib share. */
#ifndef PORTS_LIBC_CALLS_H
#define PORTS_LIBC_CALLS_H

#include "userland/libc/libc.h"

/* errno.c: say once, which `said' remembers, that the program needs a call that there is not. */
int __lacks(const char *call, char *said);

#endif
