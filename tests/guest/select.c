/* select(2): what it says of pipes, the console and files, and how it waits. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

/* Tell whether fd can be read (or written) now, without waiting. */
static int now(int fd, int write)
{
	struct timeval zero = {0, 0};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	int n = select(fd + 1, write ? NULL : &set, write ? &set : NULL, NULL, &zero);
	must(n == !!FD_ISSET(fd, &set));
	return n;
}

static void pipes(void)
{
	static char all[16384];
	int fd[2];

	must(pipe(fd) == 0);
	must(!now(fd[0], 0) && now(fd[1], 1));
	must(!now(fd[0], 1) && !now(fd[1], 0));
	must(write(fd[1], "x", 1) == 1);
	must(now(fd[0], 0) && now(fd[1], 1));
	must(write(fd[1], all, sizeof(all) - 1) == sizeof(all) - 1);
	must(now(fd[0], 0) && !now(fd[1], 1));
	must(read(fd[0], all, 1) == 1);
	must(now(fd[1], 1));
	must(read(fd[0], all, sizeof(all)) == sizeof(all) - 1);
	must(!now(fd[0], 0));
}

/* Each set has what is ready of it, and the number is that of all together. */
static void several(void)
{
	struct timeval zero = {0, 0};
	int a[2], b[2];
	fd_set in, out;

	must(pipe(a) == 0 && pipe(b) == 0 && dup2(b[0], 40) == 40);
	must(write(b[1], "x", 1) == 1);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(a[0], &in);
	FD_SET(b[0], &in);
	FD_SET(40, &in);
	FD_SET(a[0], &out);
	FD_SET(b[1], &out);
	must(select(41, &in, &out, NULL, &zero) == 3);
	must(!FD_ISSET(a[0], &in) && FD_ISSET(b[0], &in) && FD_ISSET(40, &in));
	must(!FD_ISSET(a[0], &out) && FD_ISSET(b[1], &out));
}

static void ends(void)
{
	int a[2], b[2];

	must(pipe(a) == 0 && pipe(b) == 0);
	close(a[1]);
	must(now(a[0], 0));
	close(b[0]);
	must(now(b[1], 1));
}

static void others(void)
{
	int file = open("/bin/sh", O_RDONLY), cons = open("/dev/cons", O_RDWR);
	int null = open("/dev/null", O_RDWR), eia = open("/dev/eia1", O_RDWR);

	must(now(file, 0) && now(file, 1));
	must(now(null, 0) && now(null, 1));
	must(!now(cons, 0) && now(cons, 1));
	must(eia < 0 || now(eia, 1));
}

static void times_out(void)
{
	struct timeval tv = {0, 50000};
	int fd[2];
	fd_set set;

	must(pipe(fd) == 0);
	FD_ZERO(&set);
	FD_SET(fd[0], &set);
	int64_t start = tap_now();
	must(select(fd[0] + 1, &set, NULL, NULL, &tv) == 0);
	must(tap_now() - start >= 50000000 && !FD_ISSET(fd[0], &set));
	start = tap_now();
	must(select(0, NULL, NULL, NULL, &tv) == 0);
	must(tap_now() - start >= 50000000);
}

static void wakes(void)
{
	int fd[2];
	fd_set set;

	must(pipe(fd) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		tap_sleep(100);
		write(fd[1], "x", 1);
		_exit(0);
	}
	FD_ZERO(&set);
	FD_SET(fd[0], &set);
	must(select(fd[0] + 1, &set, NULL, NULL, NULL) == 1);
	must(FD_ISSET(fd[0], &set) && now(fd[0], 0));
	tap_join(pid);
}

/* Wait until fd can be read (or written). */
static void until(int fd, int write)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	must(select(fd + 1, write ? NULL : &set, write ? &set : NULL, NULL, NULL) == 1);
	must(FD_ISSET(fd, &set));
}

/* Who waits does so in the files' queues, and does not look now and then. */
static void wakes_at_once(void)
{
	enum { ROUNDS = 200 };
	int there[2], back[2];
	char c = 'x';

	must(pipe(there) == 0 && pipe(back) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < ROUNDS; i++) {
			until(there[0], 0);
			must(read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1);
		}
		_exit(0);
	}
	int64_t start = tap_now();
	for (int i = 0; i < ROUNDS; i++) {
		must(write(there[1], &c, 1) == 1);
		until(back[0], 0);
		must(read(back[0], &c, 1) == 1);
	}
	must(tap_now() - start < ROUNDS * 5000000ll);
	tap_join(pid);
}

/* Have a child wait until fd can be read (or written); 0 when it waits. */
static pid_t waiter(int fd, int write)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		until(fd, write);
		_exit(0);
	}
	tap_sleep(30);
	must(waitpid(pid, NULL, WNOHANG) == 0);
	return pid;
}

static void many(void)
{
	enum { PIPES = 28 };
	int fd[PIPES][2], last = 0;
	fd_set set, writable;

	FD_ZERO(&set);
	for (int i = 0; i < PIPES; i++) {
		must(pipe(fd[i]) == 0);
		FD_SET(fd[i][0], &set);
		last = fd[i][1];
	}
	for (int i = 0; i < PIPES; i += 9) {
		fd_set is = set;
		pid_t pid = fork();

		if (pid == 0) {
			tap_sleep(30);
			must(write(fd[i][1], "x", 1) == 1);
			_exit(0);
		}
		must(select(last, &is, NULL, NULL, NULL) == 1 && FD_ISSET(fd[i][0], &is));
		char c;
		must(read(fd[i][0], &c, 1) == 1);
		tap_join(pid);
	}
	FD_ZERO(&writable);
	FD_SET(last, &writable);
	must(select(last + 1, &set, &writable, NULL, NULL) == 1 && FD_ISSET(last, &writable));
}

/* Numbers of one file, in both sets. */
static void same_file(void)
{
	static char all[16384];
	fd_set reads, writes;
	int fd[2], a, b;

	must(pipe(fd) == 0 && write(fd[1], all, sizeof(all)) == sizeof(all));
	a = dup(fd[1]);
	b = dup(fd[1]);
	FD_ZERO(&reads);
	FD_ZERO(&writes);
	FD_SET(a, &reads);
	FD_SET(a, &writes);
	FD_SET(b, &writes);
	if (fork() == 0) {
		tap_sleep(30);
		must(read(fd[0], all, 100) == 100);
		tap_sleep(100);
		_exit(0);
	}
	must(select(b + 1, &reads, &writes, NULL, NULL) == 2);
	must(FD_ISSET(a, &writes) && FD_ISSET(b, &writes) && !FD_ISSET(a, &reads));
	wait(NULL);
}

/* Two that wait for one pipe are both told, and so is a reader there. */
static void two(void)
{
	char c = 'x';
	int fd[2];

	must(pipe(fd) == 0);
	pid_t reader = fork();
	if (reader == 0) {
		must(read(fd[0], &c, 1) == 1);
		_exit(0);
	}
	tap_sleep(30);
	pid_t one = waiter(fd[0], 0), other = waiter(fd[0], 0), third = waiter(fd[0], 0);
	tap_finish(third);
	must(write(fd[1], "xyz", 3) == 3);
	tap_join(one);
	tap_join(other);
	tap_join(reader);
	must(read(fd[0], &c, 1) == 1 && c == 'y');
}

/* The end of a pipe's other end is told, to one who reads and one who writes. */
static void other_end_closed(void)
{
	static char all[16384];
	int fd[2], full[2];

	must(pipe(fd) == 0);
	pid_t holder = fork();
	if (holder == 0) {
		tap_sleep(60);
		_exit(0);
	}
	must(close(fd[1]) == 0);
	until(fd[0], 0);
	must(read(fd[0], all, 1) == 0);
	tap_join(holder);
	must(pipe(full) == 0 && write(full[1], all, sizeof(all)) == sizeof(all));
	holder = fork();
	if (holder == 0) {
		tap_sleep(60);
		_exit(0);
	}
	must(close(full[0]) == 0);
	until(full[1], 1);
	tap_join(holder);
}

static int shared[2];

/* Close what another process waits for, both ends, and use the memory for something else. */
static void closer(void *arg)
{
	int fd[2];

	(void)arg;
	tap_sleep(50);
	must(close(shared[0]) == 0 && close(shared[1]) == 0);
	for (int i = 0; i < 100; i++)
		must(pipe(fd) == 0 && close(fd[0]) == 0 && close(fd[1]) == 0);
	_exit(0);
}

/* A file may be closed while another process waits for it by the same table. */
static void closed_meanwhile(void)
{
	struct timeval tv = {0, 200000};
	fd_set set;

	must(pipe(shared) == 0);
	pid_t pid = sproc(closer, PR_SFDS, NULL);
	must(pid > 0);
	FD_ZERO(&set);
	FD_SET(shared[0], &set);
	must_fail(select(shared[0] + 1, &set, NULL, NULL, &tv), EBADF);
	tap_join(pid);
}

/* Those who wait are ended, and what they waited for goes on. */
static void ended(void)
{
	size_t before = tap_memory_left();
	char c;
	int fd[2];

	must(pipe(fd) == 0);
	for (int i = 0; i < 20; i++)
		tap_finish(waiter(fd[0], 0));
	must(write(fd[1], "x", 1) == 1 && read(fd[0], &c, 1) == 1);
	must(close(fd[0]) == 0 && close(fd[1]) == 0);
	must(tap_memory_back(before, 4));
}

/* A process that waits uses no processor. */
static void wait_costs_nothing(void)
{
	char path[32];
	int fd[2];

	must(pipe(fd) == 0);
	pid_t pid = waiter(fd[0], 0);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	char before[512];
	strcpy(before, tap_read(path));
	tap_sleep(300);
	must(strcmp(before, tap_read(path)) == 0);
	tap_finish(pid);
}

static void wait_for_ever(uintptr_t arg)
{
	(void)arg;
	select(0, NULL, NULL, NULL, NULL);
}

static void signals(void)
{
	pid_t pid = fork();

	if (pid == 0)
		wait_for_ever(0);
	tap_sleep(50);
	tap_finish(pid);
}

static void errors(void)
{
	struct timeval bad[] = {{-1, 0}, {0, -1}, {0, 1000000}}, zero = {0, 0};
	fd_set set;

	must_fail(select(-1, NULL, NULL, NULL, &zero), EINVAL);
	must_fail(select(FD_SETSIZE + 1, NULL, NULL, NULL, &zero), EINVAL);
	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(select(0, NULL, NULL, NULL, &bad[i]), EINVAL);
	FD_ZERO(&set);
	FD_SET(60, &set);
	must(select(60, &set, NULL, NULL, &zero) == 0);
	FD_SET(60, &set);
	must_fail(select(61, &set, NULL, NULL, &zero), EBADF);
	must(FD_ISSET(60, &set));
	must_fail(select(1, (fd_set *)0xc0100000, NULL, NULL, &zero), EFAULT);
	must_fail(select(1, NULL, NULL, NULL, (struct timeval *)0xc0100000), EFAULT);
}

static const struct tap_case cases[] = {
	{"a pipe: bytes and room", pipes},
	{"several files, of which some are ready", several},
	{"a pipe without its other end", ends},
	{"files, the console, the serial port", others},
	{"the time limit", times_out},
	{"select waits until something is ready", wakes},
	{"it returns at once when that is so", wakes_at_once},
	{"many files", many},
	{"one file by several numbers", same_file},
	{"several processes wait for one file", two},
	{"the other end is closed", other_end_closed},
	{"another process closes the file", closed_meanwhile},
	{"processes that wait are ended", ended},
	{"waiting costs no time", wait_costs_nothing},
	{"a signal ends it", signals},
	{"errors, which change no set", errors},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
