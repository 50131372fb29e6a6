/* Random system calls: each by a row that says what its arguments should be, and often are not. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/soak/soak.h"
#include "userland/libc/libc.h"

#define FORKS 16 /* of a worker */

/*
 * What the arguments are: f a file descriptor, p a path, P one that is changed, b memory, n bytes
 * of it, w a word, H a handler or none, s flags of
 * sigaction, t and v short times, m a mode, o flags of open, B of bind, i a process.
 */
static const char *const rows[NSYS] = {
	[SYS_waitpid] = "ibw",
	[SYS_execve] = "pbb",
	[SYS_getpid] = "",
	[SYS_getppid] = "",
	[SYS_kill] = "iw",
	[SYS_sigaction] = "wHws",
	[SYS_sigprocmask] = "wwb",
	[SYS_sigaltstack] = "bn",
	[SYS_setitimer] = "nznzb",
	[SYS_setpgid] = "ii",
	[SYS_getuid] = "",
	[SYS_setuid] = "w",
	[SYS_brk] = "w",
	[SYS_nanosleep] = "t",
	[SYS_times] = "b",
	[SYS_open] = "pom",
	[SYS_close] = "f",
	[SYS_read] = "fbn",
	[SYS_write] = "fbn",
	[SYS_lseek] = "fwwwb",
	[SYS_fcntl] = "fFf",
	[SYS_umask] = "m",
	[SYS_pipe] = "b",
	[SYS_stat] = "pbw",
	[SYS_fstat] = "fb",
	[SYS_fset] = "fFnz",
	[SYS_getdents] = "fbn",
	[SYS_mkdir] = "Pm",
	[SYS_remove] = "Pm",
	[SYS_rename] = "PP",
	[SYS_symlink] = "pP",
	[SYS_readlink] = "pbn",
	[SYS_link] = "PP",
	[SYS_realpath] = "pbn",
	[SYS_chmod] = "Pm",
	[SYS_chdir] = "p",
	[SYS_bind] = "pPB",
	[SYS_unmount] = "pP",
	[SYS_sched_yield] = "",
	[SYS_rfork] = "w",
	[SYS_ioctl] = "fcw",
	[SYS_select] = "nbbbv",
	[SYS_profil] = "bnww",
	[SYS_sprofil] = "bwbw",
	[SYS_memprof] = "bbnw",
	[SYS_fork] = "",
	[SYS_sproc] = "www",
};

static char area[3 * 4096] __attribute__((aligned(4096)));
static char stack[4096];

void soak_handler(void);
__asm__("soak_handler: movl $46, %eax; int $0x80"); /* SYS_sigreturn */
static unsigned forks;

/* Return a process: of ours, unless signals to others must be refused. */
static int some_process(void)
{
	int pid = getpid() - 3 + (int)pick(8);

	if (soak_owner && pid <= soak_main)
		pid = 0;
	else if (!soak_owner && chance(3))
		pid = (int)pick(3) - 1;
	return chance(8) && !soak_owner ? -pid : pid;
}

static int argument(char kind)
{
	static struct timespec sleeps[] = {{0, 0}, {0, 1000}, {0, 100000}, {-1, 0}, {0, -1}};
	static struct timeval waits[] = {{0, 0}, {0, 1}, {0, 100}, {-1, 0}, {0, -1}, {0, 1000000}};

	switch (chance(12) && !strchr("iPtvmHsF", kind) ? 'w' : kind) {
	case 'f':
		return (int)pick(12);
	case 'p':
		return (int)(uintptr_t)soak_path(false);
	case 'P':
		return (int)(uintptr_t)soak_path(true);
	case 'b':
		return (int)(uintptr_t)area + (int)pick(chance(4) ? sizeof(area) + 64 : 4096);
	case 'n':
		return (int)pick(1u << pick(15));
	case 't':
		return (int)(uintptr_t)&sleeps[pick(nelem(sleeps))];
	case 'v':
		return (int)(uintptr_t)&waits[pick(nelem(waits))];
	case 'm':
		return (int)pick(01000) | (chance(8) && !soak_owner ? 0 : 0755);
	case 'o':
		return (int)(pick(4) | (soak_owner ? 0 : O_CREAT * pick(2) | O_TRUNC * pick(2)));
	case 'B':
		return (int)pick(8);
	case 'c':
		return (int)(0x5000 + pick(6));
	case 'i':
		return some_process();
	case 'H':
		return chance(3) ? (int)pick(2) : (int)(uintptr_t)soak_handler;
	case 's':
		return (int)pick(32);
	case 'F': /* all but F_DUP2FD, which could take the report's number */
		return (int)pick(F_DUP2FD);
	case 'z':
		return 0;
	default:
		return (int)odd();
	}
}

/* Tell whether a read or a write would not wait. */
static bool ready(int fd, bool writing)
{
	struct timeval none = {0, 0};
	fd_set set;

	if (fd < 0 || fd >= REPORT_FD)
		return true;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, writing ? NULL : &set, writing ? &set : NULL, NULL, &none) != 0;
}

/* Some calls in a child, which then ends. */
static void child(void)
{
	soak_child = true;
	for (unsigned i = 0, n = 0; i < 12; i++)
		soak_calls(n + 1);
	_exit(0);
}

static void shared(void *unused)
{
	(void)unused;
	sys3(SYS_write, 4, (int)(uintptr_t)area, 100);
	sys1(SYS_close, (int)pick(12));
	sys1(SYS_brk, (int)odd());
	_exit(0);
}

/* Start a child that has the memory copied or shared, or that begins in the middle of nowhere. */
static void start_child(void)
{
	pid_t pid;

	if (soak_child || forks >= FORKS)
		return;
	forks++;
	if (chance(2)) {
		pid = fork();
		if (pid == 0)
			child();
	} else if (chance(3)) {
		pid = sys3(SYS_sproc, (int)odd(), (int)odd(), (int)odd());
	} else {
		uint32_t *top = (uint32_t *)(void *)(stack + sizeof(stack)) - 4;

		pid = sys3(SYS_sproc, chance(2) ? (int)PR_SALL : (int)odd(), (int)(uintptr_t)top,
			   (int)(uintptr_t)shared);
	}
	if (pid > 0)
		soak_wait(pid, 20000000);
}

/* Make a call, if it neither ends nor stops the process. */
static void call(void)
{
	int n = (int)pick(NSYS + 2), a[5];
	const char *row = n < NSYS ? rows[n] : "wwwww";

	if (n == SYS_fork || n == SYS_sproc || n == SYS_execve) {
		if (chance(8))
			start_child();
		return;
	}
	for (int i = 0; i < 5; i++)
		a[i] = row && row[i] ? argument(row[i]) : (int)odd();
	if (!row || n == SYS_exit || (n == SYS_kill && soak_owner && a[0] == 0))
		return;
	if ((n == SYS_read || n == SYS_write) && !ready(a[0], n == SYS_write))
		return;
	if (n == SYS_close && a[0] == REPORT_FD)
		return;
	if (n == SYS_fset && soak_owner && a[1] == FSET_MODE)
		a[2] |= 0755; /* it may be the root's or that of /tmp, which others need */
	if (n == SYS_waitpid)
		a[2] |= WNOHANG;
	if (n == SYS_setuid && soak_owner && !chance(50))
		return;
	if (n == SYS_brk)
		a[0] = chance(20) ? (int)odd() : (int)(uintptr_t)sbrk(0) + (int)pick(20000) - 10000;
	sys5(n, a[0], a[1], a[2], a[3], a[4]);
}

void soak_calls(unsigned calls)
{
	for (unsigned n = 0; n < calls;) {
		for (int k = 0; k < 4; k++)
			area[pick(sizeof(area))] = (char)pick(256);
		if (chance(32)) /* now and then the memory makes sense */
			memset(area, 0, sizeof(area));
		call();
		if (soak_child)
			n++;
		else
			soak_counted(&n);
	}
}
