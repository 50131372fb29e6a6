/* Processes that share: sproc(2). */
#ifndef SYS_PRCTL_H
#define SYS_PRCTL_H

#include "kernel/abi/prctl.h"
#include <sys/types.h>

pid_t sproc(void (*entry)(void *), unsigned inh, void *arg);

#endif
