/* What users may have, and what is left to the owner when one takes all he can: limits(5). */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define PAGE 4096
#define LIMITS "/dev/limits"
#define TWO_SECONDS 2000000000

/* Return the number, 0 or 1, after the user and the resource: what is in use, or the limit. */
static unsigned long limit(const char *resource, int number)
{
	char line[40];
	char *at;

	snprintf(line, sizeof(line), "none %s ", resource);
	at = strstr(tap_read(LIMITS), line);
	must(at);
	unsigned long used = strtoul(at + strlen(line), &at, 10);
	return number == 0 ? used : strtoul(at, NULL, 10);
}

static void set(const char *words)
{
	must(tap_say(LIMITS, words) == 0);
}

/* Make sleeping children until there can be no more; return how many. */
static unsigned long children(int expected)
{
	unsigned long n = 0;
	pid_t pid;

	while ((pid = fork()) > 0)
		n++;
	if (pid == 0) {
		for (;;)
			tap_sleep(1000);
	}
	must(errno == expected);
	return n;
}

/* End all processes of the user none, of whom no more may come, and wait until they are gone. */
static void end_all(void)
{
	set("none processes 0");
	for (int round = 0; limit("processes", 0) > 0; round++) {
		DIR *d = opendir("/proc");
		const struct dirent *e;

		must(d && round < 500);
		while ((e = readdir(d)) != NULL) {
			char path[300], text[512];
			ssize_t n;
			int fd;

			snprintf(path, sizeof(path), "/proc/%s/status", e->d_name);
			fd = open(path, O_RDONLY);
			n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;
			close(fd);
			text[n > 0 ? n : 0] = 0;
			if (strstr(text, " none "))
				kill(atoi(e->d_name), SIGKILL);
		}
		closedir(d);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		tap_sleep(10);
	}
	set("none processes 64");
}

static void fork_until_eagain(void)
{
	must(children(EAGAIN) == limit("processes", 1) - 1);
}

/* B3: Processes have a limit, which the owner sets, and which counts those of all programs. */
static void processes(void)
{
	set("none processes 7");
	tap_as_none(fork_until_eagain);
	must(limit("processes", 0) == 6);
	end_all();
	must(limit("processes", 1) == 64);
}

static void eat_pages(void)
{
	unsigned long most = limit("pages", 1), before = limit("pages", 0);
	size_t n = 0;

	while (sbrk(8 * PAGE) != (void *)-1)
		n += 8;
	must(errno == ENOMEM);
	must(n + before <= most && n + before + 16 > most);
	must_fail(fork(), ENOMEM);
}

static void fill_file(void)
{
	static char buf[PAGE];
	int fd = open("full", O_WRONLY | O_CREAT, 0600);
	ssize_t n;

	must(fd >= 0);
	while ((n = write(fd, buf, sizeof(buf))) > 0)
		;
	must(n == -1 && errno == ENOSPC);
	must(close(fd) == 0 && unlink("full") == 0);
}

static void fill_pipes(void)
{
	unsigned long before = limit("pages", 0);
	int fd[2], n = 0;

	while (pipe(fd) == 0)
		n++;
	must(n > 20 && errno == EMFILE);
	must(limit("pages", 0) >= before + (unsigned long)n);
}

/* B3: Pages have one limit, whatever they are for, and all come back. */
static void pages(void)
{
	unsigned long most = limit("pages", 1);
	char words[40];

	must(chmod(".", 0777) == 0);
	set("none pages 600");
	tap_as_none(eat_pages);
	tap_as_none(fill_file);
	tap_as_none(fill_pipes);
	end_all();
	must(limit("pages", 0) <= 16); /* pages of small objects, in use by others too */
	snprintf(words, sizeof(words), "none pages %lu", most);
	set(words);
}

static void open_until_emfile(void)
{
	unsigned long most = limit("files", 1), n = 0;

	while (open("/dev/null", O_RDONLY) >= 0)
		n++;
	must(errno == EMFILE && n == most);
}

/* B3: Open files have a limit for all processes of a user together. */
static void files(void)
{
	set("none files 20");
	tap_as_none(open_until_emfile);
	set("none files 1024");
	must(limit("files", 0) == 0);
}

static void bind_until_enospc(void)
{
	unsigned long most = limit("mounts", 1);
	char name[12];
	unsigned n = 0;

	do {
		snprintf(name, sizeof(name), "%u", n);
		must(mkdir(name, 0755) == 0);
	} while (bind("/bin", name, MREPL) == 0 && n++ < most);
	must(errno == ENOSPC && n == most && limit("mounts", 0) == most);
	must(unmount(NULL, "0") == 0 && limit("mounts", 0) == most - 1);
}

/* Make one union that is all that the user may mount, which only its members' number can change. */
static void unmount_at_the_limit(void)
{
	unsigned long most = limit("mounts", 1), left = most;
	char name[12];

	must(mkdir("on", 0755) == 0);
	for (unsigned i = 1; i < most; i++) { /* the place itself is a member, too */
		snprintf(name, sizeof(name), "%u", i);
		must(mkdir(name, 0755) == 0 && bind(name, "on", MAFTER) == 0);
	}
	must(limit("mounts", 0) == most);
	must_fail(bind("/bin", "on", MAFTER), ENOSPC);
	while (left > 1) {
		snprintf(name, sizeof(name), "%lu", --left);
		must(unmount(name, "on") == 0 && limit("mounts", 0) == (left > 1 ? left : 0));
	}
}

/* A channel that holds the old union does not keep the user from getting rid of members. */
static void unmount_while_held(void)
{
	must(mkdir("held", 0755) == 0 && mkdir("a", 0755) == 0 && mkdir("b", 0755) == 0);
	must(bind("a", "held", MAFTER) == 0 && bind("b", "held", MAFTER) == 0);
	must(limit("mounts", 0) == limit("mounts", 1));
	int fd = open("held", O_RDONLY);
	must(fd >= 0 && unmount("a", "held") == 0 && limit("mounts", 0) == 5);
	must_fail(bind("a", "held", MAFTER), ENOSPC);
	must(close(fd) == 0 && limit("mounts", 0) == 2);
	must(bind("a", "held", MAFTER) == 0 && limit("mounts", 0) == 3);
	must(unmount(NULL, "held") == 0 && limit("mounts", 0) == 0);
}

/* B3: Mounts have a limit. */
static void mounts(void)
{
	must(chmod(".", 0777) == 0);
	set("none mounts 20");
	tap_as_none(bind_until_enospc);
	set("none mounts 1024");
	must(limit("mounts", 0) == 0);
}

/* B15: What is given back needs no room: at the limit, members can be unmounted one by one. */
static void unmounts(void)
{
	must(chmod(".", 0777) == 0);
	set("none mounts 20");
	tap_as_none(unmount_at_the_limit);
	set("none mounts 3");
	tap_as_none(unmount_while_held);
	set("none mounts 1024");
	must(limit("mounts", 0) == 0);
}

static void set_own(void)
{
	must_fail(open(LIMITS, O_WRONLY), EACCES);
}

/* B3: Only the owner sets limits, and words that make no sense change nothing. */
static void words(void)
{
	static const char *const bad[] = {
		"none", "none pages", "none pages 1 2", "none pages x", "none pages -1",
		"none pages 4294967295", "none pages 4294967296", "other pages 1", "none page 1",
		"none pages 1\nnone files 1", "eve",
	};
	unsigned long before = limit("pages", 1);

	for (size_t i = 0; i < nelem(bad); i++)
		must_fail(tap_say(LIMITS, bad[i]), EINVAL);
	tap_as_none(set_own);
	must(limit("pages", 1) == before && limit("processes", 1) == 64);
}

static void become_none(void *arg)
{
	(void)arg;
	must(setuid(UID_NONE) == 0);
	for (;;)
		tap_sleep(1000);
}

/* Return how many pages the user none pays for that process, which shares what the bits say. */
static unsigned long pages_of(uint32_t bits)
{
	unsigned long before = limit("pages", 0), pages;
	pid_t pid = sproc(become_none, bits, NULL);

	must(pid > 0);
	while (limit("processes", 0) == 0)
		tap_sleep(10);
	pages = limit("pages", 0) - before;
	tap_finish(pid);
	must(limit("pages", 0) == before);
	return pages;
}

/* B4: who becomes another user takes memory along, but none that somebody shares. */
static void shared_memory_stays(void)
{
	must(pages_of(PR_SADDR) < pages_of(0));
}

/* ---- attacks, by processes of the user none that go on until they are killed */

static void bomb(void)
{
	for (;;)
		fork();
}

/* Take all memory, write it, and give it back, with as many processes as there can be. */
static void hog(void)
{
	while (fork() >= 0)
		;
	for (;;) {
		size_t n = 0;

		for (char *p; (p = sbrk(PAGE)) != (void *)-1; n++)
			*p = 1;
		sbrk(-(intptr_t)(n * PAGE));
	}
}

static void spin(void *)
{
	for (;;)
		;
}

/* Make processes that share memory until it fails, over and over. */
static void threads(void)
{
	for (;;) {
		while (sproc(spin, PR_SALL, NULL) >= 0)
			;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}

/* Fill the root with files, and remove them. */
static void filler(void)
{
	static char buf[PAGE];
	char name[40];

	for (unsigned i = 0;; i = (i + 1) % 50) {
		snprintf(name, sizeof(name), "/tmp/attack/%u", i);
		int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		while (write(fd, buf, sizeof(buf)) > 0)
			;
		close(fd);
		if (i == 49)
			unlink(name);
	}
}

/* Hold as many full pipes as there can be. */
static void plumber(void)
{
	static char buf[PAGE];
	int fd[2];

	while (fork() >= 0)
		;
	while (pipe(fd) == 0)
		write(fd[1], buf, sizeof(buf));
	for (;;)
		close(dup(0));
}

/* The owner's command must end well, and within two seconds of the machine's time. */
static void command(char *const argv[])
{
	int64_t start = tap_now();

	tap_program(argv);
	if (tap_processors() == 1) /* elsewhere the host's other work counts */
		must(tap_now() - start < TWO_SECONDS);
}

/*
 * B4, B5: Whatever the user does, the owner can look, end a process and take a profile; when it is
 * over, what was taken is back and every command can be executed.
 */
static void withstand(void (*attack)(void))
{
	size_t before = tap_memory_left();
	pid_t pid;

	must(mkdir("/tmp/attack", 0777) == 0 && chmod("/tmp/attack", 0777) == 0);
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		must(setuid(UID_NONE) == 0);
		attack();
	}
	tap_sleep(300);
	for (int i = 0; i < 3; i++) {
		command((char *[]){"/bin/ps", NULL});
		command((char *[]){"/bin/cat", "/dev/kpctl", NULL});
		command((char *[]){"/bin/cp", "/dev/kpdata", "profile", NULL});
		must(unlink("profile") == 0);
	}
	pid_t sleeper = tap_sleeper();
	char number[12];
	snprintf(number, sizeof(number), "%d", sleeper);
	command((char *[]){"/bin/kill", number, NULL});
	must(waitpid(sleeper, NULL, 0) == sleeper);
	end_all();
	must(tap_remove("/tmp/attack"));
	must(tap_memory_back(before, 64));
	must(limit("processes", 0) == 0 && limit("files", 0) == 0 && limit("mounts", 0) == 0);
	command((char *[]){"/bin/sh", "-c", "ls -l /bin | sort | wc >/dev/null", NULL});
}

static void withstand_bomb(void)
{
	withstand(bomb);
}

static void withstand_hog(void)
{
	withstand(hog);
}

static void withstand_threads(void)
{
	withstand(threads);
}

static void withstand_filler(void)
{
	withstand(filler);
}

static void withstand_plumber(void)
{
	withstand(plumber);
}

static const struct tap_case cases[] = {
	{ "B3: processes", processes },
	{ "B3: pages", pages },
	{ "B3: files", files },
	{ "B3: mounts", mounts },
	{ "B15: unmounting at the limit", unmounts },
	{ "B3: who sets limits, and with which words", words },
	{ "B4: memory that is shared stays with who had it", shared_memory_stays },
	{ "B4, B5: processes without end", withstand_bomb },
	{ "B4, B5: all memory, again and again", withstand_hog },
	{ "B4, B5: processes that share memory", withstand_threads },
	{ "B4, B5: files that fill the root", withstand_filler },
	{ "B4, B5: full pipes", withstand_plumber },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
