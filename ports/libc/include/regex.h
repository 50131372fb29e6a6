/* regcomp(3). newlib's header wants off_t declared before it. */
#ifndef _GNOMON_REGEX_H
#define _GNOMON_REGEX_H

#include <sys/types.h>
#include_next <regex.h>

#endif
