/* The runner of the guest tests; see tap.h. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define LIMIT 30 /* seconds that a case may take, on a quiet host */
#define POLL_NS 10000000
#define SKIPPED 77 /* exit status of a case that does not apply here */
#define PAGE 4096

void tap_fail(const char *file, int line, const char *what)
{
	int e = errno;

	dprintf(STDOUT_FILENO, "# %s:%d: %s (errno %d)\n", file, line, what, e);
	_exit(1);
}

void tap_skip(const char *why)
{
	dprintf(STDOUT_FILENO, "# skipped: %s\n", why);
	_exit(SKIPPED);
}

int64_t tap_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000 + ts.tv_nsec;
}

uint32_t tap_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8; /* the low bits repeat soon */
}

/*
 * Return how many seconds a case may take: more in the checking kernel, and, where the machine has
 * the host's time, more on a busy host, by the factor in the environment.
 */
static int limit(void)
{
	const char *patience = getenv("PATIENCE");

	return LIMIT * (tap_checking() ? 3 : 1) * (patience ? atoi(patience) : 1);
}

/* Wait for the child; if that takes too long, kill it and set *late. */
static int wait_limited(pid_t pid, bool *late)
{
	const struct timespec nap = { 0, POLL_NS };
	int64_t end = tap_now() + limit() * 1000000000ll;
	int status = 0;

	*late = false;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (tap_now() > end && !*late) {
			*late = true;
			kill(pid, SIGKILL);
		}
		nanosleep(&nap, NULL);
	}
	return status;
}

bool tap_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

bool tap_remove(const char *path)
{
	char name[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	if (remove(path) == 0)
		return true;
	chmod(path, 0700);
	dir = opendir(path);
	if (dir == NULL)
		return false;
	while ((entry = readdir(dir)) != NULL) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (tap_remove(name))
			rewinddir(dir);
	}
	closedir(dir);
	return remove(path) == 0;
}

/* Run the case, in a process of its own. */
static void run_case(const struct tap_case *c, const char *scratch)
{
	setpgid(0, 0);
	if (rfork(RFNAMEG) < 0 || chdir(scratch) < 0)
		tap_fail(__FILE__, __LINE__, "a namespace and a directory");
	c->fn();
	_exit(0);
}

/*
 * Write what users have of all but pages, as limits(5) has it; a file may be left, and so its
 * pages.
 */
static void held(char text[512])
{
	const char *limits = tap_read("/dev/limits"), *end;

	*text = '\0';
	for (; (end = strchr(limits, '\n')) != NULL; limits = end + 1)
		if (memcmp(strchr(limits, ' '), " pages ", 7) != 0)
			strlcat(text, limits, strlen(text) + (size_t)(end + 2 - limits));
}

/*
 * B15: what the case took is given back, as soon as its processes are gone. The checking kernel
 * adds up what accounts have paid for, and panics if that is not what there is.
 */
static bool given_back(const char *before)
{
	char now[512];

	held(now);
	for (int i = 0; i < 500 && strcmp(now, before) != 0; i++, held(now))
		tap_sleep(20);
	if (strcmp(now, before) != 0)
		dprintf(STDOUT_FILENO, "# left in use; before:\n%snow:\n%s", before, now);
	else if (tap_checking())
		tap_say("#X/ctl", "charges");
	return strcmp(now, before) == 0;
}

/* Print how the case ended; return true unless it failed. */
static bool report(size_t i, const struct tap_case *c, int status, bool late)
{
	bool skip = WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
	bool ok = !late && (status == 0 || skip);

	if (late)
		dprintf(STDOUT_FILENO, "# took longer than %d s\n", limit());
	else if (WIFSIGNALED(status))
		dprintf(STDOUT_FILENO, "# died: %s\n", strsignal(WTERMSIG(status)));
	dprintf(STDOUT_FILENO, "%s %u - %s%s\n", ok ? "ok" : "not ok", (unsigned)i + 1, c->name,
		skip ? " # SKIP" : "");
	return ok;
}

int tap_run(const struct tap_case *cases, size_t n)
{
	char scratch[64], before[512];
	size_t failed = 0;
	bool late = false;

	dprintf(STDOUT_FILENO, "1..%u\n", (unsigned)n);
	for (size_t i = 0; i < n; i++) {
		snprintf(scratch, sizeof(scratch), "/tmp/%s.%d.%u", getprogname(), getpid(),
			 (unsigned)i + 1);
		mkdir(scratch, 0755);
		held(before);
		pid_t pid = fork();
		if (pid == 0)
			run_case(&cases[i], scratch);
		int status = pid > 0 ? wait_limited(pid, &late) : -1;
		if (pid > 0)
			kill(-pid, SIGKILL); /* what it left running */
		tap_remove(scratch);
		if (!given_back(before))
			status = 1 << 8;
		if (!report(i, &cases[i], status, late))
			failed++;
	}
	return failed != 0;
}

int tap_status(void (*fn)(uintptr_t arg), uintptr_t arg)
{
	pid_t pid = fork();
	int status;

	must(pid >= 0);
	if (pid == 0) {
		fn(arg);
		_exit(0);
	}
	must(waitpid(pid, &status, 0) == pid);
	return status;
}

void tap_join(pid_t pid)
{
	int status;

	must(waitpid(pid, &status, 0) == pid);
	must(status == 0);
}

void tap_together(int n, void (*fn)(uintptr_t i))
{
	pid_t pid[16];

	must(n <= (int)nelem(pid));
	for (int i = 0; i < n; i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		if (pid[i] == 0) {
			fn((uintptr_t)i);
			_exit(0);
		}
	}
	for (int i = 0; i < n; i++)
		tap_join(pid[i]);
}

void tap_program(char *const argv[])
{
	pid_t pid = fork();

	if (pid == 0) {
		close(STDOUT_FILENO);
		must(open("/dev/null", O_WRONLY) == STDOUT_FILENO);
		execv(argv[0], argv);
		_exit(1);
	}
	tap_join(pid);
}

void tap_spin(int ms)
{
	for (int64_t end = tap_now() + ms * 1000000ll; tap_now() < end;)
		for (volatile int i = 0; i < 3000; i++)
			;
}

void tap_call(int ms)
{
	for (int64_t end = tap_now() + ms * 1000000ll; tap_now() < end;)
		getpid();
}

void tap_sleep(int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	must(nanosleep(&ts, NULL) == 0);
}

pid_t tap_sleeper(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	for (; pid == 0;)
		tap_sleep(1000);
	return pid;
}

void tap_finish(pid_t pid)
{
	int status;

	must(kill(pid, SIGKILL) == 0);
	must(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == SIGKILL);
}

void tap_as_none(void (*fn)(void))
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		must(setuid(UID_NONE) == 0);
		fn();
		_exit(0);
	}
	tap_join(pid);
}

void tap_load(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	size_t n = 0;
	ssize_t r;

	must(fd >= 0 && text);
	while ((r = read(fd, text + n, size - 1 - n)) > 0)
		n += (size_t)r;
	must(r == 0 && n < size - 1);
	must(close(fd) == 0);
	text[n] = '\0';
}

const char *tap_read(const char *path)
{
	static char text[20480];

	tap_load(path, text, sizeof(text));
	return text;
}

int tap_say(const char *path, const char *words)
{
	int fd = open(path, O_WRONLY);

	must(fd >= 0);
	ssize_t n = write(fd, words, strlen(words));
	int err = errno;
	close(fd);
	errno = err;
	return n == (ssize_t)strlen(words) ? 0 : -1;
}

void tap_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	must(fd >= 0);
	must(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	must(close(fd) == 0);
}

/* Find the largest step that the break can take. */
size_t tap_memory_left(void)
{
	const size_t all = (size_t)1 << 18;
	size_t lo = 0, hi = all;

	while (hi - lo > 1) {
		size_t middle = lo + (hi - lo) / 2;
		if (sbrk((intptr_t)(middle * PAGE)) == (void *)-1) {
			hi = middle;
		} else {
			sbrk(-(intptr_t)(middle * PAGE));
			lo = middle;
		}
	}
	must(lo > 0 && lo + 1 < all); /* otherwise the bound was wrong */
	return lo;
}

bool tap_cpu_has(uint32_t leaf, int reg, int bit)
{
	uint32_t max = leaf & 0x80000000, r[3];

	__asm__("cpuid" : "+a"(max) : : "ebx", "ecx", "edx");
	if (max < leaf)
		return false;
	__asm__("cpuid" : "=b"(r[0]), "=c"(r[1]), "=d"(r[2]), "+a"(leaf) : "1"(0));
	return r[reg] >> bit & 1;
}

/*
 * /dev/sysstat has a line for each, which begins with its name. Ends of lines say less:
 * numbers may grow while it is read.
 */
int tap_processors(void)
{
	int n = 0;

	for (const char *p = tap_read("/dev/sysstat"); (p = strstr(p, "cpu")) != NULL; p++)
		n++;
	return n;
}

bool tap_checking(void)
{
	int fd = open("#X/ctl", O_WRONLY);
	bool yes = fd >= 0 && write(fd, "fail 0", 6) == 6;

	close(fd);
	return yes;
}

void tap_exact(void)
{
	if (tap_processors() > 1)
		tap_skip("ticks are counted exactly on one processor only");
}

int kpctl(const char *words)
{
	return tap_say("/dev/kpctl", words);
}

uint32_t kpdata_head(int i)
{
	uint32_t word;
	int fd = open("/dev/kpdata", O_RDONLY);

	must(fd >= 0 && lseek(fd, 4 * i, SEEK_SET) == 4 * i && read(fd, &word, 4) == 4);
	close(fd);
	return __builtin_bswap32(word);
}

bool tap_memory_back(size_t before, size_t but)
{
	for (int i = 0; i < 50; i++) {
		if (tap_memory_left() + but >= before)
			return true;
		tap_sleep(20);
	}
	return false;
}
