/* The table of system calls, and the trap that enters it. */
#include "kernel/process/syscall.h"
#include "kernel/abi/syscall.h"
#include "kernel/prof/hooks.h"

/* There is a call of each number from 1 on. */
static syscall_fn *const table[NSYS] = {
	[SYS_exit] = sys_exit, [SYS_fork] = sys_fork, [SYS_sproc] = sys_sproc,
	[SYS_waitpid] = sys_waitpid, [SYS_execve] = sys_execve,
	[SYS_getpid] = sys_getpid, [SYS_getppid] = sys_getppid, [SYS_setpgid] = sys_setpgid,
	[SYS_kill] = sys_kill, [SYS_sigaction] = sys_sigaction, [SYS_getuid] = sys_getuid,
	[SYS_setuid] = sys_setuid,
	[SYS_sigprocmask] = sys_sigprocmask, [SYS_sigsuspend] = sys_sigsuspend,
	[SYS_sigreturn] = sys_sigreturn, [SYS_sigaltstack] = sys_sigaltstack,
	[SYS_setitimer] = sys_setitimer,
	[SYS_brk] = sys_brk, [SYS_sched_yield] = sys_sched_yield, [SYS_nanosleep] = sys_nanosleep,
	[SYS_times] = sys_times, [SYS_clock_gettime] = sys_clock_gettime,
	[SYS_open] = sys_open, [SYS_close] = sys_close, [SYS_fcntl] = sys_fcntl,
	[SYS_umask] = sys_umask, [SYS_pipe] = sys_pipe, [SYS_select] = sys_select,
	[SYS_read] = sys_read, [SYS_write] = sys_write, [SYS_lseek] = sys_lseek,
	[SYS_getdents] = sys_getdents, [SYS_ioctl] = sys_ioctl, [SYS_fstat] = sys_fstat,
	[SYS_fset] = sys_fset,
	[SYS_stat] = sys_stat, [SYS_mkdir] = sys_mkdir, [SYS_remove] = sys_remove,
	[SYS_rename] = sys_rename, [SYS_chmod] = sys_chmod, [SYS_chdir] = sys_chdir,
	[SYS_getcwd] = sys_getcwd,
	[SYS_bind] = sys_bind, [SYS_unmount] = sys_unmount, [SYS_rfork] = sys_rfork,
	[SYS_profil] = sys_profil, [SYS_sprofil] = sys_sprofil, [SYS_memprof] = sys_memprof,
};

/* Handle int 0x80: the number is in eax, and so will be the result; -ENOSYS: no such number. */
void syscall(struct trapframe *tf)
{
	uint32_t arg[5] = {tf->ebx, tf->ecx, tf->edx, tf->esi, tf->edi};
	uint32_t n = tf->eax;

	cpu_self()->syscalls++;
	tf->error = n; /* for signal_restart() */
	tf->eax = (uint32_t)(in_range(n, 1, NSYS) ? table[n](arg) : -ENOSYS);
}
