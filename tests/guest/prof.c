/* prof(3), by its files, sampling: P1, P2, P5-P10. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define CTL MODULES "ctl"
#define SELF "/tests/prof"

extern char etext[];

/* Compute in a function of our own, whose samples can be told apart. */
static __attribute__((noinline)) void spin(int ms)
{
	for (int64_t end = tap_now() + ms * 1000000ll; tap_now() < end;)
		for (volatile int i = 0; i < 30000; i++)
			;
}

/* Return the sum of a module's counts for program counters in [lo, hi); check each pair. */
static uint64_t sum(const char *path, uint32_t lo, uint32_t hi)
{
	const char *file = modules_file(path, "histogram");
	char pair[32], check[32];
	long long last = -1;
	uint64_t total = 0;
	ssize_t n;

	must(file != NULL);
	int fd = open(file, O_RDONLY);
	must(fd >= 0);
	while ((n = read(fd, pair, sizeof(pair) - 1)) > 0) {
		char *end;
		pair[n] = 0;
		uint32_t pc = (uint32_t)strtoul(pair, &end, 10);
		uint32_t count = (uint32_t)strtoul(end, NULL, 10);
		snprintf(check, sizeof(check), "%u %u", (unsigned)pc, (unsigned)count);
		must(strcmp(pair, check) == 0);
		must((long long)pc > last && count > 0);
		last = pc;
		if (pc >= lo && pc < hi)
			total += count;
	}
	must(n == 0);
	close(fd);
	return total;
}

static void begin(const char *module)
{
	must(ctl("end") == 0);
	must(ctl(module) == 0);
	must(ctl("interval 1") == 0);
	must(ctl("start") == 0);
}

static void P1_the_tree(void)
{
	static const char *const files[] = {"name", "path", "histogram", "hist", "pctl"};
	char file[80];
	struct stat st;

	must(ctl("end") == 0 && modules() == 0);
	must(stat(CTL, &st) == 0 && (st.st_mode & 0777) == 0600);
	begin("module prof");
	must(modules() == 1);
	for (size_t i = 0; i < nelem(files); i++) {
		strlcpy(file, modules_file(SELF, files[i]), sizeof(file));
		must(stat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == 0);
	}
	strlcpy(file, modules_file(SELF, "other"), sizeof(file));
	must_fail(stat(file, &st), ENOENT);
	must_fail(stat(MODULES "1", &st), ENOENT);
	must_fail(stat(MODULES "00000000", &st), ENOENT);
	must(ctl("end") == 0 && modules() == 0);
}

static void P1_newest_first(void)
{
	char first[16] = "";
	struct dirent *e;

	begin("module prof true");
	tap_program((char *[]){"/bin/true", NULL});
	DIR *d = opendir(MODULES);
	must(d != NULL);
	while ((e = readdir(d)) != NULL)
		if (!*first && strspn(e->d_name, "0123456789abcdef") == 8)
			strlcpy(first, e->d_name, sizeof(first));
	closedir(d);
	must(modules() == 2);
	must(strncmp(modules_file("/bin/true", "") + strlen(MODULES), first, 8) == 0);
	must(ctl("end") == 0);
}

static void P2_only_those_named(void)
{
	begin("module prof");
	spin(150);
	must(ctl("stop") == 0);
	must(modules() == 1);
	must(sum(SELF, 0, UINT32_MAX) > 0);
	must(ctl("end") == 0);
}

static void P2_by_path(void)
{
	begin("module " SELF);
	must(modules() == 1);
	must(modules_file(SELF, "hist") != NULL);
	begin("module /other/prof");
	must(modules() == 0);
	must(ctl("end") == 0);
}

/* The shell that started this test is profiled too, and so is the kernel. */
static void P2_all_when_none_is_named(void)
{
	must(ctl("end") == 0 && ctl("interval 1") == 0 && ctl("start") == 0);
	for (int i = 0; i < 100000; i++)
		getppid();
	spin(150);
	must(ctl("stop") == 0);
	must(modules_file("/bin/sh", "hist") != NULL);
	must(sum("/boot/gnomon", 0, UINT32_MAX) > 0);
	must(sum(SELF, 0, UINT32_MAX) > 0);
	must(ctl("end") == 0);
}

static void P2_what_begins_later(void)
{
	begin("module seq");
	must(modules() == 0);
	tap_program((char *[]){"/bin/seq", "1", "20000", NULL});
	must(modules() == 1);
	must(sum("/bin/seq", 0, UINT32_MAX) > 0);
	must(ctl("end") == 0);
}

static void spin_child(uintptr_t ms)
{
	spin((int)ms);
}

static void P2_children_are_profiled(void)
{
	begin("module prof");
	must(tap_status(spin_child, 150) == 0);
	must(ctl("stop") == 0);
	must(modules() == 1 && sum(SELF, 0, UINT32_MAX) > 0);
	must(ctl("end") == 0);
}

/* Nearly all samples are in spin() and what it calls, none outside text. */
static void P2_samples_are_where_it_runs(void)
{
	uint32_t at = (uint32_t)(uintptr_t)spin - TEXT, size = (uint32_t)(uintptr_t)etext - TEXT;

	tap_exact();
	begin("module prof");
	spin(300);
	must(ctl("stop") == 0);
	uint64_t all = sum(SELF, 0, UINT32_MAX), inside = sum(SELF, at, at + 512);
	must(all >= 250 && all <= 310);
	must(inside >= all / 10 * 9);
	must(sum(SELF, size, UINT32_MAX) == 0);
	must(ctl("end") == 0);
}

static void P5_stop_keeps_and_start_adds(void)
{
	begin("module prof");
	spin(150);
	must(ctl("stop") == 0 && ctl("stop") == 0);
	uint64_t one = sum(SELF, 0, UINT32_MAX);
	must(one > 0);
	spin(150);
	must(sum(SELF, 0, UINT32_MAX) == one);
	must(ctl("start") == 0);
	spin(150);
	must(ctl("stop") == 0);
	must(modules() == 1 && sum(SELF, 0, UINT32_MAX) > one);
	must(ctl("end") == 0);
}

/* Return how many ticks there were for a profiler, as kpinfo tells. */
static uint64_t ticks_for(const char *line)
{
	const char *at = strstr(tap_read("/dev/kpinfo"), line);

	must(at);
	at = strstr(at, " ticks=");
	must(at);
	return strtoull(at + 7, NULL, 10);
}

static void C20_kpinfo_has_the_ticks_of_its_own_time(void)
{
	begin("module prof");
	spin(50);
	must(ctl("stop") == 0);
	uint64_t own = ticks_for("# profiler=prof ");
	must(own > 0);
	must(tap_say("/dev/kpctl", "startclr") == 0);
	spin(50);
	must(tap_say("/dev/kpctl", "stop") == 0);
	must(ticks_for("# profiler=prof ") == own);
	must(ticks_for("# profiler=any ") > own);
	must(ctl("start") == 0);
	spin(50);
	must(ctl("stop") == 0);
	must(ticks_for("# profiler=prof ") > own);
	begin("module prof");
	must(ctl("stop") == 0);
	must(ticks_for("# profiler=prof ") < own);
	must(ctl("end") == 0);
}

static void P5_end_forgets_while_it_is_open(void)
{
	char pair[32], file[80];

	begin("module prof");
	spin(150);
	strlcpy(file, modules_file(SELF, "histogram"), sizeof(file));
	int fd = open(file, O_RDONLY);
	strlcpy(file, modules_file(SELF, "name"), sizeof(file));
	int name = open(file, O_RDONLY);
	must(fd >= 0 && name >= 0);
	must(ctl("end") == 0);
	must(read(fd, pair, sizeof(pair)) > 0);
	must_fail(read(name, pair, sizeof(pair)), ENOENT);
	must_fail(open(file, O_RDONLY), ENOENT);
	must(modules() == 0);
}

/* The list of modules and the interval are those of the start. */
static void P5_end_is_the_beginning(void)
{
	begin("module prof");
	must(ctl("end") == 0 && ctl("end") == 0);
	must(ctl("start") == 0);
	spin(250);
	must(ctl("stop") == 0);
	must(modules() > 1);
	must(sum(SELF, 0, UINT32_MAX) <= 4);
	must(ctl("end") == 0);
}

static void P6_intervals(void)
{
	static const struct {
		const char *words;
		uint64_t least, most;
	} c[] = {{"interval 1", 340, 410}, {"interval 10", 35, 42}, {"interval 50", 6, 9}};

	tap_exact();
	for (size_t i = 0; i < nelem(c); i++) {
		must(ctl("end") == 0 && ctl("module prof") == 0 && ctl(c[i].words) == 0);
		must(ctl("start") == 0);
		spin(400);
		must(ctl("stop") == 0);
		uint64_t n = sum(SELF, 0, UINT32_MAX);
		must(n >= c[i].least && n <= c[i].most);
	}
	must(ctl("end") == 0);
}

static void P7_name_and_path(void)
{
	char file[80];

	begin("module prof kernel");
	strlcpy(file, modules_file(SELF, "name"), sizeof(file));
	must(strcmp(tap_read(file), "prof") == 0);
	must_fail(open(file, O_WRONLY), EACCES);
	strlcpy(file, modules_file("/boot/gnomon", "name"), sizeof(file));
	must(strcmp(tap_read(file), "kernel") == 0);
	must(ctl("end") == 0);
}

static void P8_reads(void)
{
	char file[80], one[32], two[32], again[32];

	must(ctl("end") == 0 && ctl("module prof") == 0 && ctl("startcp") == 0);
	spin(1);
	must(ctl("stop") == 0);
	strlcpy(file, modules_file(SELF, "histogram"), sizeof(file));
	must_fail(open(file, O_WRONLY), EACCES);
	int fd = open(file, O_RDONLY);
	must(fd >= 0);
	must_fail(read(fd, one, 19), EINVAL);
	ssize_t n = read(fd, one, 20);
	must(n > 0 && n < 20);
	must(read(fd, two, 20) > 0);
	must(strtoul(two, NULL, 10) > strtoul(one, NULL, 10));
	must(lseek(fd, 0, SEEK_SET) == 0);
	must(read(fd, again, 32) == n && memcmp(one, again, (size_t)n) == 0);
	close(fd);
	must(ctl("end") == 0);
}

static void P8_hist_has_the_same_in_lines(void)
{
	char file[80];
	uint64_t total = 0;

	begin("module prof");
	spin(150);
	must(ctl("stop") == 0);
	strlcpy(file, modules_file(SELF, "hist"), sizeof(file));
	const char *at = tap_read(file);
	for (char *end; *at; at = end + 1) {
		strtoul(at, &end, 10);
		must(*end == ' ');
		total += strtoul(end + 1, &end, 10);
		must(*end == '\n');
	}
	must(total > 0 && total == sum(SELF, 0, UINT32_MAX));
	must(ctl("end") == 0);
}

static void P9_pctl_takes_everything(void)
{
	char file[80];

	begin("module prof");
	strlcpy(file, modules_file(SELF, "pctl"), sizeof(file));
	must_fail(open(file, O_RDONLY), EACCES);
	int fd = open(file, O_WRONLY);
	must(fd >= 0 && write(fd, "anything", 8) == 8);
	close(fd);
	must(ctl("end") == 0);
}

static void P10_a_second_start_is_refused(void)
{
	begin("module prof");
	must_fail(ctl("start"), EBUSY);
	must_fail(ctl("module sh"), EBUSY);
	spin(150);
	must(ctl("stop") == 0);
	must(sum(SELF, 0, UINT32_MAX) > 0);
	must(ctl("end") == 0);
}

static void P2_words(void)
{
	static const char *const good[] = {
		"stop", "end\n", "module a", "module b c d", "module a\n", "interval 1",
		"module /bin/seq", "module #/bin/.seq", "module /a/...", "module . ..",
		"interval 1000000", "start", "interval 5", "stop\n", "end",
	};
	static const char *const bad[] = {"\n", "go", "START", "start 1", "stop now", "end x",
					  "module", "interval", "interval 0", "interval -1",
					  "interval 1000001", "interval ten", "interval 1 2",
					  "start\n\n", "module /bin//seq",
					  "module a /bin/../bin/seq", "module /./bin/seq",
					  "module ./seq", "module bin/seq", "module /bin/",
					  "module /bin/..", "module #p//ctl"};
	char longest[1100] = "module ";

	must(ctl("end") == 0);
	for (size_t i = 0; i < nelem(good); i++)
		must(ctl(good[i]) == 0);
	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(ctl(bad[i]), EINVAL);
	for (int i = 0; i < 5; i++) {
		memset(longest + 7, 'a' + i, 1000);
		longest[1007] = 0;
		if (i < 4)
			must(ctl(longest) == 0);
		else
			must_fail(ctl(longest), ENOSPC);
	}
	must(modules() == 0);
	must(ctl("end") == 0);
}

static void none_is_refused(void)
{
	must_fail(open(CTL, O_WRONLY), EACCES);
	must_fail(open(CTL, O_RDONLY), EACCES);
}

static void P2_ctl_is_for_the_owner_to_write(void)
{
	tap_as_none(none_is_refused);
}

static void P2_ctl_shows_the_state(void)
{
	must(ctl("end") == 0);
	must(strcmp(tap_read(CTL), "stop\ninterval 100\n") == 0);
	must(ctl("module a /bin/b") == 0 && ctl("interval 7") == 0 && ctl("start") == 0);
	must(strcmp(tap_read(CTL), "start\ninterval 7\nmodule a\nmodule /bin/b\n") == 0);
	must(ctl("stop") == 0 && ctl("startmp") == 0);
	must(strncmp(tap_read(CTL), "startmp\n", 8) == 0);
	must(ctl("end") == 0);
}

/* Processes start, run programs and end while profiling starts and ends. */
static void P5_start_and_end_in_the_middle(void)
{
	int pid = fork();

	if (pid == 0) {
		for (;;)
			tap_program((char *[]){"/bin/true", NULL});
	}
	must(ctl("end") == 0);
	for (int i = 0; i < 60; i++) {
		must(ctl("interval 1") == 0);
		must(ctl("start") == 0);
		spin(i % 7);
		must(ctl(i % 3 ? "stop" : "end") == 0);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	must(ctl("end") == 0 && modules() == 0);
}

static const struct tap_case cases[] = {
	{"P1 the tree", P1_the_tree},
	{"P1 the newest module is first", P1_newest_first},
	{"P2 only the modules named are profiled", P2_only_those_named},
	{"P2 a module is named by its path", P2_by_path},
	{"P2 all modules that run are profiled when none is named", P2_all_when_none_is_named},
	{"P2 a module that starts to run later is profiled", P2_what_begins_later},
	{"P2 children are profiled", P2_children_are_profiled},
	{"P2 samples are where the program runs", P2_samples_are_where_it_runs},
	{"P2 valid and invalid words", P2_words},
	{"P2 only the owner can write ctl", P2_ctl_is_for_the_owner_to_write},
	{"P2 and read there what state it is in", P2_ctl_shows_the_state},
	{"P5 stop keeps, start adds", P5_stop_keeps_and_start_adds},
	{"C20 kpinfo has the ticks of its own time", C20_kpinfo_has_the_ticks_of_its_own_time},
	{"P5 end discards everything, even with files open", P5_end_forgets_while_it_is_open},
	{"P5 end restores the initial state", P5_end_is_the_beginning},
	{"P5 start and end while processes come and go", P5_start_and_end_in_the_middle},
	{"P6 intervals", P6_intervals},
	{"P7 name and path", P7_name_and_path},
	{"P8 each read gives one pair", P8_reads},
	{"P8 hist has the same pairs, one per line", P8_hist_has_the_same_in_lines},
	{"P9 pctl accepts everything", P9_pctl_takes_everything},
	{"P10 a second start is refused", P10_a_second_start_is_refused},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
