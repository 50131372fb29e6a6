/* Opening files. */
#ifndef FCNTL_H
#define FCNTL_H

#include <sys/types.h>
#include "kernel/abi/fcntl.h"

int open(const char *path, int flags, ...); /* with O_CREAT: the mode */
int creat(const char *path, mode_t mode);
int fcntl(int fd, int command, ...); /* F_SET... and F_DUP...: a value */

#endif
