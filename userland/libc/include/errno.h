/* Error numbers, and the variable that a failed call leaves one in. */
#ifndef ERRNO_H
#define ERRNO_H

#include "kernel/abi/errno.h"

extern int errno;

#endif
