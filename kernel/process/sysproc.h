/* System calls on processes, memory and time. */
#pragma once

#include <stdint.h>

int32_t sys_exit(const uint32_t arg[5]);
int32_t sys_fork(const uint32_t arg[5]);
int32_t sys_sproc(const uint32_t arg[5]);
int32_t sys_waitpid(const uint32_t arg[5]);
int32_t sys_execve(const uint32_t arg[5]);
int32_t sys_getpid(const uint32_t arg[5]);
int32_t sys_getppid(const uint32_t arg[5]);
int32_t sys_kill(const uint32_t arg[5]);
int32_t sys_signal(const uint32_t arg[5]);
int32_t sys_setpgid(const uint32_t arg[5]);
int32_t sys_getuid(const uint32_t arg[5]);
int32_t sys_setuid(const uint32_t arg[5]);
int32_t sys_brk(const uint32_t arg[5]);
int32_t sys_nanosleep(const uint32_t arg[5]);
int32_t sys_times(const uint32_t arg[5]);
int32_t sys_clock_gettime(const uint32_t arg[5]);
int32_t sys_sched_yield(const uint32_t arg[5]);
