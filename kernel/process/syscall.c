/* The table of system calls, and the trap that enters it. */
#include "kernel/process/syscall.h"
#include "kernel/abi/syscall.h"
#include "kernel/prof/hooks.h"

/* The row of a call: SYS_name is its number, and sys_name() makes it. */
#define CALL(name) [SYS_##name] = sys_##name

/* There is a call of each number from 1 on. */
static syscall_fn *const table[NSYS] = {
	CALL(exit), CALL(fork), CALL(sproc), CALL(waitpid), CALL(execve),
	CALL(getpid), CALL(getppid), CALL(setpgid), CALL(getuid), CALL(setuid), CALL(kill),
	CALL(sigaction), CALL(sigprocmask), CALL(sigsuspend), CALL(sigreturn), CALL(sigaltstack),
	CALL(setitimer), CALL(brk), CALL(sched_yield), CALL(nanosleep), CALL(times),
	CALL(open), CALL(close), CALL(fcntl), CALL(umask), CALL(pipe), CALL(select),
	CALL(read), CALL(write), CALL(lseek), CALL(getdents), CALL(ioctl), CALL(fstat), CALL(fset),
	CALL(stat), CALL(mkdir), CALL(remove), CALL(rename), CALL(chmod), CALL(chdir),
	CALL(symlink), CALL(readlink), CALL(link), CALL(realpath),
	CALL(bind), CALL(unmount), CALL(rfork),
	CALL(profil), CALL(sprofil), CALL(memprof),
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
