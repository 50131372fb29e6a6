/*
 * System calls: each takes its five argument words and returns the result or a negated error
 * number. abi/syscall.h says what the words are, and the file where a call is what it does.
 */
#pragma once

#include "kernel/machine/user.h"

struct trapframe;

/* Make the call whose number and arguments are in tf. */
void syscall(struct trapframe *tf);

/* On processes, memory and time: sysproc.c, and two in proc.c. */
syscall_fn sys_exit, sys_fork, sys_sproc, sys_waitpid, sys_execve;
syscall_fn sys_getpid, sys_getppid, sys_setpgid, sys_getuid, sys_umask, sys_setuid, sys_kill;
syscall_fn sys_brk, sys_nanosleep, sys_times, sys_sched_yield;

/* signal.c */
syscall_fn sys_sigaction, sys_sigprocmask, sys_sigsuspend, sys_sigreturn, sys_sigaltstack;
syscall_fn sys_setitimer;

/* On names, in kernel/file: path.c. */
syscall_fn sys_open, sys_stat, sys_mkdir, sys_remove, sys_rename, sys_chmod, sys_chdir;
syscall_fn sys_bind, sys_unmount, sys_rfork, sys_symlink, sys_readlink, sys_link, sys_realpath;

/* On open files: file.c, fd.c, pipe.c, select.c. */
syscall_fn sys_read, sys_write, sys_lseek, sys_fstat, sys_fset, sys_getdents, sys_ioctl;
syscall_fn sys_close, sys_fcntl, sys_pipe, sys_select;
