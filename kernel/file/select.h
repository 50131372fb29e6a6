/* Waiting for several open files. */
#pragma once

#include "kernel/machine/user.h"

syscall_fn sys_select;
