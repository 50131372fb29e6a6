/* Call paths, by kpctl and kpstack: kprof(3), kpstack(5). */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define CTL "/dev/kpctl"
#define PATHS "/dev/kpstack"

#define TEXT_SIZE (3u << 20)

static char *text;  /* the file, when ticks() was called last */
static char *paths; /* its paths */

/* Only who reads the file has memory for it, for each process is promised all that it may write. */
static void load(void)
{
	if (!text)
		text = malloc(TEXT_SIZE);
	tap_load(PATHS, text, TEXT_SIZE);
}

/* Skip the lines about the clock, one for all processors and one for each. Return what follows. */
static char *skip_clock(char *s)
{
	must(strncmp(s, "# clock=", 8) == 0);
	for (int i = 0; i <= tap_processors(); i++) {
		must(strstr(s, " ticks=") && strstr(s, " lost="));
		s = strchr(s, '\n') + 1;
		must(i == tap_processors() || (strncmp(s, "# cpu=", 6) == 0 && s[6] == '0' + i));
	}
	return s;
}

/* Load the file and return its ticks. Each line is a path and a count; the last has the sum. */
static unsigned long ticks(void)
{
	unsigned long sum = 0;
	char *s, *end;

	load();
	must(strncmp(text, "# kpstack version=1 build=", 26) == 0 && text[66] == '\n');
	paths = skip_clock(text + 67);
	for (s = paths; *s != '#'; s = end + 1) {
		char *blank = strchr(s, ' ');
		must(blank && blank > s);
		sum += strtoul(blank + 1, &end, 10);
		must(*end == '\n' && end[-1] != ' ');
	}
	s = strstr(s, " ticks=");
	must(s && strtoul(s + 7, NULL, 10) == sum);
	return sum;
}

static void begin(void)
{
	must(kpctl("stop") == 0 && kpctl("stacks off") == 0 && kpctl("filter off") == 0);
	must(kpctl("depth 32") == 0 && kpctl("stacks on") == 0);
}

static void end(void)
{
	must(kpctl("stop") == 0 && kpctl("stacks off") == 0 && kpctl("filter off") == 0);
	must(kpctl("depth 64") == 0 && kpctl("hz 1000") == 0);
}

/*
 * What runs as `true` has no address of the program that became it: that is this one, whose exec
 * is far behind where the text of the other ends.
 */
static void C14_exec_mixes_no_programs(void)
{
	enum { EXECS = 200, ROUNDS = 100, TRUE_END = 0x400000 + 512 };
	unsigned lines = 0, round = 0;

	must((uintptr_t)execv > TRUE_END);
	begin();
	must(kpctl("hz 20000") == 0);
	for (; lines <= 10 && round < ROUNDS; round++) { /* until there were ticks in it */
		must(kpctl("startclr") == 0);
		for (int i = 0; i < EXECS; i++)
			tap_program((char *[]){"/bin/true", NULL});
		must(kpctl("stop") == 0);
		ticks();
		for (char *s = text; (s = strstr(s, "\ntrue;[kernel];0x")) != NULL; lines++) {
			uint32_t outermost = (uint32_t)strtoul(strstr(s, "0x"), &s, 16);
			must(outermost >= 0xc0000000 || outermost < TRUE_END);
		}
	}
	must(round < ROUNDS);
	end();
}

static void words(void)
{
	static const char *const bad[] = {
		"stacks", "stacks maybe", "stacks on off", "stacks 1", "depth", "depth 0",
		"depth 129", "depth x", "depth -1", "depth 8 8", "filter", "filter on",
		"filter pid", "filter pid x", "filter pid -1", "filter off 1", "filter 1",
		"filter pid 4294967295", "filter pid 1 2",
	};

	begin();
	must(strstr(tap_read(CTL), "\nstacks on\ndepth 32\nfilter off\n"));
	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(kpctl(bad[i]), EINVAL);
	must_fail(kpctl("depth 8"), EBUSY);
	must(kpctl("depth 32\n") == 0 && kpctl("stacks on") == 0);
	must(strstr(tap_read(CTL), "\nstacks on\ndepth 32\nfilter off\n"));
	must(kpctl("stacks off") == 0 && kpctl("depth 8") == 0 && kpctl("filter pid 1\n") == 0);
	must_fail(kpctl("filter pid 0"), ESRCH);
	must_fail(kpctl("filter pid 2147483647"), ESRCH);
	must(strstr(tap_read(CTL), "\nstacks off\ndepth 8\nfilter pid 1\n"));
	end();
	must(ticks() == 0);
}

static void none_is_refused(void)
{
	must_fail(open(PATHS, O_RDONLY), EACCES);
}

static void only_the_owner(void)
{
	struct stat st;

	must(stat(PATHS, &st) == 0 && (st.st_mode & 0777) == 0600 && st.st_uid == 0);
	tap_as_none(none_is_refused);
	int fd = open(PATHS, O_WRONLY);
	must(fd >= 0);
	must_fail(write(fd, "x", 1), EPERM);
	close(fd);
}

/* kpstack and kpdata count the same ticks on any number of processors. */
static void every_tick_is_in_a_path(void)
{
	static const char *const word[] = {"start", "stop", "startclr"};
	uint32_t seed = 12345;

	begin();
	must(kpctl("startclr") == 0);
	pid_t busy = fork();
	if (busy == 0)
		for (;;) {
			if (fork() == 0)
				_exit(0);
			wait(NULL);
		}
	for (int i = 0; i < 40; i++) {
		must(kpctl(word[tap_random(&seed) % 3]) == 0);
		tap_call((int)tap_random(&seed) & 7);
		ticks();
	}
	must(kpctl("startclr") == 0);
	/* Until ticks have met both: where the host decides, none may come for a while. */
	do {
		tap_call(100);
		ticks();
	} while (!strstr(text, ";[user];") || !strstr(text, ";[kernel];"));
	kill(busy, SIGKILL);
	wait(NULL);
	must(kpctl("stop") == 0);
	unsigned long n = ticks();
	must(n > 10 && n == kpdata_head(0));
	end();
	must(ticks() == 0);
}

/* Work at the bottom of n calls of itself. */
static __attribute__((noinline)) int deep(int n)
{
	int r;

	if (n == 0)
		for (r = 0; r < 20000000; r++)
			__asm__ volatile("");
	else
		r = deep(n - 1);
	__asm__ volatile("" : "+r"(r));
	return r;
}

/* Take the path with most ticks: how often it repeats one address, and how many it has. */
static int repeats(const char *head, int *addresses)
{
	unsigned long most = 0;
	char *s, *best = NULL;
	int longest = 0, run = 0;

	for (s = paths; *s != '#'; s = strchr(s, '\n') + 1) {
		unsigned long n = strtoul(strchr(s, ' ') + 1, NULL, 10);
		if (strncmp(s, head, strlen(head)) == 0 && n > most) {
			most = n;
			best = s;
		}
	}
	must(best);
	*addresses = 0;
	for (s = strstr(best, ";0x"); *s == ';'; s += 11, ++*addresses) {
		run = *addresses > 0 && strncmp(s, s - 11, 11) == 0 ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest + 1;
}

static void recursion_has_its_depth(void)
{
	int n, before;

	begin();
	must(kpctl("startclr") == 0);
	deep(1);
	must(kpctl("stop") == 0);
	ticks();
	must(repeats("stacks;[user];0x", &before) == 1);
	must(kpctl("startclr") == 0);
	deep(20);
	must(kpctl("stop") == 0);
	ticks();
	must(repeats("stacks;[user];0x", &n) == 20 && n == before + 19);
	must(kpctl("startclr") == 0);
	deep(40);
	must(kpctl("stop") == 0);
	ticks();
	must(repeats("stacks;[user];[cut];", &n) == 31 && n == 32);
	must(kpctl("stacks off") == 0 && kpctl("depth 64") == 0 && kpctl("stacks on") == 0);
	must(kpctl("startclr") == 0);
	deep(40);
	must(kpctl("stop") == 0);
	ticks();
	must(repeats("stacks;[user];0x", &n) == 40 && n == before + 39);
	end();
}

static uint32_t cycle[4];

/* Run with that frame pointer, in user mode and in short system calls. */
static void with_frame_pointer(uintptr_t ebp)
{
	for (int i = 0; i < 20; i++)
		__asm__ volatile("push %%ebp\n\t"
				 "mov %0, %%ebp\n\t"
				 "mov $200000, %%ecx\n"
				 "1:\tdec %%ecx\n\t"
				 "jnz 1b\n\t"
				 "mov $-1, %%eax\n\t" /* no such call */
				 "int $0x80\n\t"
				 "mov $20000, %%ecx\n"
				 "2:\tdec %%ecx\n\t"
				 "jnz 2b\n\t"
				 "pop %%ebp"
				 :
				 : "r"(ebp)
				 : "eax", "ecx", "edx", "memory");
}

static void wild_frame_pointers(void)
{
	const uintptr_t wild[] = {
		0, 1, 3, 4, 0x1000, 0x3ffffc, 0x7fffffff, 0x80000000, 0xbfffeff8, 0xbfffeffc,
		0xbffff000, 0xbffffffc, 0xc0000000, 0xc0100000, 0xc0100001, 0xf8001000, 0xf8002ff8,
		0xfc000000, 0xfee00000, 0xfffffff8, 0xfffffffc, 0xffffffff, (uintptr_t)cycle,
		(uintptr_t)cycle + 1, (uintptr_t)text, (uintptr_t)text + TEXT_SIZE - 4,
		(uintptr_t)deep, (uintptr_t)deep + 1,
	};
	static const char endless[] = "stacks;[user];[cut];0x12345678;0x12345678;";

	begin();
	must(kpctl("hz 20000") == 0);
	cycle[0] = (uint32_t)(uintptr_t)cycle;
	cycle[1] = 0x12345678;
	must(kpctl("startclr") == 0);
	for (size_t i = 0; i < nelem(wild); i++)
		must(tap_status(with_frame_pointer, wild[i]) == 0);
	must(kpctl("stop") == 0);
	unsigned long n = ticks();
	must(n > 100 && n == kpdata_head(0));
	/* On a busy host few ticks come. */
	for (int i = 0; i < 200 && !strstr(text, endless); i++) {
		must(kpctl("start") == 0);
		must(tap_status(with_frame_pointer, (uintptr_t)cycle) == 0);
		must(kpctl("stop") == 0);
		ticks();
	}
	must(strstr(text, endless));
	end();
}

static void a_filter_is_for_one_process(void)
{
	pid_t gone = tap_sleeper();
	char word[32];

	begin();
	snprintf(word, sizeof(word), "filter pid %d", getpid());
	must(kpctl(word) == 0 && kpctl("startclr") == 0);
	pid_t other = fork();
	if (other == 0)
		tap_call(1000000);
	do {
		tap_call(50);
		tap_sleep(50);
	} while (ticks() <= 5); /* where the host decides when they come */
	must(kpctl("stop") == 0);
	kill(other, SIGKILL);
	wait(NULL);
	must(ticks() > 5);
	must(!strstr(text, "idle;"));
	for (char *s = paths; *s != '#'; s = strchr(s, '\n') + 1)
		must(strncmp(s, "stacks;[", 8) == 0);
	snprintf(word, sizeof(word), "filter pid %d", gone);
	must(kpctl(word) == 0);
	tap_finish(gone);
	must(kpctl("startclr") == 0);
	tap_call(50);
	must(ticks() == 0);
	must_fail(kpctl(word), ESRCH);
	must(strstr(tap_read(CTL), word));
	end();
}

/* A system call's path leads from the program into the kernel. */
static void system_calls_have_callers(void)
{
	static char buf[4096];
	bool found = false;

	begin();
	must(kpctl("startclr") == 0);
	int fd = open("/bin/sh", O_RDONLY);
	for (int64_t stop = tap_now() + 200000000; tap_now() < stop;)
		must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, buf, sizeof(buf)) > 0);
	close(fd);
	must(kpctl("stop") == 0);
	ticks();
	for (char *s = paths; *s != '#' && !found; s = strchr(s, '\n') + 1) {
		char *kernel = strstr(s, ";0xc0"), *line = strchr(s, '\n');
		found = strncmp(s, "stacks;[kernel];0x004", 21) == 0 && kernel && kernel < line;
	}
	must(found);
	end();
}

static void memory_comes_back(void)
{
	size_t before;

	end();
	before = tap_memory_left();
	begin();
	must(before - tap_memory_left() > 1u << 20 >> 12);
	end();
	must(tap_memory_back(before, 0));
}

static const struct tap_case cases[] = {
	{"C14 no path of exec mixes two programs", C14_exec_mixes_no_programs},
	{"valid and invalid words", words},
	{"only the owner can read kpstack", only_the_owner},
	{"every tick is in a path, as in kpdata", every_tick_is_in_a_path},
	{"a recursion has its true depth", recursion_has_its_depth},
	{"frame pointers that point nowhere", wild_frame_pointers},
	{"a filter selects one process", a_filter_is_for_one_process},
	{"a system call has the program's callers", system_calls_have_callers},
	{"stacks off gives the memory back", memory_comes_back},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
