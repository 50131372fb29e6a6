/* A process's open files, by their numbers. */
#pragma once

#include "kernel/machine/user.h"

struct chan;
struct fdtable;

#define NFD 64
struct fdtable *fds_new(void);
struct fdtable *fds_copy(struct fdtable *t);
struct fdtable *fds_ref(struct fdtable *t);
void fds_put(struct fdtable *t);
void fds_exec(struct fdtable *t); /* closes what has O_CLOEXEC */
int fd_install(struct chan *c, bool cloexec); /* the lowest free; takes c, even if -EMFILE */
/*
 * Look which of the files in `want`, sets of bits, can be read (the first) or written (the second)
 * without waiting. Return how many bits are set in both of `is`, or -EBADF.
 */
int fds_ready(const uint32_t want[2][NFD / 32], uint32_t is[2][NFD / 32]);
struct chan *fd_chan(uint32_t fd); /* with a reference of the caller's own; NULL: not open */

/* System calls on file numbers. */
syscall_fn sys_close, sys_dup, sys_dup2;
