/* The small files of the system, and those of processes. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/guest/tap.h"

static char *self; /* this program's path */

/* Write the words to the file; return 0 or the error number. */
static int tell(const char *path, const char *words)
{
	int fd = open(path, O_WRONLY);
	ssize_t n;
	int err;

	if (fd < 0)
		return errno;
	n = write(fd, words, strlen(words));
	err = n < 0 ? errno : 0;
	must(n < 0 || n == (ssize_t)strlen(words));
	close(fd);
	return err;
}

/* Check that each of the words, up to NULL, is refused. */
static void refuses(const char *path, const char *const *words)
{
	for (; *words != NULL; words++) {
		int err = tell(path, *words);

		if (err != EINVAL)
			dprintf(1, "# %s: \"%s\": error %d\n", path, *words, err);
		must(err == EINVAL);
	}
}

static void null(void)
{
	char buf[100];
	int fd = open("/dev/null", O_RDWR);

	must(fd >= 0 && read(fd, buf, sizeof(buf)) == 0);
	must(write(fd, buf, sizeof(buf)) == sizeof(buf) && read(fd, buf, 1) == 0);
	must(open("/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0644) >= 0);
}

static void zero(void)
{
	static char buf[20000];
	int fd = open("/dev/zero", O_RDONLY);

	memset(buf, 'x', sizeof(buf));
	must(fd >= 0 && read(fd, buf, 100) == 100);
	must(buf[0] == 0 && buf[99] == 0 && buf[100] == 'x');
	must(read(fd, buf, sizeof(buf)) > 100 && buf[100] == 0);
	must_fail(open("/dev/zero", O_WRONLY), EACCES);
}

static void names(void)
{
	char c, text[16];
	int fd = open("/dev/sysname", O_RDONLY), n = 0;

	must(strcmp(tap_read("/dev/sysname"), "gnomon\n") == 0);
	while (read(fd, &c, 1) == 1)
		text[n++] = c;
	must(n == 7 && memcmp(text, "gnomon\n", 7) == 0);
	must(strchr(tap_read("/dev/cmdline"), '\n') != NULL);
}

static void version(void)
{
	const char *text = tap_read("/dev/version"), *id = strrchr(text, ' ') + 1;

	must(strncmp(text, "gnomon ", 7) == 0);
	must(7 + strspn(text + 7, "0123456789.") == (size_t)(id - text - 1));
	must(strspn(id, "0123456789abcdef") == 40 && strcmp(id + 40, "\n") == 0);
}

static void user_none(void)
{
	must(strcmp(tap_read("/dev/user"), "none\n") == 0);
	must_fail(open("/dev/log", O_RDONLY), EACCES);
	must_fail(open("/dev/reboot", O_WRONLY), EACCES);
	must_fail(open("/dev/sysname", O_WRONLY), EACCES);
}

static void user(void)
{
	must(strcmp(tap_read("/dev/user"), "eve\n") == 0);
	tap_as_none(user_none);
}

/* The three numbers of /dev/time. */
static void read_time(long long t[3])
{
	char *s = (char *)tap_read("/dev/time");

	for (int i = 0; i < 3; i++)
		t[i] = strtoll(s, &s, 10);
	must(strcmp(s, "\n") == 0);
}

static void clocks_agree(void)
{
	long long a[3], b[3];
	time_t now;
	int64_t ns;

	read_time(a);
	ns = tap_now();
	must(ns >= a[1] && ns - a[1] < 200000000);
	must(time(&now) - a[0] <= 1 && now >= a[0]);
	must(a[0] > 1000000000 && a[2] > 1000000);
	sleep(2);
	read_time(b);
	must(b[0] - a[0] >= 2 && b[0] - a[0] <= 5 && b[2] == a[2]);
	must(b[1] - a[1] >= 2000000000 && b[1] - a[1] < 4000000000); /* a busy host is late */
}

static void time_goes_forward(void)
{
	long long t[3], last = 0;

	for (int i = 0; i < 1000; i++) {
		read_time(t);
		must(t[1] > last);
		last = t[1];
	}
}

/* The sums of /dev/sysstat's columns over all processors. */
static void sysstat(unsigned long long sum[6])
{
	char *s = (char *)tap_read("/dev/sysstat");

	memset(sum, 0, 6 * sizeof(sum[0]));
	for (int cpu = 0; *s; cpu++, s++) {
		must(strncmp(s, "cpu", 3) == 0 && strtol(s + 3, &s, 10) == cpu);
		for (int i = 0; i < 6; i++)
			sum[i] += strtoull(s, &s, 10);
		must(*s == '\n');
	}
}

static void statistics(void)
{
	unsigned long long before[6], after[6];

	sysstat(before);
	tap_sleep(100);
	sysstat(after);
	for (int i = 0; i < 6; i++)
		must(after[i] >= before[i]);
	must(after[0] > before[0] && after[2] > before[2] && after[5] - before[5] >= 10);
	if (tap_processors() == 1)
		must(after[4] - before[4] >= 50 && after[4] - before[4] <= 120);
}

/* Numbers that grow between two reads do not lengthen the text: it was made at open. */
static void one_text_an_opening(void)
{
	static const char *const file[] = { "/dev/sysstat", "/dev/time" };
	char a[1000], b[1000];
	ssize_t n;

	for (size_t i = 0; i < nelem(file); i++) {
		int fd = open(file[i], O_RDONLY);

		must(fd >= 0 && (n = read(fd, a, sizeof(a))) > 10);
		for (int calls = 0; calls < 10000; calls++)
			getppid();
		must(read(fd, b, sizeof(b)) == 0);
		must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, b, sizeof(b)) == n);
		must(memcmp(a, b, (size_t)n) == 0);
		close(fd);
	}
}

static void boot_log(void)
{
	const char *log = tap_read("/dev/log");

	must(strlen(log) > 100 && strchr(log, '\n') != NULL);
}

/* Everything listed exists and is of the kind that the list says. */
static void every_file_is_there(void)
{
	DIR *dir = opendir("/dev");
	struct dirent *entry;
	struct stat st;
	char path[NAME_MAX + 6];
	int n = 0;

	must(dir != NULL);
	for (; (entry = readdir(dir)) != NULL; n++) {
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		must(stat(path, &st) == 0 && st.st_mode >> 12 == entry->d_type);
		must(st.st_ino == entry->d_ino && st.st_uid == UID_EVE);
	}
	must(n >= 14);
}

static void bad_console_words(void)
{
	static const char *const words[] = {
		"raw", "rawon on", "rawoff 1", "pgrp", "pgrp x", "pgrp -1", "pgrp 1 2",
		"pgrp 99999999999", "\n", " ", "rawon\nrawoff", "RAWON", "rawo", "rawonn", NULL,
	};

	refuses("/dev/consctl", words);
	must(strstr(tap_read("/dev/consctl"), "rawoff\n") != NULL);
}

static void bad_reboot_words(void)
{
	static const char *const words[] = {
		"hal", "halt 256", "halt -1", "halt x", "halt 1 2", "halt\n1", "reboot now",
		"reboo", "off", "\n", NULL,
	};

	refuses("/dev/reboot", words);
	must_fail(open("/dev/reboot", O_RDONLY), EACCES);
}

/* ---- processes */

static char *proc_file(pid_t pid, const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return path;
}

static void status(void)
{
	char *word[16], *rest = (char *)tap_read(proc_file(getpid(), "status"));
	int n = 0;

	must(rest[strlen(rest) - 1] == '\n');
	rest[strlen(rest) - 1] = '\0';
	while (n < 15 && (word[n] = strsep(&rest, " ")) != NULL)
		n++;
	must(n == 9);
	must(strcmp(word[0], getprogname()) == 0);
	must(atoi(word[1]) == getpid() && atoi(word[2]) == getppid() && atoi(word[3]) == getpid());
	must(strcmp(word[4], "eve") == 0 && strcmp(word[5], "running") == 0);
	must(atoi(word[8]) > 5 && atoi(word[8]) < 100);
}

static void status_of_another(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		setuid(UID_NONE);
		execl("/bin/sleep", "snore", "100", NULL);
		_exit(1);
	}
	tap_sleep(50);
	const char *text = tap_read(proc_file(pid, "status"));
	must(strncmp(text, "sleep ", 6) == 0);
	must(strstr(text, " none waiting ") != NULL && strstr(text, " 100\n") != NULL);
	tap_finish(pid);
	must_fail(open(proc_file(pid, "status"), O_RDONLY), ENOENT);
}

static void status_goes_with_it(void)
{
	pid_t pid = tap_sleeper();
	int fd = open(proc_file(pid, "status"), O_RDONLY);
	char buf[100];

	must(fd >= 0 && read(fd, buf, sizeof(buf)) > 10);
	must(lseek(fd, 0, SEEK_SET) == 0);
	tap_finish(pid);
	must_fail(read(fd, buf, sizeof(buf)), ENOENT);
}

static void directory_goes_with_it(void)
{
	static const char *const files[] = {"status", "ctl", "text"};
	pid_t pid = tap_sleeper();
	char path[64];
	struct dirent *entry;
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	DIR *dir = opendir(path), *late = opendir(path);
	must(dir && late);
	for (size_t i = 0; i < 3; i++) {
		must((entry = readdir(dir)) != NULL && strcmp(entry->d_name, files[i]) == 0);
		must(stat(proc_file(pid, files[i]), &st) == 0 && st.st_ino == entry->d_ino);
	}
	must(!readdir(dir));
	tap_finish(pid);
	must(!readdir(late));
	must_fail(stat(path, &st), ENOENT);
}

static void text_is_the_program(void)
{
	static char a[4096], b[4096];
	int text = open(proc_file(getpid(), "text"), O_RDONLY), file = open(self, O_RDONLY);
	struct stat st, want;
	ssize_t n;

	must(text >= 0 && file >= 0);
	must(fstat(text, &st) == 0 && fstat(file, &want) == 0 && st.st_size == want.st_size);
	do {
		n = read(file, a, sizeof(a));
		must(n >= 0 && read(text, b, sizeof(b)) == n && memcmp(a, b, (size_t)n) == 0);
	} while (n > 0);
	must_fail(open(proc_file(getpid(), "text"), O_WRONLY), EACCES);
}

static void listing(void)
{
	pid_t pid = tap_sleeper();
	char mine[12], other[12];
	struct dirent *entry;
	int last = 0, found = 0;
	struct stat st;
	DIR *dir = opendir("/proc");

	snprintf(mine, sizeof(mine), "%d", getpid());
	snprintf(other, sizeof(other), "%d", pid);
	must(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		must(atoi(entry->d_name) > last && entry->d_type == DT_DIR);
		last = atoi(entry->d_name);
		must(stat(proc_file(last, "."), &st) == 0 && st.st_ino == entry->d_ino);
		found += strcmp(entry->d_name, mine) == 0 || strcmp(entry->d_name, other) == 0;
	}
	must(found == 2);
	tap_finish(pid);
	must_fail(open("/proc/0", O_RDONLY), ENOENT);
	must_fail(open("/proc/01", O_RDONLY), ENOENT);
	must_fail(open("/proc/x", O_RDONLY), ENOENT);
	must_fail(open("/proc/99999999999", O_RDONLY), ENOENT);
	must_fail(open("/proc/1/none", O_RDONLY), ENOENT);
}

static void ctl_kills(void)
{
	pid_t a = tap_sleeper(), b = tap_sleeper();
	int status_a, status_b;

	must(tell(proc_file(a, "ctl"), "kill\n") == 0);
	must(tell(proc_file(b, "ctl"), "kill 15") == 0);
	must(waitpid(a, &status_a, 0) == a && status_a == SIGKILL);
	must(waitpid(b, &status_b, 0) == b && status_b == SIGTERM);
	must(tell(proc_file(a, "ctl"), "kill") == ENOENT);
}

static void bad_ctl_words(void)
{
	static const char *const words[] = {
		"kil", "killl", "kill 0", "kill 32", "kill -1", "kill x", "kill 9 9", "\n", "stop",
		NULL,
	};
	pid_t pid = tap_sleeper();

	refuses(proc_file(pid, "ctl"), words);
	must(waitpid(pid, NULL, WNOHANG) == 0);
	tap_finish(pid);
}

static void ctl_as_none(void)
{
	pid_t pid;

	must(tell(proc_file(getppid(), "ctl"), "kill") == EACCES);
	pid = tap_sleeper();
	must(tell(proc_file(pid, "ctl"), "kill") == 0);
	must(waitpid(pid, NULL, 0) == pid);
}

static void ctl_is_the_owners(void)
{
	tap_as_none(ctl_as_none);
}

static const struct tap_case cases[] = {
	{ "null", null },
	{ "zero", zero },
	{ "names", names },
	{ "version", version },
	{ "user", user },
	{ "clocks agree", clocks_agree },
	{ "time goes forward", time_goes_forward },
	{ "statistics", statistics },
	{ "an open file keeps its text", one_text_an_opening },
	{ "log", boot_log },
	{ "every file that is listed exists", every_file_is_there },
	{ "consctl refuses other words", bad_console_words },
	{ "reboot refuses other words", bad_reboot_words },
	{ "a process's status", status },
	{ "the status of another process", status_of_another },
	{ "a status goes with its process", status_goes_with_it },
	{ "so do the files of its directory", directory_goes_with_it },
	{ "a process's text is its program", text_is_the_program },
	{ "processes are listed", listing },
	{ "ctl kills", ctl_kills },
	{ "ctl refuses other words", bad_ctl_words },
	{ "ctl is the owner's", ctl_is_the_owners },
};

int main(int argc, char **argv)
{
	(void)argc;
	self = argv[0];
	return tap_run(cases, nelem(cases));
}
