/* Frames of handlers (W2): what they save, and where faults, bad stacks and forged frames lead. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define BIT(sig) (1ul << (sig))

static volatile int came[NSIG]; /* how often each signal's handler was called */
static jmp_buf out;

static void note(int sig)
{
	came[sig]++;
}

static void leave(int sig)
{
	came[sig]++;
	longjmp(out, sig);
}

static void set(int sig, sighandler_t handler, sigset_t mask, int flags)
{
	struct sigaction a = {handler, mask, flags};

	must(sigaction(sig, &a, NULL) == 0);
}

static sigset_t blocked(void)
{
	sigset_t now;

	must(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
	return now;
}

static void mask(int how, sigset_t signals)
{
	must(sigprocmask(how, &signals, NULL) == 0);
}

/* ---- registers */

/* Count down with a value in each register until a handler has been called; whether all stay. */
static bool registers_stay(void)
{
	int bad;

	__asm__ volatile("movl $0x11111111, %%eax\n\t"
			 "movl $0x22222222, %%ebx\n\t"
			 "movl $0x33333333, %%edx\n\t"
			 "movl $0x44444444, %%esi\n\t"
			 "movl $0x55555555, %%edi\n\t"
			 "movl %%esp, %%ecx\n\t"
			 "stc\n"
			 "1:\tjnc 2f\n\t"
			 "pushf\n\t"
			 "cmpl $0, %1\n\t"
			 "jne 3f\n\t"
			 "popf\n\t"
			 "jmp 1b\n"
			 "3:\tpopf\n\t"
			 "jnc 2f\n\t"
			 "cmpl %%esp, %%ecx\n\t"
			 "jne 2f\n\t"
			 "cmpl $0x11111111, %%eax\n\t"
			 "jne 2f\n\t"
			 "cmpl $0x22222222, %%ebx\n\t"
			 "jne 2f\n\t"
			 "cmpl $0x33333333, %%edx\n\t"
			 "jne 2f\n\t"
			 "cmpl $0x44444444, %%esi\n\t"
			 "jne 2f\n\t"
			 "cmpl $0x55555555, %%edi\n\t"
			 "jne 2f\n\t"
			 "xorl %%eax, %%eax\n\t"
			 "jmp 4f\n"
			 "2:\tmovl $1, %%eax\n"
			 "4:"
			 : "=&a"(bad)
			 : "m"(came[SIGALRM])
			 : "ebx", "ecx", "edx", "esi", "edi", "cc", "memory");
	return !bad;
}

/* Leave something else in every register. */
static void spoil(int sig)
{
	came[sig]++;
	__asm__ volatile("clc; std; cld; movl $-1, %%ecx" : : :
			 "eax", "ebx", "ecx", "edx", "esi", "edi");
}

static void registers(void)
{
	struct itimerval soon = {{0, 0}, {0, 30000}};

	set(SIGALRM, spoil, 0, 0);
	for (int i = 0; i < 20; i++) {
		came[SIGALRM] = 0;
		must(setitimer(ITIMER_REAL, &soon, NULL) == 0);
		must(registers_stay());
	}
}

static uint16_t control(void)
{
	uint16_t word;

	__asm__ volatile("fnstcw %0" : "=m"(word));
	return word;
}

static uint32_t mxcsr(void)
{
	uint32_t word;

	__asm__ volatile("stmxcsr %0" : "=m"(word));
	return word;
}

static void load(uint16_t control, uint32_t mxcsr, uint32_t xmm7)
{
	__asm__ volatile("fldcw %0; ldmxcsr %1; movd %2, %%xmm7"
			 : : "m"(control), "m"(mxcsr), "r"(xmm7));
}

static bool holds(uint16_t c, uint32_t m, uint32_t xmm7)
{
	uint32_t word;

	__asm__ volatile("movd %%xmm7, %0" : "=r"(word));
	return control() == c && mxcsr() == m && word == xmm7;
}

/* A handler finds floating point as a program does at its start, and what it does is undone. */
static void other_rounding(int sig)
{
	must(holds(0x37f, 0x1f80, 0));
	load(0xf7f, 0x7f80, 42);
	came[sig]++;
}

static void floating_point(void)
{
	set(SIGUSR1, other_rounding, 0, 0);
	load(0x77f, 0x3f80, 0x12345678);
	raise(SIGUSR1);
	must(holds(0x77f, 0x3f80, 0x12345678) && came[SIGUSR1] == 1);
	mask(SIG_BLOCK, BIT(SIGUSR1));
	raise(SIGUSR1);
	sched_yield();
	mask(SIG_UNBLOCK, BIT(SIGUSR1));
	must(holds(0x77f, 0x3f80, 0x12345678) && came[SIGUSR1] == 2);
}

/* ---- faults */

static void fault_null(void)
{
	*(volatile int *)NULL = 1;
}

static void fault_divide(void)
{
	__asm__ volatile("movl $1, %%eax; cltd; idivl %0" : : "r"(0) : "eax", "edx");
}

static void fault_float(void)
{
	uint16_t word = 0x37b; /* divisions by zero are not masked */
	float zero = 0;

	__asm__ volatile("fldcw %0; fld1; fdivs %1; fwait" : : "m"(word), "m"(zero));
}

static void fault_code(void)
{
	__asm__ volatile("ud2");
}

static const struct {
	int sig;
	void (*fn)(void);
} faults[] = {
	{SIGSEGV, fault_null}, {SIGFPE, fault_divide}, {SIGFPE, fault_float}, {SIGILL, fault_code},
};

static void fault_blocked(uintptr_t i)
{
	set(faults[i].sig, note, 0, 0);
	mask(SIG_BLOCK, BIT(faults[i].sig));
	faults[i].fn();
}

static void fault_twice(int sig)
{
	came[sig]++;
	fault_null();
}

static void fault_in_handler(uintptr_t)
{
	set(SIGSEGV, fault_twice, 0, 0);
	fault_null();
}

static void faults_handled(void)
{
	for (volatile size_t i = 0; i < nelem(faults); i++) {
		set(faults[i].sig, leave, 0, SA_NODEFER);
		if (setjmp(out) == 0) {
			faults[i].fn();
			must(!"a fault");
		}
		must(WTERMSIG(tap_status(fault_blocked, i)) == faults[i].sig);
	}
	must(came[SIGSEGV] == 1 && came[SIGFPE] == 2 && came[SIGILL] == 1);
	must(WTERMSIG(tap_status(fault_in_handler, 0)) == SIGSEGV);
}

static void bad_handler(uintptr_t address)
{
	set(SIGUSR1, note, 0, 0); /* the number of a function that may be one is known */
	must(sys5(SYS_sigaction, SIGUSR1, (int)address, 0, 0, 0) == 0);
	raise(SIGUSR1);
}

static void bad_stack(uintptr_t esp)
{
	set(SIGALRM, note, 0, 0);
	struct itimerval soon = {{0, 0}, {0, 20000}};
	setitimer(ITIMER_REAL, &soon, NULL);
	__asm__ volatile("movl %0, %%esp\n1:\tjmp 1b" : : "r"(esp));
}

static void bad_addresses(void)
{
	static const uintptr_t bad[] = {2, 4096, 0xc0000000, 0xc0100000, 0xfffffff0};

	for (size_t i = 0; i < nelem(bad); i++) {
		must(WTERMSIG(tap_status(bad_handler, bad[i])) == SIGSEGV);
		must(WTERMSIG(tap_status(bad_stack, bad[i])) == SIGSEGV);
	}
	must(WTERMSIG(tap_status(bad_stack, 0)) == SIGSEGV);
	must(WTERMSIG(tap_status(bad_stack, (uintptr_t)bad_addresses)) == SIGSEGV); /* text */
}

/* ---- stacks */

static char other[SIGSTKSZ];

static void on_other(int sig)
{
	stack_t now;

	came[sig]++;
	must((uintptr_t)__builtin_frame_address(0) - (uintptr_t)other < sizeof(other));
	must(sigaltstack(NULL, &now) == 0 && now.ss_flags == SS_ONSTACK);
	must_fail(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL), EPERM);
	must(sys2(SYS_sigaltstack, 0, 0) == -EPERM);
	if (sig == SIGSEGV)
		longjmp(out, 1);
	if (sig == SIGUSR1)
		raise(SIGUSR2); /* goes on there, below */
}

__attribute__((noinline)) static int deep(int n)
{
	volatile char room[1000];

	room[0] = (char)n;
	return n < 10000 ? deep(n + 1) + room[0] : 0;
}

static void other_stack(void)
{
	stack_t s = {other, 0, sizeof(other)}, old;

	must(sigaltstack(&s, &old) == 0 && old.ss_flags == SS_DISABLE);
	set(SIGUSR1, on_other, 0, SA_ONSTACK);
	set(SIGUSR2, on_other, 0, SA_ONSTACK);
	set(SIGSEGV, on_other, 0, SA_ONSTACK);
	raise(SIGUSR1);
	must(came[SIGUSR1] == 1 && came[SIGUSR2] == 1);
	if (setjmp(out) == 0)
		deep(0);
	must(came[SIGSEGV] == 1);
	must(sigaltstack(NULL, &old) == 0 && old.ss_sp == other && old.ss_flags == 0);
	s.ss_size = MINSIGSTKSZ - 1;
	must_fail(sigaltstack(&s, NULL), ENOMEM);
	must_fail(sigaltstack(&(stack_t){.ss_flags = 8}, NULL), EINVAL);
	s.ss_flags = SS_DISABLE;
	must(sigaltstack(&s, NULL) == 0 && sigaltstack(NULL, &old) == 0);
	must(old.ss_flags == SS_DISABLE);
}

/* ---- frames: what signal.c of the kernel puts there */

struct frame {
	uint32_t sig, blocked, floats;
	uint32_t gs, es, ds, edi, esi, ebp, oesp, ebx, edx, ecx, eax, vector, error;
	uint32_t eip, cs, eflags, esp, ss;
	uint8_t image[512];
};

static struct frame forged __attribute__((aligned(16)));
static uint32_t after[4]; /* cs, ss, ds, eflags where a forged frame has led */

/* Return from a handler that never was. */
static void go(void)
{
	__asm__ volatile("movl %0, %%esp\n\t"
			 "movl %1, %%eax\n\t"
			 "int $0x80\n\tud2"
			 : : "r"(&forged), "i"(SYS_sigreturn) : "eax", "memory");
}

static void arrived(void)
{
	uint32_t flags, cs, ss, ds;

	__asm__ volatile("pushf; popl %0; movl %%cs, %1; movl %%ss, %2; movl %%ds, %3"
			 : "=r"(flags), "=r"(cs), "=r"(ss), "=r"(ds));
	after[0] = cs & 0xffff;
	after[1] = ss & 0xffff;
	after[2] = ds & 0xffff;
	after[3] = flags;
	longjmp(out, 1);
}

static char elsewhere[4096];

/* A forged frame is obeyed only as far as the program may do the same itself. */
static void forged_frame(void)
{
	static const uint32_t flags[] = {
		0, 0xffffffff, 0x3000 /* IOPL */, 0x20000 /* VM */, 0x4000 /* NT */, 0x100100,
	};

	for (volatile size_t i = 0; i < nelem(flags); i++) {
		memset(&forged, 0xff, sizeof(forged));
		forged.floats = i % 2;
		forged.cs = 8; /* the kernel's */
		forged.ss = forged.ds = forged.es = forged.gs = 16;
		forged.eip = (uint32_t)(uintptr_t)arrived;
		forged.esp = (uint32_t)(uintptr_t)elsewhere + sizeof(elsewhere) - 64;
		forged.ebp = 0;
		forged.eflags = flags[i];
		if (setjmp(out) == 0)
			go();
		must(after[0] == 0x1b && after[1] == 0x23 && after[2] == 0x23);
		must((after[3] & ~0xcd5u) == 0x202); /* interrupts on, nothing else */
		must(blocked() == ~(BIT(SIGKILL) | BIT(SIGSTOP)) );
		mask(SIG_SETMASK, 0);
	}
}

static void forged_away(uintptr_t eip)
{
	memset(&forged, 0, sizeof(forged));
	forged.eip = (uint32_t)eip;
	forged.esp = (uint32_t)(uintptr_t)elsewhere + 64;
	go();
}

static void no_frame(uintptr_t esp)
{
	__asm__ volatile("movl %0, %%esp\n\tint $0x80" : : "r"(esp), "a"(SYS_sigreturn));
}

static void forged_ends(void)
{
	must(WTERMSIG(tap_status(forged_away, 0xc0100000)) == SIGSEGV);
	must(WTERMSIG(tap_status(forged_away, 0xffffffff)) == SIGSEGV);
	must(WTERMSIG(tap_status(no_frame, 0xbffff000 - 8)) == SIGSEGV);
	must(WTERMSIG(tap_status(no_frame, 0xc0000000 - 8)) == SIGSEGV);
	must(WTERMSIG(tap_status(no_frame, 0xfffffff0)) == SIGSEGV);
	must(WTERMSIG(tap_status(no_frame, 0)) == SIGSEGV);
}

/* ---- paths, and many at once */

static uint32_t path[4]; /* return addresses from the handler on */

static void follow(int sig)
{
	const uint32_t *frame = __builtin_frame_address(0);

	came[sig]++;
	for (size_t i = 0; i < nelem(path); i++) {
		path[i] = frame[1];
		must(frame[0] > (uintptr_t)frame);
		frame = (const uint32_t *)(uintptr_t)frame[0];
	}
}

static bool within(uint32_t pc, void *fn)
{
	return pc - (uintptr_t)fn < 64;
}

__attribute__((noinline)) static void interrupted(void)
{
	must(sys2(SYS_kill, getpid(), SIGUSR1) == 0);
	must(came[SIGUSR1] == 1);
}

/* A path of calls, as profilers follow it, leads through the frame to who was interrupted. */
static void path_of_calls(void)
{
	set(SIGUSR1, follow, 0, 0);
	interrupted();
	must(within(path[0], (void *)__signal_run));
	must(within(path[1], (void *)__signal_entry));
	must(within(path[2], (void *)interrupted));
	must(within(path[3], (void *)path_of_calls));
}

#define ROUNDS 200

/* Compute with floating point while signals come; nothing may change. */
static void bombarded(uintptr_t i)
{
	pid_t parent = getpid(), bomber;
	sigset_t usual = blocked();

	set(SIGUSR1, other_rounding, 0, 0);
	mask(SIG_BLOCK, BIT(SIGUSR1));
	bomber = fork();
	if (bomber == 0) {
		for (int n = 0; n < ROUNDS; n++) {
			kill(parent, SIGUSR1);
			sched_yield();
		}
		_exit(0);
	}
	load(0x77f, 0x3f80, 1000 + i);
	mask(SIG_SETMASK, usual);
	while (waitpid(bomber, NULL, WNOHANG) == 0)
		must(holds(0x77f, 0x3f80, 1000 + i));
	must(came[SIGUSR1] > 0 && came[SIGUSR1] <= ROUNDS);
	must(blocked() == usual);
}

static void bombardment(void)
{
	tap_together(4, bombarded);
}

static const struct tap_case cases[] = {
	{"W2 a handler changes no register", registers},
	{"W2 a handler's floating point is its own", floating_point},
	{"W2 faults have handlers", faults_handled},
	{"W2 handlers and stacks at bad addresses", bad_addresses},
	{"W2 another stack for handlers", other_stack},
	{"W2 a forged frame gains nothing", forged_frame},
	{"W2 a forged frame that leads nowhere", forged_ends},
	{"W2 a path of calls through a handler's frame", path_of_calls},
	{"W2 many signals, with floating point", bombardment},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
