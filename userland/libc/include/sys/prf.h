/* The system profiler's commands for ioctl(2), and its bounds: see prf(7). */
#ifndef SYS_PRF_H
#define SYS_PRF_H

#include "kernel/abi/prf.h"

#endif
