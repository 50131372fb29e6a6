/*
 * A process whose threads are processors. The clock is a timer of each thread's own time, whose
 * signal interrupts it anywhere, as an NMI does: the process profiles itself. The timer may go off
 * no more often than the system's clock ticks; what it left out is told with the signal.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "tests/port/host.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

__thread struct prof_entry *entry_here; /* what config.h says */
static __thread unsigned cpu_id;
static __thread uintptr_t stack_end;
static __thread char tick_stack[64 * 1024];
static __thread const char *tick_begin; /* in that, where its handler calls the profilers */
static __thread bool in_program;

/* The end of the frame of the function that says this. */
#define FRAME_END ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(uintptr_t))
static pthread_t thread[CPUS];

unsigned machine_cpu(void)
{
	return cpu_id;
}

uintptr_t machine_stack(unsigned cpu)
{
	(void)cpu;
	return stack_end - STACK;
}

void *machine_memory(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* The file is opened at the first write, and closed at the end of the process. */
void machine_write(enum file file, const void *data, size_t n)
{
	static const char *const name[] = {
		[KPDATA] = "kpdata",
		[GMON] = "gmon.out",
		[KPSTACK] = "kpstack",
	};
	static FILE *f[sizeof(name) / sizeof(*name)];

	if (!f[file])
		f[file] = fopen(name[file], "w");
	if (!f[file] || fwrite(data, 1, n, f[file]) != n) {
		perror(name[file]);
		exit(1);
	}
}

static void become(unsigned cpu)
{
	cpu_id = cpu;
	entry_here = &prof_entry[cpu];
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
	const mcontext_t *m = &((const ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
	struct clock_frame f = {(uintptr_t)m->gregs[REG_RIP], (uintptr_t)m->gregs[REG_RBP],
				(uintptr_t)m->gregs[REG_RSP], 0, in_program};
#elif defined(__aarch64__)
	struct clock_frame f = {m->pc, m->regs[29], m->sp, m->regs[30], in_program};
#elif defined(__riscv)
	struct clock_frame f = {m->__gregs[REG_PC], m->__gregs[REG_S0], m->__gregs[REG_SP],
				m->__gregs[REG_RA], in_program};
#endif

	(void)signal;
	tick_begin = (const char *)&f;
	for (int due = 1 + info->si_overrun; due > 0; due--)
		profile_tick(&f);
	if (MIGRATE)
		become(!cpu_id);
}

/*
 * Turn so often with a stack pointer and a frame pointer that lead nowhere, as a program may. It is
 * no kernel's text, and instrumented it cannot be.
 */
void spin(unsigned long turns);
#if defined(__x86_64__)
asm(".type spin, @function; spin: push %rbp;"
    "mov %rsp, %rax; mov $16, %esp; mov $24, %ebp; 1: dec %rdi; jnz 1b;"
    "mov %rax, %rsp; pop %rbp; ret");
#elif defined(__aarch64__)
asm(".type spin, @function; spin:"
    "mov x1, sp; mov x2, x29; mov x29, 24; mov x3, 16; mov sp, x3;"
    "1: subs x0, x0, 1; b.ne 1b; mov sp, x1; mov x29, x2; ret");
#elif defined(__riscv)
asm(".type spin, @function; spin:"
    "mv t1, sp; mv t2, s0; li sp, 16; li s0, 24; 1: addi a0, a0, -1; bnez a0, 1b;"
    "mv sp, t1; mv s0, t2; ret");
#endif

void machine_program(void)
{
	for (unsigned n = 0; n < 1000; n++) {
		in_program = true;
		spin(50000);
		in_program = false;
		serve();
	}
}

/* Let this thread be a CPU whose stack ends here. */
static bool ticks_begin(unsigned cpu, uintptr_t stack)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
	struct itimerspec each = {{0, 1000000000 / HZ}, {0, 1000000000 / HZ}};
	stack_t own = {.ss_sp = tick_stack, .ss_size = sizeof(tick_stack)};
	timer_t timer;

	become(cpu);
	stack_end = stack;
	event.sigev_notify_thread_id = gettid();
	return sigaltstack(&own, NULL) == 0 &&
	       timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0 &&
	       timer_settime(timer, 0, &each, NULL) == 0;
}

/* A thread begins here as a CPU, and blocks the signal when it ceases to be one. */
static void *cpu_main(void *cpu)
{
	sigset_t tick;

	if (!ticks_begin((unsigned)(uintptr_t)cpu, FRAME_END))
		return NULL;
	work();
	sigemptyset(&tick);
	sigaddset(&tick, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &tick, NULL);
	return cpu;
}

bool machine_start(void)
{
	struct sigaction action = {.sa_sigaction = on_tick,
				   .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
	uintptr_t cpu;

	if (sigaction(SIGPROF, &action, NULL) != 0 || !ticks_begin(0, stack_end))
		return false;
	for (cpu = 1; cpu < CPUS; cpu++)
		if (pthread_create(&thread[cpu], NULL, cpu_main, (void *)cpu) != 0)
			return false;
	return true;
}

void machine_wait(void)
{
	unsigned cpu;

	for (cpu = 1; cpu < CPUS; cpu++)
		pthread_join(thread[cpu], NULL);
}

/* Leave how many bytes of stack a tick took at most, how long the process ran, and lost calls. */
static bool tell_cost(void)
{
	FILE *f = fopen("cost", "w");
	const char *at = tick_stack;
	struct timespec t;

	while (at < tick_begin && *at == 0)
		at++;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return f && fprintf(f, "stack %td\ncpu_ms %ld\nlost %u\n", tick_begin - at,
			    (long)t.tv_sec * 1000 + t.tv_nsec / 1000000, profile_lost()) > 0 &&
	       fclose(f) == 0;
}

int main(void)
{
	become(0);
	stack_end = FRAME_END;
	return run() && tell_cost() ? 0 : 1;
}
