/* System calls on processes, memory and time. */
#pragma once

#include "kernel/machine/user.h"

syscall_fn sys_exit, sys_fork, sys_sproc, sys_waitpid, sys_execve;
syscall_fn sys_getpid, sys_getppid, sys_setpgid, sys_getuid, sys_umask, sys_setuid, sys_kill;
syscall_fn sys_brk, sys_nanosleep, sys_times, sys_clock_gettime, sys_sched_yield;
