/* Error numbers, and the variable in which a failed call leaves one. */
#ifndef ERRNO_H
#define ERRNO_H

#include "kernel/abi/errno.h"

extern int errno;

#endif
