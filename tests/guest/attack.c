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
#include "userland/libc/libc.h"
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

/* ---- what ps shows */

/* Return the line of the process's status. */
static const char *status_of(pid_t pid)
{
	return tap_read(proc_file(pid, "status"));
}

static void forged_status(void)
{
	char name[] = "x 1 0 1 eve ready 0 0 9\n\033[2J\x9b";
	char words[] = "one\n2 1 1 eve running 0 0 9\r\033[2J";
	char *const copy[] = { "/bin/cp", self, name, NULL };
	char want[128];
	pid_t pid;
	char c;

	tap_program(copy);
	must(chmod(name, 0755) == 0);
	char path[64] = "./";
	strcat(path, name);
	char *const argv[] = { path, words, NULL };
	int out = output_of(argv, &pid);
	must(read(out, &c, 1) == 1);
	const char *line = status_of(pid);
	snprintf(want, sizeof(want), "x_1_0_1_eve_ready_0_0_9__[2J_ %d %d ", pid, getpid());
	must(strncmp(line, want, strlen(want)) == 0);
	line = strstr(line, "one_2 1 1 eve running 0 0 9__[2J\n");
	must(line != NULL && strchr(line, '\n')[1] == '\0');
	tap_finish(pid);
}

/* ---- what the owner may */

/* Leave files that only their user may touch, and a process. */
static void none_settles(void)
{
	must(chdir("open") == 0 && mkdir("mine", 0755) == 0);
	tap_write("mine/f", "text");
	tap_write("mine/program", "no program\n");
	must(chmod("mine/f", 0) == 0 && chmod("mine/program", 0644) == 0);
	must(chmod("mine", 0) == 0);
	must_fail(open("mine/f", O_RDONLY), EACCES);
}

static void none_waits(void)
{
	must_fail(open(proc_file(getppid(), "ctl"), O_WRONLY), EACCES);
	for (;;)
		tap_sleep(1000);
}

static void owner_may(void)
{
	pid_t sleeper;
	int status;

	must(mkdir("open", 0755) == 0 && chmod("open", 0777) == 0);
	tap_as_none(none_settles);
	must(strcmp(tap_read("open/mine/f"), "text") == 0);
	must_fail(execl("open/mine/program", "program", NULL), EACCES); /* nobody may */
	must(chmod("open/mine/program", 0744) == 0);
	must_fail(execl("open/mine/program", "program", NULL), ENOEXEC);
	must(rename("open/mine/f", "open/mine/g") == 0 && unlink("open/mine/g") == 0);
	must(unlink("open/mine/program") == 0 && rmdir("open/mine") == 0);
	sleeper = fork();
	must(sleeper >= 0);
	if (sleeper == 0) {
		must(setuid(UID_NONE) == 0);
		none_waits();
	}
	tap_sleep(50);
	must(tap_say(proc_file(sleeper, "ctl"), "kill") == 0);
	must(waitpid(sleeper, &status, 0) == sleeper && WTERMSIG(status) == SIGKILL);
	must_fail(open("#c/time", O_WRONLY), EACCES); /* her own modes hold for her */
}

/* ---- unions */

/* Return whether the directory lists an entry of that name. */
static bool lists(const char *dir, const char *name)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	bool found = false;

	must(d != NULL);
	while ((entry = readdir(d)) != NULL)
		found |= strcmp(entry->d_name, name) == 0;
	closedir(d);
	return found;
}

/* What happens to a name in the union u must not tell whether shut, its first member, has it. */
static void none_guesses(void)
{
	static const char *const names[] = { "u/secret", "u/other" };

	for (size_t i = 0; i < nelem(names); i++) {
		must_fail(open(names[i], O_RDONLY), ENOENT);
		must_fail(chdir(names[i]), ENOENT);
		must_fail(remove(names[i]), ENOENT);
		must_fail(rename(names[i], "u/x"), ENOENT);
		must(rename("u/mine", names[i]) == 0 && rename(names[i], "u/mine") == 0);
		must(mkdir(names[i], 0755) == 0 && rmdir(names[i]) == 0);
		int fd = open(names[i], O_WRONLY | O_CREAT | O_EXCL, 0644);
		must(fd >= 0 && lists("u", names[i] + 2) && tap_exists(names[i]));
		must(unlink(names[i]) == 0 && !lists("u", names[i] + 2));
	}
	must(strcmp(tap_read("u/both"), "open") == 0 && lists("u", "both"));
}

static void closed_member(void)
{
	must(mkdir("u", 0755) == 0 && mkdir("shut", 0700) == 0 && mkdir("open", 0755) == 0);
	must(chmod("open", 0777) == 0);
	tap_write("shut/secret", "secret");
	tap_write("shut/both", "shut");
	tap_write("open/both", "open");
	tap_write("open/mine", "mine");
	must(bind("shut", "u", MREPL) == 0 && bind("open", "u", MAFTER | MCREATE) == 0);
	must(strcmp(tap_read("u/both"), "shut") == 0 && lists("u", "secret"));
	tap_as_none(none_guesses);
}

static void union_of_many(void)
{
	char name[8];
	int n = 0;

	must(mkdir("u", 0755) == 0);
	do {
		snprintf(name, sizeof(name), "d%d", n);
		must(mkdir(name, 0755) == 0 && n++ < 100);
	} while (bind(name, "u", MAFTER) == 0);
	must(errno == ENOSPC && n == 64); /* u itself is one of them */
	must(unmount("d0", "u") == 0 && bind(name, "u", MAFTER) == 0);
}

/* ---- long work */

#define BIG (3 << 20)
#define IN_TIME 70000000 /* ns */

/* Return room for the results of long calls, which only the process that makes them has. */
static char *room(void)
{
	static char *big;

	if (!big)
		big = sbrk(BIG);
	must(big != (void *)-1);
	return big;
}

/* Make 63 directories of 40 names, all different, and a union of them. */
static void make_long_union(void)
{
	char name[24];

	must(mkdir("u", 0755) == 0);
	for (int i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		must(mkdir(name, 0755) == 0 && bind(name, "u", MAFTER) == 0);
		for (int j = 0; j < 40; j++) {
			snprintf(name, sizeof(name), "d%d/%d.%d", i, i, j);
			tap_write(name, "");
		}
	}
}

static void list_long_union(void)
{
	int fd = open("u", O_RDONLY), n, all = 0;
	char *big = room();

	while ((n = sys3(SYS_getdents, fd, (int)big, BIG)) > 0)
		for (int at = 0; at < n; all++)
			at += ((struct dirent *)(big + at))->d_reclen;
	must(n == 0 && all == 63 * 40 && close(fd) == 0);
}

static void make_big_file(void)
{
	int fd = open("big", O_RDWR | O_CREAT, 0644);

	must(fd >= 0 && ftruncate(fd, BIG) == 0);
}

static void read_big_file(void)
{
	int fd = open("big", O_RDONLY);

	must(fd >= 0 && read(fd, room(), BIG) == BIG && close(fd) == 0);
}

/* Go so deep that each ".." of a long path has many names to walk again. */
static void make_deep(void)
{
	for (int i = 0; i < 240; i++)
		must(mkdir("d", 0755) == 0 && chdir("d") == 0);
	must(mkdir("d", 0755) == 0);
}

static void walk_deep(void)
{
	char path[PATH_MAX];
	size_t n = 0;

	for (int i = 0; i < 200; i++, n += 5)
		strcpy(path + n, "d/../");
	must(tap_exists(path));
}

/*
 * While a user's process does what fn does, over and over, somebody who sleeps for a tick wakes in
 * time, though the runner of the tests, which is the owner's too, may have his turn first: so a
 * user's process may have two time slices of two ticks. And it can be killed.
 */
static void gives_way(void (*make)(void), void (*fn)(void))
{
	int64_t begin, took;
	pid_t pid;

	tap_exact();
	if (tap_checking())
		tap_skip("what the checking kernel does between two looks takes longer");
	make();
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		must(setuid(UID_NONE) == 0);
		for (;;)
			fn();
	}
	for (int i = 0; i < 40; i++) {
		begin = tap_now();
		tap_sleep(10);
		took = tap_now() - begin;
		if (took >= IN_TIME)
			dprintf(1, "# a tick took %d ms\n", (int)(took / 1000000));
		must(took < IN_TIME);
	}
	must(waitpid(pid, NULL, WNOHANG) == 0);
	begin = tap_now();
	tap_finish(pid);
	must(tap_now() - begin < IN_TIME);
}

static void listing_gives_way(void)
{
	gives_way(make_long_union, list_long_union);
}

static void reading_gives_way(void)
{
	gives_way(make_big_file, read_big_file);
}

static void walking_gives_way(void)
{
	gives_way(make_deep, walk_deep);
}

/* ---- the console */

static int console = -1; /* /dev/consctl, in all processes of a case */

/* Ask for raw mode again and again, by a channel that others have, too. */
static void ask_for_raw(uintptr_t i)
{
	for (unsigned n = 0; n < 500; n++) {
		const char *words = (i + n) % 2 ? "rawon" : "rawoff";

		must(write(console, words, strlen(words)) > 0);
	}
}

/* Return whether the console's settings begin so. */
static bool console_is(const char *settings)
{
	return strncmp(tap_read("/dev/consctl"), settings, strlen(settings)) == 0;
}

static void console_is_not_left_raw(void)
{
	console = open("/dev/consctl", O_WRONLY);
	must(console >= 0);
	tap_together(4, ask_for_raw);
	must(write(console, "rawon", 5) == 5 && console_is("rawon\n"));
	close(console);
	must(console_is("rawoff\n"));
}

static void none_sets_group(void)
{
	char words[32];

	must(setpgid(0, 0) == 0 && console_is("rawoff\npgrp 0\n"));
	must(tap_say("/dev/consctl", "pgrp 1") == -1 && errno == EPERM);
	snprintf(words, sizeof(words), "pgrp %d", getppid());
	must(tap_say("/dev/consctl", words) == -1 && errno == EPERM);
	must(tap_say("/dev/consctl", "pgrp 2147483647") == -1 && errno == ESRCH);
	snprintf(words, sizeof(words), "pgrp %d\n", getpid());
	must(tap_say("/dev/consctl", words) == 0 && console_is("rawoff\n"));
	must(strstr(tap_read("/dev/consctl"), words) != NULL);
	must(tap_say("/dev/consctl", "pgrp 0") == 0);
}

static void group_of_the_owner(void)
{
	char before[64];

	must(setpgid(0, 0) == 0);
	snprintf(before, sizeof(before), "%s", tap_read("/dev/consctl"));
	must(tap_say("/dev/consctl", "pgrp 1") == 0); /* as the owner's shell did it */
	tap_as_none(none_sets_group);
	must(strcmp(tap_read("/dev/consctl"), "rawoff\npgrp 1\n") == 0);
	must(tap_say("/dev/consctl", strchr(before, '\n') + 1) == 0);
	must(strcmp(tap_read("/dev/consctl"), before) == 0);
}

static const struct tap_case cases[] = {
	{ "B1: a program's text bound on the program", text_on_itself },
	{ "B1: texts bound on each other", texts_in_a_circle },
	{ "a program's text outlives its name", text_outlives_its_name },
	{ "B14: texts of others' programs", texts_are_the_owners },
	{ "a name does not forge a line of ps", forged_status },
	{ "B4: eve ends, reads and removes what is a user's", owner_may },
	{ "B14: a member that may not be searched hides and shows nothing", closed_member },
	{ "a union of as many as there may be", union_of_many },
	{ "B4: a long listing gives way", listing_gives_way },
	{ "B4: a long read gives way", reading_gives_way },
	{ "B4: a long walk gives way", walking_gives_way },
	{ "B14: several writers do not leave the console raw", console_is_not_left_raw },
	{ "B14: a user does not set whom the owner's ^C ends", group_of_the_owner },
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) { /* a program to look at */
		write(STDOUT_FILENO, "", 1);
		for (;;)
			tap_sleep(1000);
	}
	return tap_run(cases, nelem(cases));
}
