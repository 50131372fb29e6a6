/*
 * Floating point: each process has its own registers, on several processors too. The
 * compiler is told to use none (Makefile), so that what a test leaves in one stays there.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define NPROC 4
#define ROUNDS 10
#define FRESH_CONTROL 0x37f /* as FNINIT leaves it: all exceptions masked, to nearest */
#define FRESH_MXCSR 0x1f80
#define DOWN_CONTROL 0x77f /* the same, rounding down */
#define DOWN_MXCSR 0x3f80

static uint16_t control(void)
{
	uint16_t word;

	asm volatile("fnstcw %0" : "=m"(word));
	return word;
}

static void set_control(uint16_t word)
{
	asm volatile("fldcw %0" : : "m"(word));
}

static uint32_t mxcsr(void)
{
	uint32_t word;

	asm volatile("stmxcsr %0" : "=m"(word));
	return word;
}

static void set_mxcsr(uint32_t word)
{
	asm volatile("ldmxcsr %0" : : "m"(word));
}

static uint32_t xmm7(void)
{
	uint32_t word;

	asm volatile("movd %%xmm7, %0" : "=r"(word));
	return word;
}

static void set_xmm7(uint32_t word)
{
	asm volatile("movd %0, %%xmm7" : : "r"(word));
}

static bool fresh(void)
{
	return control() == FRESH_CONTROL && mxcsr() == FRESH_MXCSR && xmm7() == 0;
}

static void round_down(uint32_t word)
{
	set_xmm7(word);
	set_mxcsr(DOWN_MXCSR);
	set_control(DOWN_CONTROL);
}

static bool rounds_down(uint32_t word)
{
	return xmm7() == word && mxcsr() == DOWN_MXCSR && control() == DOWN_CONTROL;
}

/* The sum of 1 / (k + i + the sum of those before), k from 1 on; it stays in a register. */
static uint64_t series(int i)
{
	uint64_t sum;

	asm volatile("fldz");
	for (int k = 1; k < 5000; k++) {
		int n = k + i;
		asm volatile("fld1; fildl %0; fadd %%st(2), %%st; fdivrp %%st, %%st(1); faddp"
			     : : "m"(n));
		if (k % 500 == 0)
			sched_yield(); /* to others that do the same */
	}
	asm volatile("fstpl %0" : "=m"(sum));
	return sum;
}

static uint64_t expected[NPROC];

static void sum_beside_others(uintptr_t i)
{
	for (int round = 0; round < ROUNDS; round++)
		must(series((int)i) == expected[i]);
}

static void W1_sums(void)
{
	for (int i = 0; i < NPROC; i++)
		expected[i] = series(i);
	must(expected[0] != expected[1]);
	tap_together(NPROC, sum_beside_others);
}

/* The registers hold a value of the process while it gives way to others that do the same. */
static void keep_registers(uintptr_t i)
{
	uint32_t odd = i & 1;

	must(fresh());
	set_xmm7((uint32_t)i + 1);
	if (odd)
		round_down((uint32_t)i + 1);
	asm volatile("fildl %0" : : "m"(i));
	for (int round = 0; round < 200; round++) {
		sched_yield();
		must(xmm7() == i + 1);
		must(mxcsr() == (odd ? DOWN_MXCSR : FRESH_MXCSR));
		must(control() == (odd ? DOWN_CONTROL : FRESH_CONTROL));
	}
	uint32_t top;
	asm volatile("fistpl %0" : "=m"(top));
	must(top == i);
}

static void W1_registers(void)
{
	tap_together(NPROC, keep_registers);
}

static void W1_fork(void)
{
	round_down(11);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		must(rounds_down(11));
		set_xmm7(12);
		set_control(FRESH_CONTROL);
		_exit(0);
	}
	tap_join(pid);
	must(rounds_down(11));
}

static void change_all(void *arg)
{
	must(rounds_down((uint32_t)(uintptr_t)arg));
	set_xmm7(0);
	set_mxcsr(FRESH_MXCSR);
	set_control(FRESH_CONTROL);
}

static void W1_sproc(void)
{
	round_down(13);
	tap_join(sproc(change_all, PR_SALL, (void *)13));
	must(rounds_down(13));
}

/* What a handler finds, and what it leaves in the registers. */
static volatile bool found_fresh;

static void handler(int sig)
{
	found_fresh = fresh();
	set_xmm7((uint32_t)sig);
	set_mxcsr(FRESH_MXCSR & ~0x1000u); /* unmasks inexact results */
	set_control(FRESH_CONTROL);
}

/* A handler has registers of its own, and what it interrupted has its own again. */
static void W1_handler(void)
{
	must(signal(SIGUSR1, handler) != SIG_ERR);
	round_down(15);
	for (int round = 1; round < 10; round++) {
		found_fresh = false;
		must(raise(SIGUSR1) == 0 && found_fresh && rounds_down(15));
	}
}

static volatile bool forged;

/* Set all bits of MXCSR in the image that is on the stack, of which some are reserved. */
static void forge(int sig)
{
	uint32_t *at = __builtin_frame_address(0);

	(void)sig;
	for (int word = 0; word < 1024 && !forged; word++, at++)
		if ((at[0] & 0xffff) == DOWN_CONTROL && at[6] == DOWN_MXCSR) {
			at[6] = UINT32_MAX;
			forged = true;
		}
}

/* FXRSTOR would fault in the kernel. */
static void W1_forged_image(void)
{
	must(signal(SIGUSR1, forge) != SIG_ERR);
	round_down(16);
	must(raise(SIGUSR1) == 0 && forged);
	must(xmm7() == 16 && control() == DOWN_CONTROL);
	must((mxcsr() | 0x40) == 0xffff); /* denormals are zeros: not of all processors */
	set_mxcsr(FRESH_MXCSR);
}

static void become_fresh(uintptr_t unused)
{
	(void)unused;
	round_down(14);
	execve("/tests/float", (char *[]){"/tests/float", "fresh", NULL}, NULL);
	_exit(1);
}

static void W1_exec(void)
{
	must(tap_status(become_fresh, 0) == 0);
}

static void W1_exception(void)
{
	char line[80];
	pid_t pid = fork();
	int status;

	must(pid >= 0);
	if (pid == 0) {
		set_control(FRESH_CONTROL & ~4); /* division by zero */
		asm volatile("fld1; fldz; fdivrp; fwait");
		_exit(0);
	}
	must(waitpid(pid, &status, 0) == pid);
	must(WIFSIGNALED(status) && WTERMSIG(status) == SIGFPE);
	snprintf(line, sizeof(line), "float (%d): floating point error at ", pid);
	must(strstr(tap_read("/dev/log"), line) != NULL);
}

static void use(uintptr_t word)
{
	set_xmm7((uint32_t)word);
}

/* 512 bytes each: 400 of them would be 50 pages. */
static void W1_memory(void)
{
	must(tap_status(use, 1) == 0);
	size_t before = tap_memory_left();
	for (int i = 0; i < 400; i++)
		must(tap_status(use, 1) == 0);
	must(tap_memory_back(before, 16));
}

static void exec_again(uintptr_t unused)
{
	(void)unused;
	round_down(17);
	execve("/tests/float", (char *[]){"/tests/float", "use", NULL}, NULL);
	_exit(1);
}

/* The same with what it had before exec. */
static void W1_exec_memory(void)
{
	must(tap_status(exec_again, 0) == 0);
	size_t before = tap_memory_left();
	for (int i = 0; i < 400; i++)
		must(tap_status(exec_again, 0) == 0);
	must(tap_memory_back(before, 16));
}

static const struct tap_case cases[] = {
	{"W1 sums beside each other are those of one alone", W1_sums},
	{"W1 registers and rounding modes are each process's own", W1_registers},
	{"W1 fork copies registers", W1_fork},
	{"W1 sproc copies registers", W1_sproc},
	{"W1 exec begins with fresh registers", W1_exec},
	{"W1 W2 a handler has registers of its own", W1_handler},
	{"W1 W2 a forged image is taken without what is reserved", W1_forged_image},
	{"W1 what a process had before exec comes back", W1_exec_memory},
	{"W1 an exception that is not masked is SIGFPE, with a line", W1_exception},
	{"W1 what a process had for its registers comes back", W1_memory},
};

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "use") == 0)
		round_down(18);
	else if (argc > 1)
		return fresh() ? 0 : 1;
	if (argc > 1)
		return 0;
	return tap_run(cases, nelem(cases));
}
