/*
 * The system calls: each takes its five argument words and returns the result or
 * a negated error number. abi/syscall.h says what the words are. All of them need the calling
 * process, and most need memory, so those headers come with this one.
 */
#pragma once

#include "kernel/memory.h"
#include "kernel/proc.h"

typedef int32_t sys_fn(const uint32_t arg[5]);

/* syscall.c: make the call whose number and arguments are in tf. */
struct trapframe;
void syscall(struct trapframe *tf);

/* sysproc.c */
sys_fn sys_exit, sys_fork, sys_sproc, sys_waitpid, sys_execve, sys_getpid, sys_getppid, sys_kill,
	sys_signal, sys_setpgid, sys_getuid, sys_setuid, sys_brk, sys_nanosleep, sys_times,
	sys_clock_gettime, sys_sched_yield;

/* file.c: open files */
sys_fn sys_read, sys_write, sys_lseek, sys_fstat, sys_ftruncate, sys_getdents, sys_ioctl;

/* select.c: waiting for several of them */
sys_fn sys_select;

/* path.c: names */
sys_fn sys_open, sys_stat, sys_mkdir, sys_remove, sys_rename, sys_chmod, sys_chdir, sys_getcwd,
	sys_bind, sys_unmount, sys_rfork;

/* fd.c: file numbers */
sys_fn sys_close, sys_dup, sys_dup2;

/* pipe.c */
sys_fn sys_pipe;
