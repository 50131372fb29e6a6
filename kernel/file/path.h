/* System calls on names. */
#pragma once

#include "kernel/machine/user.h"

syscall_fn sys_open, sys_stat, sys_mkdir, sys_remove, sys_rename, sys_chmod, sys_chdir, sys_getcwd;
syscall_fn sys_bind, sys_unmount, sys_rfork;
