/* Pipes. */
#pragma once

#include "kernel/machine/user.h"

struct chan;

int pipe_make(struct chan *end[2]); /* [0] reads, [1] writes */
syscall_fn sys_pipe;
