/* newlib asks the allocator by names that stdlib.h has. */
#ifndef _GNOMON_REENT_H
#define _GNOMON_REENT_H

#include_next <reent.h>
#include <stdlib.h>

#endif
