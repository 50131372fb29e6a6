/*
 * System call numbers. int 0x80; number in eax, arguments in ebx, ecx, edx, esi,
 * edi; the result in eax, a negated error number when it is in [-4095, -1].
 */
#pragma once

#define SYS_exit 1	   /* (status) */
#define SYS_fork 2	   /* () -> pid, 0 in the child */
#define SYS_waitpid 3	   /* (pid or -1, int *status, options) -> pid */
#define SYS_execve 4	   /* (path, argv, envp) */
#define SYS_getpid 5	   /* () */
#define SYS_getppid 6	   /* () */
#define SYS_kill 7	   /* (pid, signal); pid < -1: the process group -pid */
#define SYS_sigaction 8    /* (signal, entry or SIG_..._WORD, mask, SA_ bits) -> the old one */
#define SYS_setpgid 9	   /* (pid or 0, pgid or 0) */
#define SYS_getuid 10	   /* () */
#define SYS_setuid 11	   /* (uid): only the host owner may change it */
#define SYS_brk 12	   /* (address or 0) -> the break */
#define SYS_nanosleep 13   /* (const struct timespec *) */
#define SYS_times 14	   /* (struct tms *) -> clock ticks since boot */
#define SYS_link 15	   /* (path, new path) */
#define SYS_open 16	   /* (path, flags, mode) -> fd */
#define SYS_close 17	   /* (fd) */
#define SYS_read 18	   /* (fd, buf, n) */
#define SYS_write 19	   /* (fd, buf, n) */
#define SYS_lseek 20	   /* (fd, low, high, whence, int64_t *result) */
#define SYS_fcntl 21	   /* (fd, command, value): F_... */
#define SYS_umask 22	   /* (mask) -> the old one */
#define SYS_pipe 23	   /* (int fd[2]) */
#define SYS_stat 24	   /* (path, struct stat *, 0, or FIND_LINK: of a link itself) */
#define SYS_fstat 25	   /* (fd, struct stat *) */
#define SYS_fset 26	   /* (fd, FSET_..., low, high) */
#define SYS_getdents 27	   /* (fd, struct dirent *, bytes) -> bytes, 0 at the end */
#define SYS_mkdir 28	   /* (path, mode) */
#define SYS_remove 29	   /* (path, kind): kind S_IFREG or S_IFDIR: nothing else; or 0 */
#define SYS_rename 30	   /* (from, to) */
#define SYS_chmod 31	   /* (path, mode) */
#define SYS_chdir 32	   /* (path) */
#define SYS_realpath 33	   /* (path, buf, n) -> length with its NUL */
#define SYS_bind 34	   /* (name, old, flags): MREPL, MBEFORE, MAFTER | MCREATE */
#define SYS_unmount 35	   /* (name or NULL, old) */
#define SYS_sched_yield 36 /* () */
#define SYS_rfork 37	   /* (RFNAMEG, RFCNAMEG): a namespace of its own, a copy or empty */
#define SYS_ioctl 38	   /* (fd, command, argument) */
#define SYS_select 39	   /* (nfds, fd_set *read, *write, *except, struct timeval *) -> how many */
#define SYS_sproc 40	   /* (PR_ bits, stack pointer, address to begin at) -> pid */
#define SYS_profil 41	   /* (buff, bufsiz, offset, scale) */
#define SYS_sprofil 42	   /* (const struct prof *, profcnt, struct timeval *period, flags) */
#define SYS_memprof 43	   /* (old block, new block, bytes, pc): abi/memprof.h */
#define SYS_sigprocmask 44 /* (set to unblock, set to block, uint32_t old[2]: blocked, pending) */
#define SYS_sigsuspend 45  /* (set): block these alone, until a handler was called */
#define SYS_sigreturn 46   /* (): from a handler, its frame at the stack pointer */
#define SYS_sigaltstack 47 /* (base, size; 0: none): of a stack for handlers */
#define SYS_setitimer 48   /* (ns to the first alarm, ns between others: two words each; old[2]) */
#define SYS_symlink 49	   /* (target, path) */
#define SYS_readlink 50	   /* (path, buf, n) -> bytes of the target, without a NUL */
#define NSYS 51
