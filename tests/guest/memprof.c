/* Memory by prof(3): each block is charged to the call that got it. P4, P5, P8, P10. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define SELF "/tests/memprof"
#define WINDOW 128u    /* bytes; each function below occupies as many */
#define ALONE __attribute__((noinline, noclone, aligned(WINDOW)))

/* Call malloc(n), by a call instruction that ends at took. */
void *take(size_t n);
extern char took[];
__asm__(".text\n"
	".globl take, took\n"
	".balign 128\n"
	"take:	push	4(%esp)\n"
	"	call	malloc\n"
	"took:	add	$4, %esp\n"
	"	ret\n"
	".balign 128\n");

/* It keeps the compiler from knowing what happens to the memory. */
static void *volatile sink;

static ALONE void *by_calloc(size_t n)
{
	return sink = calloc(n / 4, 4);
}

static ALONE void *by_realloc(void *p, size_t n)
{
	return sink = realloc(p, n);
}

static ALONE void *by_reallocarray(void *p, size_t n)
{
	return sink = reallocarray(p, n / 2, 2);
}

static ALONE void *by_strdup(void)
{
	return sink = strdup("nine char");
}

static ALONE void *by_asprintf(void)
{
	char *s = NULL;

	asprintf(&s, "%06d", 12);
	return sink = s;
}

static ALONE void *by_getline(FILE *f)
{
	char *s = NULL;
	size_t n = 0;

	getline(&s, &n, f);
	return sink = s;
}

/* Return the bytes charged to the call in take(), by its exact address. */
static uint32_t taken(const char *name)
{
	uint32_t at = (uint32_t)(uintptr_t)took - 1 - TEXT;

	return (uint32_t)modules_sum(SELF, name, at, at + 1);
}

/* The same of what it ever allocated: a column of peak. */
static uint32_t ever(int column)
{
	uint32_t at = (uint32_t)(uintptr_t)took - 1 - TEXT;

	return (uint32_t)modules_column(SELF, "peak", column, at, at + 1);
}

/* Return the bytes charged to the calls in a function. */
static uint32_t has(const void *fn)
{
	uint32_t at = (uint32_t)(uintptr_t)fn - TEXT;

	return (uint32_t)modules_sum(SELF, "hist", at, at + WINDOW);
}

/* Return the number after a word in the module's file memory. */
static uint64_t number(const char *module, const char *word)
{
	const char *file = modules_file(module, "memory"), *at;

	must(file != NULL);
	at = strstr(tap_read(file), word);
	must(at != NULL);
	return strtoull(at + strlen(word), NULL, 10);
}

static void begin(void)
{
	must(ctl("end") == 0 && ctl("module memprof") == 0 && ctl("startmp") == 0);
}

static void P4_exactly_those_bytes(void)
{
	begin();
	void *a = take(1000), *b = take(24);
	must(taken("hist") == 1024);
	free(a);
	must(taken("hist") == 24 && taken("peak") == 1024);
	a = take(1);
	must(taken("hist") == 25);
	free(a);
	free(b);
	must(taken("hist") == 0 && taken("peak") == 1024);
	a = take(0);
	must(a != NULL && taken("hist") == 0);
	free(a);
	must(take(SIZE_MAX / 2) == NULL && taken("hist") == 0 && taken("peak") == 1024);
	must(ever(2) == 1025 && ever(3) == 4 && ever(4) == 4);
	must(ctl("end") == 0);
}

/* Looking takes memory too, so sums are compared with what they were before. */
static void P4_sums(void)
{
	void *p[100];

	begin();
	uint64_t freed = number(SELF, "freed "), got = number(SELF, "allocated ");
	uint64_t look = number(SELF, "allocated ") - got, total = number(SELF, "total ");
	for (int i = 0; i < 100; i++)
		p[i] = take(100);
	must(number(SELF, "allocated ") == got + 3 * look + 100);
	must(number(SELF, "total ") - total >= 10000);
	must(number(SELF, "live ") >= 10000 && number(SELF, "live ") < 12000);
	for (int i = 0; i < 100; i++)
		free(p[i]);
	must(number(SELF, "live ") < 2000 && number(SELF, "total ") - total >= 10000);
	must(number(SELF, "peak ") >= 10000 && number(SELF, "peak ") < 20000);
	must(number(SELF, "freed ") > freed + 100);
	must(number(SELF, "lost ") == 0);
	must(ctl("stop") == 0);
	must(number(SELF, "live ") == modules_sum(SELF, "hist", 0, UINT32_MAX));
	must(number(SELF, "total ") == modules_column(SELF, "peak", 2, 0, UINT32_MAX));
	must(number(SELF, "allocated ") == modules_column(SELF, "peak", 3, 0, UINT32_MAX));
	must(number(SELF, "freed ") == modules_column(SELF, "peak", 4, 0, UINT32_MAX));
	must(ctl("end") == 0);
}

/* From then on the block is charged to the caller of realloc. */
static void P4_realloc(void)
{
	begin();
	char *p = take(100), *wall = take(10);
	must(taken("hist") == 110);
	p = by_realloc(p, 5000);
	must(taken("hist") == 10 && has(by_realloc) == 5000);
	must(by_realloc(p, SIZE_MAX / 2) == NULL);
	must(has(by_realloc) == 5000);
	p = by_realloc(p, 50);
	must(has(by_realloc) == 50);
	p = by_reallocarray(p, 60);
	must(has(by_realloc) == 0 && has(by_reallocarray) == 60);
	free(p);
	free(wall);
	must(taken("hist") == 0 && has(by_reallocarray) == 0);
	p = by_realloc(NULL, 7);
	must(has(by_realloc) == 7);
	free(p);
	must(ctl("end") == 0);
}

static void P4_the_caller_of_the_library(void)
{
	begin();
	void *a = by_calloc(400), *b = by_strdup(), *c = by_asprintf();
	must(has(by_calloc) == 400 && has(by_strdup) == 10 && has(by_asprintf) == 7);
	tap_write("line", "text\n");
	FILE *f = fopen("line", "r");
	must(f != NULL);
	void *d = by_getline(f);
	must(has(by_getline) >= 6);
	fclose(f);
	free(a);
	free(b);
	free(c);
	free(d);
	must(has(by_calloc) + has(by_strdup) + has(by_asprintf) + has(by_getline) == 0);
	must(ctl("end") == 0);
}

/* Freeing a forked copy changes nothing; what the child allocates stays charged. */
static void P4_fork(void)
{
	begin();
	void *p = take(1000);
	pid_t pid = fork();
	if (pid == 0) {
		free(p);
		p = take(300);
		free(take(20));
		_exit(p == NULL);
	}
	tap_join(pid);
	must(taken("hist") == 1300);
	free(p);
	must(taken("hist") == 300 && taken("peak") == 1320);
	must(ctl("end") == 0);
}

/* What processes had when they ended stays counted, though later ones have the same addresses. */
static void P4_processes_that_end(void)
{
	const uint32_t n = 20;

	begin();
	for (uint32_t i = 0; i < n; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			take(1000);
			_exit(0);
		}
		tap_join(pid);
	}
	must(taken("hist") == n * 1000 && number(SELF, "lost ") == 0);
	must(ctl("end") == 0);
}

static void take_500(void *to)
{
	*(void **)to = take(500);
}

static void P4_shared_memory(void)
{
	void *p = NULL;

	begin();
	pid_t pid = sproc(take_500, PR_SALL, &p);
	must(pid > 0);
	tap_join(pid);
	must(p != NULL && taken("hist") == 500);
	free(p);
	must(taken("hist") == 0);
	must(ctl("end") == 0);
}

static void P4_a_program_that_begins_later(void)
{
	must(ctl("end") == 0 && ctl("module sort") == 0 && ctl("startmp 2") == 0);
	free(take(10));
	tap_program((char *[]){"/bin/sort", "/rc/init", NULL});
	must(modules_file(SELF, "hist") == NULL);
	uint64_t once = number("/bin/sort", "allocated ");
	must(once > 0 && number("/bin/sort", "peak ") > 100);
	tap_program((char *[]){"/bin/sort", "/rc/init", NULL});
	must(number("/bin/sort", "allocated ") == 2 * once);
	must(ctl("end") == 0);
}

/* Blocks from before are not counted, nor is freeing them. */
static void P4_from_the_middle(void)
{
	must(ctl("end") == 0);
	void *a = take(1000), *b = take(1000);
	begin();
	void *c = take(30);
	free(a);
	must(taken("hist") == 30);
	b = by_realloc(b, 2000);
	must(taken("hist") == 30 && has(by_realloc) == 2000);
	free(b);
	free(c);
	must(taken("hist") == 0 && has(by_realloc) == 0);
	must(ctl("end") == 0);
}

/* A block freed while stopped stays counted until its address is used again. */
static void P5_stop_and_start(void)
{
	begin();
	void *a = take(100), *b = take(40);
	must(ctl("stop") == 0);
	free(b);
	void *c = take(40);
	must(taken("hist") == 140);
	must(ctl("startmp") == 0);
	free(a);
	must(taken("hist") == 40);
	free(c);
	must(taken("hist") == 0);
	begin();
	must(taken("hist") == 0 && taken("peak") == 0);
	must(ctl("end") == 0);
}

/* Return the system calls of all processors so far. */
static uint64_t calls(void)
{
	const char *at = tap_read("/dev/sysstat");
	uint64_t n, total = 0;
	char *end;

	for (; (at = strstr(at, "cpu")) != NULL; at++) {
		end = (char *)at + 3;
		for (int i = 0; i < 4; i++)
			n = strtoull(end, &end, 10);
		total += n;
	}
	return total;
}

/* Return the system calls that 10000 blocks take; other processes add a few. */
static uint64_t calls_for_blocks(void)
{
	free(take(100));
	uint64_t before = calls();
	for (int i = 0; i < 10000; i++)
		free(take(100));
	return calls() - before;
}

static void P4_no_system_call_unless_asked(void)
{
	must(ctl("end") == 0);
	must(calls_for_blocks() < 2000);
	begin();
	must(calls_for_blocks() >= 20000);
	must(ctl("stop") == 0);
	must(calls_for_blocks() < 2000);
	must(ctl("end") == 0 && ctl("module sort") == 0 && ctl("startmp") == 0);
	must(calls_for_blocks() < 2000);
	must(ctl("end") == 0 && ctl("startmp 1") == 0);
	must(calls_for_blocks() < 2000);
	must(ctl("end") == 0 && ctl("module memprof") == 0 && ctl("start") == 0);
	must(calls_for_blocks() < 2000);
	must(ctl("end") == 0);
}

/* Return the address of the kernel's call that is charged with so many bytes, or 0. */
static uint32_t who_has(const char *name, uint32_t bytes)
{
	char *end;

	for (const char *at = tap_read(modules_file(KERNEL, name)); *at; at = end + 1) {
		uint32_t pc = (uint32_t)strtoul(at, &end, 10);
		if (strtoul(end, &end, 10) == bytes)
			return pc;
	}
	return 0;
}

/* The rings of twenty pipes, a page each, are allocated and freed. */
static void P10_the_kernel_s_pipes(void)
{
	const uint32_t rings = 20 * 4096;
	int fd[40];

	must(ctl("end") == 0 && ctl("module kernel") == 0 && ctl("startmp") == 0);
	must(who_has("hist", rings) == 0);
	for (int i = 0; i < 40; i += 2)
		must(pipe(fd + i) == 0);
	uint32_t at = who_has("hist", rings);
	must(at > 0 && modules_sum(KERNEL, "hist", at, at + 1) == rings);
	for (int i = 0; i < 40; i++)
		close(fd[i]);
	must(modules_sum(KERNEL, "hist", at, at + 1) == 0);
	must(modules_sum(KERNEL, "peak", at, at + 1) == rings);
	must(number(KERNEL, "lost ") == 0);
	must(ctl("end") == 0);
}

/* 1 is the kernel's memory, 2 that of programs; 3 is of no use alone. */
static void P4_words(void)
{
	static const struct {
		const char *words;
		bool kernel, self;
	} good[] = {
		{"startmp", true, true},      {"startmp\n", true, true},
		{"startmp 1", true, false},   {"startmp 2", false, true},
		{"startmp 12", true, true},   {"startmp 21\n", true, true},
		{"startmp 123", true, true},  {"startmp 13", true, false},
		{"startmp 32", false, true},
	};
	static const char *const bad[] = {
		"startmp 0", "startmp 4", "startmp x", "startmp 1 2", "startmp 12x", "startmp -1",
		"startmp 1.", "startmp\n\n", "startmp path",
		"startmp paths 1", "startmp 1 2 paths", "Startmp", "startmp2", "stopmp",
	};

	must(ctl("end") == 0);
	for (size_t i = 0; i < nelem(good); i++) {
		/* in 16 MB there is no room for all programs' modules */
		must(ctl("module kernel memprof") == 0 && ctl(good[i].words) == 0);
		must(!modules_file(KERNEL, "hist") == !good[i].kernel);
		must(!modules_file(SELF, "hist") == !good[i].self);
		must(ctl("end") == 0);
	}
	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(ctl(bad[i]), EINVAL);
	must_fail(ctl("startmp 3"), EOPNOTSUPP);
	must_fail(ctl("startmp 33"), EOPNOTSUPP);
	must(ctl("start") == 0 && ctl("end") == 0);
}

static void P10_one_kind_at_a_time(void)
{
	static const char *const starts[] = {"start", "startcp", "startmp", "startmp 2"};

	for (size_t i = 0; i < nelem(starts); i++) {
		must(ctl("end") == 0 && ctl("module memprof") == 0 && ctl(starts[i]) == 0);
		for (size_t k = 0; k < nelem(starts); k++)
			must_fail(ctl(starts[k]), EBUSY);
		must_fail(ctl("module sort"), EBUSY);
		must(ctl("stop") == 0);
	}
	begin();
	void *p = take(100);
	must(taken("hist") == 100 && ctl("stop") == 0);
	must(ctl("startcp") == 0 && ctl("stop") == 0);
	must(taken("peak") == 0 && number(SELF, "allocated ") == 0);
	must(ctl("startmp") == 0);
	free(p);
	must(taken("hist") == 0);
	must(ctl("end") == 0);
}

static void P8_files(void)
{
	char pair[32], file[64];

	begin();
	void *p = take(77);
	strlcpy(file, modules_file(SELF, "histogram"), sizeof(file));
	int fd = open(file, O_RDONLY);
	must(fd >= 0);
	uint32_t wanted = (uint32_t)(uintptr_t)took - 1 - TEXT, last = 0, n = 0;
	ssize_t r;
	while ((r = read(fd, pair, sizeof(pair) - 1)) > 0) {
		char *end;
		pair[r] = 0;
		uint32_t pc = (uint32_t)strtoul(pair, &end, 10);
		must(pc > last && *end == ' ');
		last = pc;
		if (pc == wanted) {
			must(strcmp(end, " 77") == 0);
			n++;
		}
	}
	must(r == 0 && n == 1);
	free(p);
	must_fail(open(modules_file(SELF, "peak"), O_WRONLY), EACCES);
	must_fail(open(modules_file(SELF, "memory"), O_WRONLY), EACCES);
	must(ctl("end") == 0);
	must_fail(open(file, O_RDONLY), ENOENT);
}

/* Report a block as the C library does, true or not. */
static int tell(uint32_t old, uint32_t new, uint32_t n, uint32_t pc)
{
	return sys5(SYS_memprof, (int)old, (int)new, (int)n, (int)pc, 0);
}

static void P4_lies(void)
{
	uint32_t pc = (uint32_t)(uintptr_t)took;

	must(ctl("end") == 0);
	must(tell(8, 16, 100, pc) == 0);
	begin();
	must(tell(8, 0, 0, 0) == 0 && tell(0, 0, 100, pc) == 0);
	must(tell(0, 16, 100, 0) == 0 && tell(0, 16, 100, 0xc0100000) == 0);
	must(number(SELF, "lost ") == 2 && taken("hist") == 0);
	must(tell(0, 16, 100, pc) == 0 && tell(0, 16, 50, pc) == 0);
	must(taken("hist") == 50);
	must(tell(16, 16, UINT32_MAX - 1, pc) == 0 && taken("hist") == UINT32_MAX - 1);
	must(tell(0, 24, UINT32_MAX, pc) == 0 && taken("hist") == UINT32_MAX);
	must(tell(16, 0, 0, 0) == 0 && tell(24, 0, 0, 0) == 0 && taken("hist") == UINT32_MAX);
	must(ctl("end") == 0);
}

/* A file that is longer than expected needs memory as it is made, which is counted meanwhile. */
static void P8_long_files(void)
{
	static char text[65536];
	size_t lines = 0;

	must(ctl("end") == 0 && ctl("startmp") == 0);
	for (uint32_t i = 0; i < 1500; i++)
		must(tell(0, 0x20000000 + 16 * i, 0x70000000, TEXT + i) == 0);
	for (int i = 0; i < 2; i++) {
		static const char *const file[] = {"hist", "peak"};

		tap_load(modules_file(SELF, file[i]), text, sizeof(text));
		for (const char *s = text; (s = strchr(s, '\n')) != NULL; s++)
			lines++;
	}
	must(lines > 0 && lines + 2 * number(SELF, "lost ") >= 2 * 1499);
	must(ctl("end") == 0);
}

/* What does not fit into the table is told as lost; what is in it stays right. */
static void P4_more_blocks_than_there_is_room_for(void)
{
	uint32_t pc = (uint32_t)(uintptr_t)took, n = 100000;

	begin();
	for (uint32_t i = 1; i <= n; i++)
		tell(0, 16 * i, 1, pc);
	uint64_t lost = number(SELF, "lost ");
	uint32_t kept = taken("hist");
	must(kept >= 1000 && kept <= n && (lost > 0 || kept == n) && kept + lost >= n);
	for (uint32_t i = 1; i <= n; i++)
		tell(16 * i, 0, 0, 0);
	must(taken("hist") == 0 && taken("peak") == kept);
	free(take(5));
	must(number(SELF, "lost ") >= lost);
	must(ctl("end") == 0);
}

/* Blocks, processes and profiling begin and end; afterwards the kernel has all its memory back. */
static void P5_start_and_end_in_the_middle(void)
{
	static const char *const words[] = {
		"startmp", "startmp 2 paths", "startmp paths", "startmp 2",
	};
	size_t before;
	pid_t pid[3];

	must(ctl("end") == 0);
	tap_program((char *[]){"/bin/sort", "/rc/init", NULL});
	before = tap_memory_left();
	for (int i = 0; i < 3; i++) {
		pid[i] = fork();
		while (pid[i] == 0) {
			pid_t child = fork();
			if (child == 0) {
				free(take(1000));
				take(10);
				_exit(0);
			}
			for (int k = 0; k < 20; k++)
				free(take(100));
			waitpid(child, NULL, 0);
			tap_program((char *[]){"/bin/sort", "/rc/init", NULL});
		}
	}
	for (int i = 0; i < 60; i++) {
		must(ctl(words[i % 4]) == 0 || errno == ENOMEM); /* with 16 MB */
		tap_sleep(i % 7);
		must(ctl(i % 3 ? "stop" : "end") == 0);
	}
	for (int i = 0; i < 3; i++)
		tap_finish(pid[i]);
	must(ctl("end") == 0);
	must(tap_memory_back(before, 64));
}

static const struct tap_case cases[] = {
	{"P4 exactly those bytes, back to none, and the peak", P4_exactly_those_bytes},
	{"P4 sums of a module", P4_sums},
	{"P4 realloc gives a block to its caller", P4_realloc},
	{"P4 the caller of the library is charged", P4_the_caller_of_the_library},
	{"P4 fork", P4_fork},
	{"P4 blocks of processes that have ended", P4_processes_that_end},
	{"P4 processes that share memory", P4_shared_memory},
	{"P4 a program that starts later", P4_a_program_that_begins_later},
	{"P4 starting in the middle of a program", P4_from_the_middle},
	{"P4 no system calls unless profiled", P4_no_system_call_unless_asked},
	{"P4 valid and invalid words", P4_words},
	{"P4 a program that reports false blocks", P4_lies},
	{"P4 more blocks than the table holds", P4_more_blocks_than_there_is_room_for},
	{"P5 stop and start", P5_stop_and_start},
	{"P5 start and end while blocks and processes come and go", P5_start_and_end_in_the_middle},
	{"P8 the files", P8_files},
	{"P8 long files", P8_long_files},
	{"P10 the kernel's memory for pipes", P10_the_kernel_s_pipes},
	{"P10 only one kind of profiling at a time", P10_one_kind_at_a_time},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
