/* The parts of the C library that need the kernel or the machine. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define MS 1000000 /* ns */

static char self[PATH_MAX]; /* this program's path */

static jmp_buf back;

static volatile int jump_value;

/* Jump out of qsort(), which calls this, so that its frames are left, too. */
static int jump_out(const void *a, const void *b)
{
	(void)a;
	(void)b;
	longjmp(back, jump_value);
}

static void jump_from_below(int value)
{
	int some[10] = {0};

	jump_value = value;
	qsort(some, 10, sizeof(some[0]), jump_out);
}

static void jumps(void)
{
	static const int values[] = {1, -1, INT_MAX};
	volatile size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		int r = setjmp(back);

		if (r == 0)
			jump_from_below(values[i]);
		must(r == values[i]);
	}
	i = 99;
	if (setjmp(back) == 0)
		jump_from_below(0);
	must(i == 99);
}

static void memory(void)
{
	static char *p[200];
	char *start = sbrk(0);
	unsigned i, round;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 200; i++) {
			size_t n = (i * 977 + round * 31) % 9000;

			p[i] = realloc(p[i], n);
			must(p[i] && (uintptr_t)p[i] % 8 == 0);
			memset(p[i], (int)i, n);
		}
		for (i = round % 3; i < 200; i += 3) {
			free(p[i]);
			p[i] = NULL;
		}
	}
	must((char *)sbrk(0) - start < 3 << 20);
	must(!malloc(INT_MAX - 100) && errno == ENOMEM);
	must_fail((int)(intptr_t)sbrk(INT_MAX), ENOMEM);
	must(sbrk(-4096) != (void *)-1 && sbrk(4096) != (void *)-1);
}

static void directories(void)
{
	unsigned seen = 0, i;
	struct dirent *entry;
	char name[16];
	DIR *dir;

	must(mkdir("d", 0755) == 0);
	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "d/%u", i);
		tap_write(name, "");
	}
	dir = opendir("d");
	must(dir && dirfd(dir) > 2);
	for (int pass = 0; pass < 2; pass++) {
		for (seen = 0; (entry = readdir(dir)); seen++)
			must(entry->d_type == DT_REG && (unsigned)atoi(entry->d_name) < 100);
		must(seen == 100);
		rewinddir(dir);
	}
	must(closedir(dir) == 0);
	must(!opendir("d/1") && errno == ENOTDIR);
	must_fail(unlink("d"), EISDIR);
	must_fail(rmdir("d/1"), ENOTDIR);
	must(unlink("d/1") == 0);
}

static void offsets(void)
{
	int fd = open("f", O_RDWR | O_CREAT, 0644);

	must(write(fd, "0123456789", 10) == 10);
	must(lseek(fd, -3, SEEK_END) == 7 && lseek(fd, -2, SEEK_CUR) == 5);
	must(lseek(fd, 0x123456789ll, SEEK_SET) == 0x123456789ll);
	must_fail(lseek(fd, -1, SEEK_SET), EINVAL);
	must(ftruncate(fd, 4) == 0 && lseek(fd, 0, SEEK_END) == 4);
	close(fd);
	must_fail(close(fd), EBADF);
}

static void streams(void)
{
	FILE *f = fopen("f", "w+");
	char *line = NULL;
	size_t size = 0;

	must(f);
	for (int i = 0; i < 2000; i++)
		must(fprintf(f, "line %d\n", i) > 0);
	must(ftell(f) == 8 * 10 - 10 + 90 * 8 + 900 * 9 + 1000 * 10);
	rewind(f);
	for (int i = 0; i < 2000; i++)
		must(getline(&line, &size, f) > 0 && atoi(line + 5) == i);
	must(getline(&line, &size, f) == -1 && feof(f) && !ferror(f));
	must(fclose(f) == 0);
	must(!fopen("f/g", "r") && errno == ENOTDIR);
}

/* exit() writes what standard output holds, once, and _exit() does not. */
static void flushing(void)
{
	for (int quick = 0; quick < 2; quick++) {
		pid_t pid = fork();

		if (pid == 0) {
			int fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644);

			dup2(fd, STDOUT_FILENO);
			printf("held");
			if (quick)
				_exit(0);
			exit(0);
		}
		tap_join(pid);
		must(strcmp(tap_read("out"), quick ? "" : "held") == 0);
	}
}

static void terminals(void)
{
	int cons = open("#c/cons", O_WRONLY), null = open("#c/null", O_RDWR);
	int fd[2];

	must(cons >= 0 && null >= 0 && pipe(fd) == 0);
	must(isatty(cons) && !isatty(null) && !isatty(fd[0]));
	must(errno == ENOTTY);
	must(!isatty(60) && errno == EBADF);
}

/* Run this program as a child of the test. The file then holds what it printed. */
static const char *print_environment(void (*run)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
		run();
		_exit(99);
	}
	tap_join(pid);
	return tap_read("out");
}

static void run_by_name(void)
{
	execlp("tool", "tool", "--print", "two words", NULL);
}

static void run_by_path(void)
{
	execl(self, self, "--print", "", NULL);
}

static void programs(void)
{
	char cwd[PATH_MAX];

	must(getcwd(cwd, sizeof(cwd)));
	must(!getcwd(cwd, 2) && errno == ERANGE);
	must(setenv("VALUE", "from here", 1) == 0);
	must(strcmp(print_environment(run_by_path), "[] from here") == 0);
	/* A script is found in the PATH as well. */
	FILE *f = fopen("tool", "w");
	must(f && fprintf(f, "#!%s --print\n", self) > 0 && fclose(f) == 0);
	must(chmod("tool", 0755) == 0);
	must_fail(execlp("tool", "tool", NULL), ENOENT);
	must(setenv("PATH", "/nowhere:.", 1) == 0);
	must(strcmp(print_environment(run_by_name), "[./tool] from here") == 0);
	must(chmod("tool", 0644) == 0);
	must_fail(execlp("tool", "tool", NULL), EACCES);
}

static void abort_now(uintptr_t unused)
{
	(void)unused;
	signal(SIGABRT, SIG_IGN);
	abort();
}

static void free_twice(uintptr_t unused)
{
	char *p = malloc(10);

	(void)unused;
	dup2(open("out", O_WRONLY | O_CREAT, 0644), STDERR_FILENO);
	free(p);
	free(p);
}

static void signals(void)
{
	must(signal(SIGTERM, SIG_IGN) == SIG_DFL);
	must(raise(SIGTERM) == 0);
	must(signal(SIGTERM, SIG_DFL) == SIG_IGN);
	must(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
	must(WTERMSIG(tap_status(abort_now, 0)) == SIGABRT);
	must(WTERMSIG(tap_status(free_twice, 0)) == SIGABRT);
	must(strcmp(tap_read("out"), "free: not an allocated block\n") == 0);
}

static void clocks(void)
{
	struct timespec ts = {0, 30 * MS}, left = {0, 0};
	int64_t start = tap_now(), took;
	struct timeval tv;
	struct tms used;
	time_t now;

	must(nanosleep(&ts, &left) == 0);
	took = tap_now() - start;
	must(took >= 30 * MS && took < 500 * MS);
	must(usleep(1000) == 0 && sleep(0) == 0);
	now = time(NULL);
	must(gettimeofday(&tv, NULL) == 0 && tv.tv_sec - now <= 1);
	must(tv.tv_usec >= 0 && tv.tv_usec < 1000000);
	must(times(&used) > 0 && times(NULL) != (clock_t)-1);
	must(times((struct tms *)4) == (clock_t)-1 && errno == EFAULT);
	ts.tv_nsec = 1000 * MS;
	must_fail(nanosleep(&ts, NULL), EINVAL);
}

static void permissions(void)
{
	tap_write("f", "text");
	must(chmod("f", 0500) == 0);
	must(access("f", F_OK) == 0 && access("f", R_OK | X_OK) == 0);
	must_fail(access("f", R_OK | W_OK), EACCES);
	must_fail(access("g", F_OK), ENOENT);
}

/* G9: the kernel's variables are read by name and by number. */
static void g9_sysctl(void)
{
	const int mib[] = {CTL_KERN, KERN_PROF, GPROF_STATE};
	int by_name = -1, by_number = -2;
	size_t len = sizeof(int);

	must(bind("#G", "/sysctl", MREPL) == 0);
	must(sysctlbyname("kern.profiling.state", &by_name, &len, NULL, 0) == 0);
	must(len == sizeof(int));
	must(sysctl(mib, 3, &by_number, &len, NULL, 0) == 0 && by_number == by_name);
	must(by_name >= 0 && by_name <= 3);
	must(sysctlbyname("kern.profiling.froms", NULL, &len, NULL, 0) == 0 && len > 1000);
	len = 2;
	must_fail(sysctl(mib, 3, &by_number, &len, NULL, 0), ENOMEM);
	must_fail(sysctlbyname("kern.profiling.nothing", NULL, &len, NULL, 0), ENOENT);
	must_fail(sysctlbyname("kern.profiling", NULL, &len, NULL, 0), EISDIR);
}

static const struct tap_case cases[] = {
	{"setjmp and longjmp", jumps},	 {"malloc over the break", memory},
	{"readdir", directories},	 {"lseek and ftruncate of 64 bits", offsets},
	{"streams over files", streams}, {"exit writes what streams hold", flushing},
	{"isatty", terminals},		 {"exec by path, by name, with an environment", programs},
	{"signals and abort", signals},	 {"clocks and sleeping", clocks},
	{"access", permissions},	 {"G9 sysctl", g9_sysctl},
};

int main(int argc, char **argv)
{
	/* A case runs this program: print what it was given. */
	if (argc >= 3 && strcmp(argv[1], "--print") == 0) {
		printf("[%s] %s", argv[2], getenv("VALUE"));
		return 0;
	}
	if (argv[0][0] == '/')
		strlcpy(self, argv[0], sizeof(self));
	else if (getcwd(self, sizeof(self)))
		snprintf(self + strlen(self), sizeof(self) - strlen(self), "/%s", argv[0]);
	return tap_run(cases, nelem(cases));
}
