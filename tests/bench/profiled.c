/*
 * profiled: measures what the profilers of programs cost, in cycles of the counter, as bench
 * does: under -icount shift=0 a cycle is an instruction.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/profil.h>
#include <unistd.h>

#define TIMES 10 /* that each case runs */

static inline uint64_t rdtsc(void)
{
	uint64_t v;

	__asm__ volatile("rdtsc" : "=A"(v));
	return v;
}

static void ctl(const char *words)
{
	int fd = open("/prof/ctl", O_WRONLY);

	if (fd < 0 || write(fd, words, strlen(words)) < 0) {
		fprintf(stderr, "profiled: %s failed\n", words);
		exit(1);
	}
	close(fd);
}

static void step_start(void)
{
	ctl("module profiled");
	ctl("startcp");
}

/* Execute somewhat more than 2000 instructions. */
static void run_step(void)
{
	int n = 1000;

	__asm__ volatile("1: decl %0; jnz 1b" : "+r"(n) : : "cc");
}

static void step_end(void)
{
	ctl("end");
}

/* Nothing but ticks and what they cause comes between. */
static void run_spin(void)
{
	int n = 10000000;

	__asm__ volatile("1: decl %0; jnz 1b" : "+r"(n) : : "cc");
}

static void sample_start(void)
{
	ctl("module profiled");
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
} cases[] = {
	{"step2000", step_start, run_step},
	{"spin", step_end, run_spin},
	{"spinsample", sample_start, run_spin},
	{"spinprofil", profil_start, run_spin},
};

int main(void)
{
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cases[i].start();
		for (unsigned k = 0; k < 5; k++)
			cases[i].run();
		uint64_t start = rdtsc();
		for (unsigned k = 0; k < TIMES; k++)
			cases[i].run();
		printf("%s %llu\n", cases[i].name, (unsigned long long)((rdtsc() - start) / TIMES));
		fflush(stdout);
	}
	profil(NULL, 0, 0, 0);
	return 0;
}
