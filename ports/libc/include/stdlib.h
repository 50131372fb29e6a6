/* What our library has besides newlib's. */
#ifndef _GNOMON_STDLIB_H
#define _GNOMON_STDLIB_H

#include_next <stdlib.h>

const char *getprogname(void);
void setprogname(const char *name);

#endif
