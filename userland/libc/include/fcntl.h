/* Opening files. */
#ifndef FCNTL_H
#define FCNTL_H

#include <sys/types.h>
#include "kernel/abi/fcntl.h"

int open(const char *path, int flags, ...); /* the mode when O_CREAT is in flags */
int creat(const char *path, mode_t mode);

#endif
