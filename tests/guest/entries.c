/* Coverage of the kernel by prof(3): every entry of a function, exactly. P3, P5, P8, P10. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>
#include "tests/guest/modules.h"
#include "prof/prof.h"
#include "tests/guest/tap.h"

#define KTZERO 0xc0100000u
#define ALL "kern.profiling."
#define PAD 5 /* bytes of an entry call */
#define CALLS 1234
#define SHT_SYMTAB 2
#define STT_FUNC 2

struct section {
	uint32_t name, type, flags, address, offset, size, link, info, align, entsize;
};

struct symbol {
	uint32_t name, value, size;
	uint8_t info, other;
	uint16_t section;
};

/* The kernel's file and where its symbols are. */
static struct {
	char *file;
	const struct symbol *symbol;
	const char *names;
	size_t n;
} image;

static void read_symbols(void)
{
	const struct section *s;
	int fd = open(KERNEL, O_RDONLY);
	struct stat st;
	uint32_t shoff;
	uint16_t shnum;

	must(fd >= 0 && fstat(fd, &st) == 0);
	image.file = malloc((size_t)st.st_size);
	must(image.file && read(fd, image.file, (size_t)st.st_size) == (ssize_t)st.st_size);
	close(fd);
	memcpy(&shoff, image.file + 32, sizeof(shoff));
	memcpy(&shnum, image.file + 48, sizeof(shnum));
	s = (const void *)(image.file + shoff);
	for (int i = 0; i < shnum; i++) {
		if (s[i].type != SHT_SYMTAB)
			continue;
		image.symbol = (const void *)(image.file + s[i].offset);
		image.n = s[i].size / sizeof(*image.symbol);
		image.names = image.file + s[s[i].link].offset;
	}
	must(image.n > 0);
}

/* Return the offset of a function in the kernel's text. */
static uint32_t function(const char *name)
{
	if (!image.file)
		read_symbols();
	for (size_t i = 0; i < image.n; i++) {
		if ((image.symbol[i].info & 15) == STT_FUNC &&
		    strcmp(image.names + image.symbol[i].name, name) == 0)
			return image.symbol[i].value - KTZERO;
	}
	must(!"there is such a function");
	return 0;
}

static bool is_function(uint32_t pc)
{
	for (size_t i = 0; i < image.n; i++) {
		if ((image.symbol[i].info & 15) == STT_FUNC &&
		    image.symbol[i].value - KTZERO == pc)
			return true;
	}
	return false;
}

/* Return how often the function was entered. */
static uint64_t count(const char *name)
{
	uint32_t at = function(name);

	return modules_sum(KERNEL, "hist", at, at + 1);
}

static void begin(void)
{
	must(ctl("end") == 0 && ctl("module kernel") == 0 && ctl("startcp") == 0);
}

static void call(int n)
{
	while (n-- > 0)
		getpid();
}

static void set(const char *name, int32_t value)
{
	must(sysctlbyname(name, NULL, NULL, &value, sizeof(value)) == 0);
}

/* Return how often gmon saw the function called, by all callers together. */
static uint64_t arcs(const char *name)
{
	uint32_t selfpc = KTZERO + function(name) + PAD;
	struct prof_tostruct *tos;
	size_t size = 0;
	uint64_t sum = 0;

	must(sysctlbyname(ALL "tos", NULL, &size, NULL, 0) == 0);
	tos = malloc(size);
	must(tos && sysctlbyname(ALL "tos", tos, &size, NULL, 0) == 0);
	for (uint32_t i = 1; i <= tos[0].link; i++)
		sum += tos[i].selfpc == selfpc ? tos[i].count : 0;
	free(tos);
	return sum;
}

static void P10_n_calls_show_n(void)
{
	begin();
	call(CALLS);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == CALLS);
	must(count("syscall") > CALLS && count("syscall") < CALLS + 1000000);
	call(1);
	must(count("sys_getpid") == CALLS);
	must(ctl("startcp") == 0);
	call(1);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == CALLS + 1);
	must(ctl("end") == 0 && modules_file(KERNEL, "hist") == NULL);
}

static void P8_only_functions_begin(void)
{
	char line[64];
	int n = 0;

	begin();
	call(1);
	must(ctl("stop") == 0);
	function("sys_getpid");
	FILE *f = fopen(modules_file(KERNEL, "hist"), "r");
	must(f != NULL);
	for (; fgets(line, sizeof(line), f); n++)
		must(is_function((uint32_t)strtoul(line, NULL, 10)));
	fclose(f);
	must(n > 10);
	must(ctl("end") == 0);
}

static void call_many(uintptr_t unused)
{
	(void)unused;
	call(CALLS);
}

/* On any number of processors no call is lost and none is counted twice. */
static void P10_calls_of_several_processes_add_up(void)
{
	begin();
	tap_together(8, call_many);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == 8 * CALLS);
	must(ctl("end") == 0);
}

/* Samples come at any instruction, even while a call is being counted. */
static void P10_samples_lose_no_call(void)
{
	begin();
	must(kpctl("hz 20000") == 0 && kpctl("start") == 0);
	call(20000);
	must(kpctl("stop") == 0 && kpctl("hz 1000") == 0);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == 20000);
	must(ctl("end") == 0);
}

/* Each of the two starts and stops while the other is on, and runs alone. */
static void P10_gmon_beside_it(void)
{
	must(ctl("end") == 0 && ctl("module kernel") == 0);
	set(ALL "state", PROF_GMON_OFF);
	set(ALL "tos", 0);
	set(ALL "state", PROF_GMON_ON);
	call(1000);
	must(ctl("startcp") == 0);
	call(200);
	set(ALL "state", PROF_GMON_OFF);
	call(30);
	set(ALL "state", PROF_GMON_ON);
	call(4);
	must(ctl("stop") == 0);
	call(50000);
	must(count("sys_getpid") == 234);
	set(ALL "state", PROF_GMON_OFF);
	must(arcs("sys_getpid") == 51204);
	must(ctl("startcp") == 0);
	call(5);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == 239 && arcs("sys_getpid") == 51204);
	must(ctl("end") == 0);
}

static void P10_one_process_alone(void)
{
	char words[32];
	int go[2];
	char c;

	must(ctl("end") == 0 && ctl("module kernel") == 0 && pipe(go) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		read(go[0], &c, 1);
		call(77);
		_exit(0);
	}
	snprintf(words, sizeof(words), "startcp %d", (int)pid);
	must(ctl(words) == 0);
	call(1000);
	must(write(go[1], "x", 1) == 1);
	tap_join(pid);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == 77);
	must(ctl("end") == 0);
}

/* If no module is named, everything that runs is profiled, the kernel included. */
static void P2_all_means_the_kernel_too(void)
{
	must(ctl("end") == 0 && ctl("startcp") == 0);
	call(9);
	must(ctl("stop") == 0);
	must(count("sys_getpid") == 9);
	must(modules_file("/tests/entries", "hist") != NULL);
	must(ctl("end") == 0);
}

/* The rounds of a string instruction are single-stepped; the kernel calls no functions for them. */
static void P10_steps_are_no_calls(void)
{
	static char to[20000];
	char *at = to;
	char words[32];
	unsigned n = sizeof(to);

	snprintf(words, sizeof(words), "startcp %d", (int)getpid());
	must(ctl("end") == 0 && ctl(words) == 0);
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(1) : "memory");
	must(ctl("stop") == 0);
	must(to[sizeof(to) - 1] == 1);
	must(modules_sum(KERNEL, "hist", 0, UINT32_MAX) < 10000);
	must(ctl("end") == 0);
}

/* Other processes work on unharmed while it starts and stops, with gmon and without. */
static void P5_start_and_stop_do_no_harm(void)
{
	pid_t pid[4];

	for (size_t i = 0; i < nelem(pid); i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		if (pid[i] == 0)
			for (;;)
				call(1000);
	}
	for (int i = 0; i < 12; i++) { /* in each order, twice */
		begin();
		set(ALL "state", i % 2 ? PROF_GMON_ON : PROF_GMON_OFF);
		tap_sleep(1);
		must(ctl(i % 3 ? "stop" : "end") == 0);
	}
	set(ALL "state", PROF_GMON_OFF);
	for (size_t i = 0; i < nelem(pid); i++)
		tap_finish(pid[i]);
	must(ctl("end") == 0);
}

static const struct tap_case cases[] = {
	{"P10 a system call made n times shows n at its function", P10_n_calls_show_n},
	{"P8 counts are only at the beginnings of functions", P8_only_functions_begin},
	{"P10 calls of several processes add up", P10_calls_of_several_processes_add_up},
	{"P10 samples lose no call", P10_samples_lose_no_call},
	{"P10 gmon and coverage together, in every order", P10_gmon_beside_it},
	{"P10 one process alone", P10_one_process_alone},
	{"P2 without names the kernel is profiled too", P2_all_means_the_kernel_too},
	{"P10 single steps are not counted as calls", P10_steps_are_no_calls},
	{"P5 start and stop do no harm", P5_start_and_stop_do_no_harm},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
