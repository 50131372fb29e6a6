/* Reading and writing an open channel, for programs and the kernel. */
#pragma once

#include "kernel/file/dev.h"

ssize_t chan_read(struct chan *c, void *buf, size_t n);	       /* kernel memory; moves the offset */
ssize_t chan_pread(struct chan *c, void *buf, size_t n, uint64_t off);
ssize_t chan_write(struct chan *c, const void *buf, size_t n);
int chan_stat(struct chan *c, struct stat *st);
int chan_set(struct chan *c, uint32_t what, uint64_t value);
int stat_out(struct chan *c, uint32_t user); /* the same to user memory */
