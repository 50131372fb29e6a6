/* select(2): what it says of pipes, the console and files, and how it waits. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
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
	{"a signal ends it", signals},
	{"errors, which change no set", errors},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
