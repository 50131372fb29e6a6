/* Pipes. */
#pragma once

#include <stdint.h>

struct chan;

int pipe_make(struct chan *end[2]); /* [0] reads, [1] writes */
int32_t sys_pipe(const uint32_t arg[5]);
