/* What a user can do to names and to processes that are not his, and to those who wait for him. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

static char *self; /* this program's path */

/* Return the path of a file of a process. */
static char *proc_file(pid_t pid, const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return path;
}

/* ---- a program's text */

/* Start a command whose output comes from the descriptor that is returned. */
static int output_of(char *const *argv, pid_t *pid)
{
	int fd[2];

	must(pipe(fd) == 0);
	*pid = fork();
	must(*pid >= 0);
	if (*pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		execv(argv[0], argv);
		_exit(100 + errno);
	}
	close(fd[1]);
	return fd[0];
}

/* Read n bytes, or what is left. */
static size_t read_all(int fd, char *buf, size_t n)
{
	size_t done = 0;
	ssize_t r;

	while (done < n && (r = read(fd, buf + done, n - done)) > 0)
		done += (size_t)r;
	return done;
}

static void text_on_itself(void)
{
	static char got[4096], want[4096];
	static char line[] = "bind /proc/$pid/text /bin/sh; cat /proc/$pid/text";
	char *const argv[] = { "/bin/as", "none", "sh", "-c", line, NULL };
	int file = open("/bin/sh", O_RDONLY);
	pid_t pid;
	int fd = output_of(argv, &pid);
	size_t n;

	must(file >= 0);
	do {
		n = read_all(file, want, sizeof(want));
		must(read_all(fd, got, sizeof(got)) == n && memcmp(got, want, n) == 0);
	} while (n > 0);
	tap_join(pid);
}

/* Bind texts on each other and on the programs, in any order, and read what comes of it. */
static void texts_in_a_circle(void)
{
	pid_t one = tap_sleeper(), other = tap_sleeper();
	char a[64], b[64], c;

	strcpy(a, proc_file(one, "text"));
	strcpy(b, proc_file(other, "text"));
	must(bind(a, b, MREPL) == 0 && bind(b, a, MREPL) == 0 && bind(a, self, MREPL) == 0);
	for (int i = 0; i < 100; i++)
		must(bind(a, i % 2 ? self : b, MREPL) == 0);
	int fd = open(self, O_RDONLY);
	must(fd >= 0 && read(fd, &c, 1) == 1 && c == 0x7f);
	fd = open(b, O_RDONLY);
	must(fd >= 0 && read(fd, &c, 1) == 1 && c == 0x7f);
	must_fail(execl(b, "text", NULL), EACCES);
	tap_finish(one);
	tap_finish(other);
}

/* A program that was renamed, replaced and removed is still the one that runs. */
static void text_outlives_its_name(void)
{
	char *const copy[] = { "/bin/cp", self, "program", NULL };
	char *const sleeper[] = { "./program", "sleep", NULL };
	pid_t pid;
	char c;

	tap_program(copy);
	must(chmod("program", 0755) == 0);
	int out = output_of(sleeper, &pid);
	must(read(out, &c, 1) == 1);
	must(unlink("program") == 0);
	tap_write("program", "another");
	int fd = open(proc_file(pid, "text"), O_RDONLY);
	must(fd >= 0 && read(fd, &c, 1) == 1 && c == 0x7f);
	tap_finish(pid);
	must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, &c, 1) == 1 && c == 0x7f);
}

static void none_reads_texts(void)
{
	pid_t pid = tap_sleeper();

	must_fail(open(proc_file(1, "text"), O_RDONLY), EACCES);
	must_fail(open(proc_file(getppid(), "text"), O_RDONLY), EACCES);
	/* This program was opened by its owner, who may have been the only one who could. */
	must_fail(open(proc_file(getpid(), "text"), O_RDONLY), ENOENT);
	must_fail(open(proc_file(pid, "text"), O_RDONLY), ENOENT);
	tap_finish(pid);
}

static void texts_are_the_owners(void)
{
	tap_as_none(none_reads_texts);
	must(tap_exists(proc_file(1, "text")) && open(proc_file(1, "text"), O_RDONLY) >= 0);
}

static const struct tap_case cases[] = {
	{ "B1: a program's text bound on the program", text_on_itself },
	{ "B1: texts bound on each other", texts_in_a_circle },
	{ "a program's text outlives its name", text_outlives_its_name },
	{ "B14: texts of others' programs", texts_are_the_owners },
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) { /* the program of text_outlives_its_name() */
		write(STDOUT_FILENO, "", 1);
		for (;;)
			tap_sleep(1000);
	}
	return tap_run(cases, nelem(cases));
}
