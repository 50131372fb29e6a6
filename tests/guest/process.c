/* Processes: birth, waiting, end, time, stack. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "kernel/abi/timepage.h"
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define MS 1000000 /* ns */
#define PAGE 4096

static void exit_with(uintptr_t status)
{
	_exit((int)status);
}

static void exit_status(void)
{
	static const int given[] = { 0, 1, 42, 127, 128, 255, 256, 0x1234, -1 };

	for (size_t i = 0; i < nelem(given); i++) {
		int status = tap_status(exit_with, (uintptr_t)given[i]);
		must(WIFEXITED(status) && WEXITSTATUS(status) == (given[i] & 0xff));
	}
}

static void wait_in_any_order(void)
{
	enum { N = 40 };
	pid_t pid[N];
	int status;

	for (int i = 0; i < N; i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		if (pid[i] == 0)
			_exit(i);
	}
	for (int i = N - 1; i >= 0; i -= 2)
		must(waitpid(pid[i], &status, 0) == pid[i] && status == i << 8);
	for (int i = 0; i < N / 2; i++) {
		pid_t got = wait(&status);
		must(WIFEXITED(status) && got == pid[WEXITSTATUS(status)]);
	}
	must_fail(wait(NULL), ECHILD);
}

static void wait_nohang(void)
{
	int status = 7;
	pid_t pid = tap_sleeper();

	must(waitpid(pid, &status, WNOHANG) == 0);
	must(waitpid(-1, &status, WNOHANG) == 0);
	must(status == 7);
	tap_finish(pid);
	must_fail(waitpid(-1, &status, WNOHANG), ECHILD);
}

static void wait_nobody(void)
{
	pid_t mine = tap_sleeper(), other;

	must_fail(waitpid(getpid(), NULL, 0), ECHILD);
	must_fail(waitpid(1, NULL, 0), ECHILD);
	must_fail(waitpid(0x7fffffff, NULL, 0), ECHILD);
	other = fork();
	must(other >= 0);
	if (other == 0) {
		must_fail(waitpid(mine, NULL, 0), ECHILD);
		must_fail(wait(NULL), ECHILD);
		_exit(0);
	}
	tap_join(other);
	tap_finish(mine);
}

static void parents(void)
{
	pid_t me = getpid(), pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		must(getppid() == me && getpid() != me);
		_exit(0);
	}
	tap_join(pid);
}

/* Return the parent of the calling process as its status says. */
static pid_t parent_shown(void)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%d/status", getpid());
	return (pid_t)atoi(strchr(strchr((char *)tap_read(name), ' ') + 1, ' '));
}

/* An orphan gets the first process as its parent, and leaves nothing behind. */
static void orphan(void)
{
	int fd[2], status;
	pid_t ppid = 0, pid;

	must(pipe(fd) == 0);
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		if (fork() == 0) {
			tap_sleep(50);
			ppid = parent_shown() == getppid() ? getppid() : -1;
			write(fd[1], &ppid, sizeof(ppid));
		}
		_exit(3);
	}
	must(waitpid(pid, &status, 0) == pid && status == 3 << 8);
	must(read(fd[0], &ppid, sizeof(ppid)) == sizeof(ppid));
	must(ppid == 1);
	must_fail(wait(NULL), ECHILD);
}

static void fork_n(int n)
{
	for (int i = 0; i < n; i++)
		must(tap_status(exit_with, 0) == 0);
}

static void fork_does_not_leak(void)
{
	size_t before;

	fork_n(20);
	before = tap_memory_left();
	fork_n(200);
	must(tap_memory_back(before, 2));
}

/* Return how long 20 forks take, with their children's ends. */
static int64_t fork_time(void)
{
	int64_t start = tap_now();

	fork_n(20);
	return tap_now() - start;
}

#define MANY 80

/* A fork costs as much beside many children as beside none, and each of them can be waited for. */
static void forks_beside_many(void)
{
	int fd[2], status;
	pid_t pid[MANY];
	char c;

	tap_exact();
	fork_time();
	int64_t alone = fork_time();
	must(pipe(fd) == 0);
	for (int i = 0; i < MANY; i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		if (pid[i] == 0) {
			close(fd[1]);
			read(fd[0], &c, 1);
			_exit(i);
		}
	}
	tap_sleep(100); /* until all of them wait */
	int64_t beside = fork_time();
	close(fd[1]);
	for (int i = 0; i < MANY; i++)
		must(waitpid(pid[i], &status, 0) == pid[i] && status == i << 8);
	must(beside < alone + alone / 10);
}

/* Return how many processes there are. */
static int processes(void)
{
	DIR *d = opendir("/proc");
	int n = 0;

	must(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* Make children of children that lose their parents, in groups of their own, and kill some. */
static void churn(uintptr_t)
{
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		must(pid >= 0);
		if (pid == 0) {
			setpgid(0, 0);
			for (int k = 0; k < 3; k++)
				if (fork() == 0) {
					sched_yield();
					_exit(k == 1 ? kill(0, SIGKILL) : 0);
				}
			_exit(0);
		}
		must(waitpid(pid, NULL, 0) == pid);
	}
}

/* All that come and go at once, on all processors, are gone in the end. */
static void families(void)
{
	int before = processes();

	tap_together(2 * tap_processors(), churn);
	for (int i = 0; i < 100 && processes() > before; i++)
		tap_sleep(20);
	must(processes() == before);
}

/* ---- time */

/* Compute for ms milliseconds. */
static void spin(uintptr_t ms)
{
	int64_t end = tap_now() + (int64_t)ms * MS;

	while (tap_now() < end)
		for (volatile int i = 0; i < 1000; i++)
			;
}

static void times_count(void)
{
	struct tms before, after;
	clock_t start = times(&before), end;

	int64_t began = tap_now();
	spin(200);
	must(tap_status(spin, 200) == 0);
	end = times(&after);
	clock_t took = (tap_now() - began) / (10 * MS); /* longer than that on a busy host */
	must(end - start >= 39 && end - start >= took - 2 && end - start <= took + 20);
	must(after.tms_utime + after.tms_stime - before.tms_utime - before.tms_stime >= 18);
	must(after.tms_cutime + after.tms_cstime - before.tms_cutime - before.tms_cstime >= 18);
	must(after.tms_utime - before.tms_utime >= 10);
}

/*
 * A sleep ends when it should, not with the next tick. Several processors run without -icount, and
 * the host may stop the machine at any moment: of ten sleeps one is not late by more than 25 ms.
 */
static void sleep_length(void)
{
	static const int ms[] = { 0, 1, 10, 35, 100, 500 };
	int64_t late = tap_processors() == 1 ? MS / 20 : 25 * MS;

	for (size_t i = 0; i < nelem(ms); i++) {
		bool in_time = false;

		for (int tries = 0; tries < 10 && !in_time; tries++) {
			int64_t start = tap_now(), took;

			tap_sleep(ms[i]);
			took = tap_now() - start;
			must(took >= (int64_t)ms[i] * MS);
			in_time = took <= (int64_t)ms[i] * MS + late;
		}
		must(in_time);
	}
}

/* Of several who sleep on a processor each wakes at its own time, whoever slept first. */
static void sleepers_of_one_processor(void)
{
	static const int ms[] = { 4, 2, 30, 3, 13, 1, 6 };
	bool one = tap_processors() == 1;
	int64_t late = one ? MS / 20 : 25 * MS;
	int in_time = 0;

	for (int times = 0; times < 10; times++) {
		int status, bad = 0;

		for (size_t i = 0; i < nelem(ms); i++) {
			pid_t pid = fork();
			if (pid == 0) {
				int64_t end = tap_now() + (int64_t)ms[i] * MS;

				tap_sleep(ms[i]);
				_exit(tap_now() > end + late);
			}
		}
		while (wait(&status) > 0)
			bad += status != 0;
		in_time += bad == 0;
		tap_sleep(times);
	}
	must(in_time >= (one ? 10 : 1));
}

static void sleep_errors(void)
{
	static const struct timespec bad[] = { { 0, -1 }, { 0, 1000000000 }, { -1, 0 } };

	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(nanosleep(&bad[i], NULL), EINVAL);
}

/* There are two clocks: of real time, and since the start. */
static void clocks_that_are_none(void)
{
	static const clockid_t bad[] = {CLOCK_MONOTONIC + 1, -1, INT32_MAX};
	struct timespec ts = {7, 7};

	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(clock_gettime(bad[i], &ts), EINVAL);
	must(ts.tv_sec == 7 && ts.tv_nsec == 7);
	must(clock_gettime(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec > 1000000000);
}

/* Programs tell the time by themselves, and it is the kernel's: of its ticks, and of its files. */
static void clocks_are_the_kernels(void)
{
	struct tms used;
	struct stat st;
	clock_t before = times(&used);
	time_t then = time(NULL);

	for (int i = 0; i < 5; i++) {
		int64_t now = tap_now() / (10 * MS);
		clock_t after = times(&used);

		must(now >= before && now <= after);
		before = after;
		tap_sleep(15);
	}
	tap_write("made", "x");
	must(stat("made", &st) == 0 && st.st_mtime >= then && st.st_mtime <= time(NULL));
}

static void clock_page_read(uintptr_t at)
{
	must(*(volatile uint64_t *)(TIME_PAGE + at) < UINT64_MAX);
}

static void clock_page_write(uintptr_t at)
{
	*(volatile char *)(TIME_PAGE + at) = 1;
}

/* The page by which they do is all of the kernel's that they can read, and none can write it. */
static void clock_page_is_for_reading(void)
{
	const uint32_t *page = (const uint32_t *)TIME_PAGE;

	for (size_t i = sizeof(struct time_page) / sizeof(*page); i < PAGE / sizeof(*page); i++)
		must(page[i] == 0);
	must(tap_status(clock_page_read, 0) == 0);
	must(WTERMSIG(tap_status(clock_page_read, PAGE)) == SIGSEGV);
	must(WTERMSIG(tap_status(clock_page_read, (uintptr_t)-PAGE)) == SIGSEGV);
	for (uintptr_t at = 0; at < PAGE; at += PAGE - 1)
		must(WTERMSIG(tap_status(clock_page_write, at)) == SIGSEGV);
	must_fail(write(1, page, 1), EFAULT);
}

/* An ignored signal does not cut a sleep short; one that kills does. */
static void sleep_and_signals(void)
{
	int64_t start = tap_now();
	pid_t pid = fork();
	int status;

	must(pid >= 0);
	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		tap_sleep(200);
		must(tap_now() - start >= (int64_t)200 * MS);
		tap_sleep(20000);
	}
	tap_sleep(50);
	must(kill(pid, SIGTERM) == 0);
	tap_sleep(250);
	must(waitpid(pid, &status, WNOHANG) == 0);
	must(kill(pid, SIGINT) == 0);
	must(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == SIGINT);
	must(tap_now() - start < (int64_t)1000 * MS);
}

/*
 * With twice as many processes as processors each computes half the time. On a busy host a
 * processor may stand still for longer than a time slice, so more is waited for until chance has
 * evened out.
 */
static void fair_share(void)
{
	struct tms before, after;
	pid_t pid[16];
	int n = 2 * tap_processors() - 1;
	clock_t start, all, mine;

	must(n >= 1 && n < 16);
	for (int i = 0; i < n; i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		while (pid[i] == 0)
			;
	}
	start = times(&before);
	do {
		spin(400);
		all = times(&after) - start;
		mine = after.tms_utime + after.tms_stime - before.tms_utime - before.tms_stime;
	} while ((mine * 40 < all * 12 || mine * 40 > all * 30) && all < 800);
	for (int i = 0; i < n; i++)
		tap_finish(pid[i]);
	must(mine * 40 >= all * 12 && mine * 40 <= all * 30);
}

/* ---- stack */

/* Touch n KB of stack. */
static int deep(int n)
{
	volatile char block[1000];

	block[0] = (char)n;
	block[999] = 1;
	return n == 0 ? 0 : deep(n - 1) + block[999] - 1;
}

static void recurse(uintptr_t kilobytes)
{
	deep((int)kilobytes);
}

static void stack_grows(void)
{
	must(tap_status(recurse, 10) == 0);
	must(tap_status(recurse, 7000) == 0);
}

/* A child has the stack's far end, too, and its own there. */
static void stack_forks(void)
{
	size_t before = tap_memory_left();
	volatile char block[5 << 20];
	pid_t pid;

	if (before < 4 * sizeof(block) / 4096)
		tap_skip("there is too little memory");
	block[0] = block[sizeof(block) / 2] = 1;
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		must(block[0] == 1 && block[sizeof(block) / 2] == 1 && block[4096] == 0);
		block[0] = 2;
		_exit(0);
	}
	tap_join(pid);
	must(block[0] == 1);
	must(before - tap_memory_left() < 16);
}

static void stack_ends(void)
{
	must(tap_status(recurse, 8400) == SIGSEGV);
	must(tap_status(recurse, 100000) == SIGSEGV);
}

/* ---- calls */

static void unknown_calls(void)
{
	static const int numbers[] = { 0, NSYS, NSYS + 1, 255, 0x7fffffff, -1, -4095 };

	for (size_t i = 0; i < nelem(numbers); i++)
		must(sys5(numbers[i], 1, 2, 3, 4, 5) == -ENOSYS);
}

static const struct tap_case cases[] = {
	{ "exit status is the low byte", exit_status },
	{ "children are waited for in any order", wait_in_any_order },
	{ "WNOHANG does not wait", wait_nohang },
	{ "waiting without such a child is ECHILD", wait_nobody },
	{ "getppid", parents },
	{ "the first process adopts orphans", orphan },
	{ "200 forks leak no memory", fork_does_not_leak },
	{ "a fork beside 80 children costs as much as alone", forks_beside_many },
	{ "orphans and groups that end at once leave no process", families },
	{ "times", times_count },
	{ "nanosleep sleeps as long as it should", sleep_length },
	{ "sleepers of one processor", sleepers_of_one_processor },
	{ "nanosleep's errors", sleep_errors },
	{ "clocks that are none", clocks_that_are_none },
	{ "clocks are the kernel's", clocks_are_the_kernels },
	{ "the clock's page is for reading", clock_page_is_for_reading },
	{ "nanosleep and signals", sleep_and_signals },
	{ "the processor is shared", fair_share },
	{ "the stack grows to 7 MB", stack_grows },
	{ "and forks", stack_forks },
	{ "and ends at 8 MB", stack_ends },
	{ "unknown system calls", unknown_calls },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
