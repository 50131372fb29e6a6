/*
 * bench: measures what the kernel's services cost, in cycles of the counter. Under -icount
 * shift=0 a cycle is an instruction; those of the program itself are included. Prints lines
 * "NAME CYCLES", each the mean of many repetitions.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/profil.h>
#include <sys/wait.h>
#include <unistd.h>

static inline uint64_t rdtsc(void)
{
	uint64_t v;

	__asm__ volatile("rdtsc" : "=A"(v));
	return v;
}

static void bench_getpid(void)
{
	getpid();
}

static void bench_fork(void)
{
	int pid = fork(), status;

	if (pid == 0)
		_exit(0);
	waitpid(pid, &status, 0);
}

static void bench_exec(void)
{
	static char *argv[] = {"true", NULL};
	int pid = fork(), status;

	if (pid == 0) {
		execve("/bin/true", argv, NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	if (status != 0) {
		fprintf(stderr, "bench: /bin/true: status %x\n", status);
		exit(1);
	}
}

static int to_child[2], to_parent[2];

/* Send back whatever comes until the other side closes. */
static void echo(void)
{
	char c;

	close(to_child[1]);
	close(to_parent[0]);
	while (read(to_child[0], &c, 1) == 1)
		write(to_parent[1], &c, 1);
	_exit(0);
}

static void bench_pipe(void)
{
	char c = 'x';

	write(to_child[1], &c, 1);
	read(to_parent[0], &c, 1);
}

static void pipe_start(void)
{
	if (pipe(to_child) != 0 || pipe(to_parent) != 0)
		exit(1);
	if (fork() == 0)
		echo();
	close(to_child[0]);
	close(to_parent[1]);
}

static int yielder;

static void yield_start(void)
{
	yielder = fork();
	while (yielder == 0)
		sched_yield();
}

/* Send a byte to another process and get it back. */
static void bench_yield(void)
{
	sched_yield();
}

static void yield_end(void)
{
	int status;

	kill(yielder, SIGKILL);
	waitpid(yielder, &status, 0);
}

static char block[4096];

/* Read a page of a file that is in memory. */
static void bench_read(void)
{
	static FILE *f;

	if (!f)
		f = fopen("/bin/sh", "r");
	lseek(fileno(f), 0, SEEK_SET);
	read(fileno(f), block, sizeof(block));
}

/* Touch a page for the first time. */
static void bench_fault(void)
{
	char *p = sbrk(4096);

	*(volatile char *)p = 1;
}

static void ctl(const char *words)
{
	int fd = open("/prof/ctl", O_WRONLY);

	if (fd < 0 || write(fd, words, strlen(words)) < 0) {
		fprintf(stderr, "bench: %s failed\n", words);
		exit(1);
	}
	close(fd);
}

static void step_start(void)
{
	ctl("module bench");
	ctl("startcp");
}

/* Execute somewhat more than 2000 instructions. */
static void bench_step(void)
{
	int n = 1000;

	__asm__ volatile("1: decl %0; jnz 1b" : "+r"(n) : : "cc");
}

static void step_end(void)
{
	ctl("end");
}

/* Nothing but ticks and what they cause comes between. */
static void bench_spin(void)
{
	int n = 10000000;

	__asm__ volatile("1: decl %0; jnz 1b" : "+r"(n) : : "cc");
}

static void sample_start(void)
{
	ctl("module bench");
	ctl("interval 1");
	ctl("start");
}

/* A sample each millisecond, which is each tick. */
static void profil_start(void)
{
	static unsigned cells[4096];
	const struct prof p = {cells, sizeof(cells), 0x400000, 0x10000};

	ctl("end");
	if (sprofil(&p, 1, NULL, PROF_UINT | PROF_FAST) != 0)
		exit(1);
}

static const struct {
	const char *name;
	void (*start)(void), (*run)(void);
	unsigned n;
} cases[] = {
	{"getpid", NULL, bench_getpid, 1000},
	{"pipe", pipe_start, bench_pipe, 200},
	{"fork", NULL, bench_fork, 50},
	{"exec", NULL, bench_exec, 50},
	{"yield", yield_start, bench_yield, 1000},
	{"read4k", yield_end, bench_read, 100},
	{"fault", NULL, bench_fault, 100},
	{"step2000", step_start, bench_step, 10},
	{"spin", step_end, bench_spin, 10},
	{"spinsample", sample_start, bench_spin, 10},
	{"spinprofil", profil_start, bench_spin, 10},
};

int main(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (cases[i].start)
			cases[i].start();
		for (unsigned k = 0; k < 5; k++)
			cases[i].run();
		uint64_t start = rdtsc();
		for (unsigned k = 0; k < cases[i].n; k++)
			cases[i].run();
		printf("%s %llu\n", cases[i].name,
		       (unsigned long long)((rdtsc() - start) / cases[i].n));
		fflush(stdout);
	}
	profil(NULL, 0, 0, 0);
	return 0;
}
