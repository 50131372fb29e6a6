/* Open files: reading, writing, offsets, lengths, descriptors. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define NFD 64 /* files that a process may have open */
#define MAX_FILE ((off_t)1 << 30)

static char *self; /* this program's path */

/* Open a new, empty file for reading and writing. */
static int make(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);

	must(fd >= 0);
	return fd;
}

static off_t size_of(int fd)
{
	struct stat st;

	must(fstat(fd, &st) == 0);
	return (off_t)st.st_size;
}

static void write_and_read(void)
{
	char buf[16];
	int fd = make("f");

	must(write(fd, "hello", 5) == 5 && size_of(fd) == 5);
	must(read(fd, buf, 16) == 0);
	must(lseek(fd, 1, SEEK_SET) == 1);
	must(read(fd, buf, 16) == 4 && memcmp(buf, "ello", 4) == 0);
	must(lseek(fd, -3, SEEK_CUR) == 2 && write(fd, "LL", 2) == 2);
	must(lseek(fd, 0, SEEK_END) == 5 && write(fd, "!", 1) == 1);
	must(close(fd) == 0);
	must(strcmp(tap_read("f"), "heLLo!") == 0);
	must_fail(close(fd), EBADF);
	must_fail(read(fd, buf, 1), EBADF);
}

static void open_modes(void)
{
	char c = 'x';
	int fd;

	must_fail(open("f", O_RDWR), ENOENT);
	tap_write("f", "abc");
	fd = open("f", O_RDONLY);
	must_fail(write(fd, &c, 1), EBADF);
	must_fail(ftruncate(fd, 0), EINVAL);
	must(read(fd, &c, 1) == 1 && c == 'a');
	fd = open("f", O_WRONLY);
	must_fail(read(fd, &c, 1), EBADF);
	must(write(fd, "x", 1) == 1);
	must(strcmp(tap_read("f"), "xbc") == 0);
	must_fail(open("f", O_ACCMODE), EINVAL);
	must_fail(open("f", 0x40000000), EINVAL);
	must_fail(open("f", O_RDWR | O_CREAT | O_EXCL, 0644), EEXIST);
	must(open("g", O_RDWR | O_CREAT | O_EXCL, 0644) >= 0);
	must(open("f", O_RDWR | O_TRUNC) >= 0);
	must(strcmp(tap_read("f"), "") == 0);
}

static void created_modes(void)
{
	struct stat st;
	int fd = open("f", O_RDWR | O_CREAT, 0400);

	must(fd >= 0 && write(fd, "x", 1) == 1);
	must(stat("f", &st) == 0 && st.st_mode == (S_IFREG | 0400));
	must_fail(open("f", O_RDWR), EACCES);
	must(chmod("f", 0) == 0);
	must_fail(open("f", O_RDONLY), EACCES);
	must(chmod("f", 07777) == 0);
	must(stat("f", &st) == 0 && st.st_mode == (S_IFREG | 0777));
	must(open("d", O_RDWR | O_CREAT, 0177777) >= 0);
	must(stat("d", &st) == 0 && st.st_mode == (S_IFREG | 0777));
}

static void set_as_none(void)
{
	int fd = open("f", O_RDONLY);

	must(fd >= 0);
	must_fail(fset(fd, FSET_MODE, 0777), EPERM);
	must_fail(fset(fd, FSET_MTIME, 1), EPERM);
}

static void mode_and_time_of_an_open_file(void)
{
	struct stat st;
	int fd = open("f", O_RDONLY | O_CREAT, 0444);

	must(fd >= 0);
	must(fset(fd, FSET_MODE, 07644) == 0 && fset(fd, FSET_MTIME, 0x123456789) == 0);
	must(fstat(fd, &st) == 0);
	must(st.st_mode == (S_IFREG | 0644) && st.st_mtime == 0x123456789);
	must_fail(fset(fd, FSET_SIZE, 0), EINVAL); /* it is open for reading */
	must_fail(fset(fd, FSET_MTIME, -1), EINVAL);
	must_fail(fset(fd, FSET_MTIME + 1, 0), EINVAL);
	must_fail(fset(fd, -1, 0), EINVAL);
	must_fail(fset(100, FSET_MODE, 0), EBADF);
	must_fail(fset(open("#c/null", O_RDONLY), FSET_MODE, 0), EPERM);
	tap_as_none(set_as_none);
	must(fstat(fd, &st) == 0);
	must(st.st_mode == (S_IFREG | 0644) && st.st_mtime == 0x123456789);
}

static void what_stat_says(void)
{
	struct stat by_name, by_fd, other;
	int fd = make("f");

	must(write(fd, "12345", 5) == 5);
	must(stat("f", &by_name) == 0 && fstat(fd, &by_fd) == 0);
	must(memcmp(&by_name, &by_fd, sizeof(by_fd)) == 0);
	must(by_fd.st_size == 5 && by_fd.st_nlink == 1 && by_fd.st_uid == UID_EVE);
	must(S_ISREG(by_fd.st_mode) && by_fd.st_dev == '/');
	must(stat(".", &other) == 0 && S_ISDIR(other.st_mode));
	must(other.st_ino != by_fd.st_ino);
	must(stat("#c/null", &other) == 0 && S_ISCHR(other.st_mode) && other.st_dev == 'c');
}

static void seek_errors(void)
{
	int fd = make("f"), fds[2];

	must_fail(lseek(fd, -1, SEEK_SET), EINVAL);
	must_fail(lseek(fd, -1, SEEK_END), EINVAL);
	must_fail(lseek(fd, 0, 3), EINVAL);
	must_fail(lseek(-1, 0, SEEK_SET), EBADF);
	must(lseek(fd, INT64_MAX, SEEK_SET) == INT64_MAX);
	must_fail(lseek(fd, 1, SEEK_CUR), EOVERFLOW);
	must_fail(write(fd, "x", 1), EFBIG);
	must(pipe(fds) == 0);
	must_fail(lseek(fds[0], 0, SEEK_CUR), ESPIPE);
	must_fail(lseek(open("#c/zero", O_RDONLY), 0, SEEK_SET), ESPIPE);
}

static void beyond_the_end(void)
{
	char buf[100];
	int fd = make("f");

	must(lseek(fd, 10000, SEEK_SET) == 10000 && read(fd, buf, 1) == 0);
	must(size_of(fd) == 0);
	must(write(fd, "x", 1) == 1 && size_of(fd) == 10001);
	must(lseek(fd, 4050, SEEK_SET) == 4050 && read(fd, buf, 100) == 100);
	for (int i = 0; i < 100; i++)
		must(buf[i] == 0);
}

static void large_offsets(void)
{
	char buf[4];
	int fd = make("f");

	must(lseek(fd, (off_t)1 << 40, SEEK_SET) == (off_t)1 << 40);
	must(read(fd, buf, 4) == 0);
	must_fail(write(fd, "x", 1), EFBIG);
	must(lseek(fd, MAX_FILE - 2, SEEK_SET) == MAX_FILE - 2);
	must(write(fd, "1234", 4) == 2 && size_of(fd) == MAX_FILE);
	must_fail(ftruncate(fd, MAX_FILE + 1), EFBIG);
	must_fail(ftruncate(fd, -1), EINVAL);
	must(lseek(fd, -3, SEEK_END) == MAX_FILE - 3);
	must(read(fd, buf, 4) == 3 && memcmp(buf, "\0" "12", 3) == 0);
}

static void truncate_clears(void)
{
	char buf[9000];
	int fd = make("f");

	memset(buf, 'x', sizeof(buf));
	must(write(fd, buf, sizeof(buf)) == sizeof(buf));
	must(ftruncate(fd, 100) == 0 && size_of(fd) == 100);
	must(ftruncate(fd, 9000) == 0 && size_of(fd) == 9000);
	must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, buf, sizeof(buf)) == 9000);
	for (int i = 0; i < 9000; i++)
		must(buf[i] == (i < 100 ? 'x' : 0));
	must(ftruncate(fd, 0) == 0 && size_of(fd) == 0);
	must(ftruncate(fd, 5) == 0);
	must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, buf, 10) == 5 && buf[4] == 0);
	must_fail(ftruncate(open("#c/null", O_RDWR), 0), EPERM);
}

static void append(void)
{
	int a = make("f"), b = open("f", O_WRONLY | O_APPEND), c = open("f", O_WRONLY | O_APPEND);

	must(write(b, "1", 1) == 1 && write(c, "2", 1) == 1 && write(b, "3", 1) == 1);
	must(lseek(b, 0, SEEK_SET) == 0 && write(b, "4", 1) == 1);
	must(write(a, "x", 1) == 1);
	must(strcmp(tap_read("f"), "x234") == 0);
}

/* Appending processes do not write over each other. */
static void append_together(void)
{
	enum { WRITERS = 4, LINES = 200 };
	int seen[WRITERS] = { 0 };
	const char *text;

	make("f");
	for (int i = 0; i < WRITERS; i++) {
		if (fork() != 0)
			continue;
		char line[] = { (char)('a' + i), '-', '-', '\n' };
		int fd = open("f", O_WRONLY | O_APPEND);
		for (int k = 0; k < LINES; k++) {
			must(write(fd, line, 4) == 4);
			if (k % 10 == i)
				usleep(1000);
		}
		_exit(0);
	}
	for (int i = 0, status; i < WRITERS; i++)
		must(wait(&status) > 0 && status == 0);
	text = tap_read("f");
	must(strlen(text) == 4 * WRITERS * LINES);
	for (; *text; text += 4) {
		must(strncmp(text + 1, "--\n", 3) == 0);
		seen[*text - 'a']++;
	}
	for (int i = 0; i < WRITERS; i++)
		must(seen[i] == LINES);
}

static void two_megabytes(void)
{
	enum { BLOCK = 7000, SIZE = 2 << 20 };
	static char buf[BLOCK];
	int fd = make("f");
	uint32_t x = 1, y = 1;

	for (size_t done = 0; done < SIZE; done += BLOCK) {
		for (size_t i = 0; i < BLOCK; i++)
			buf[i] = (char)tap_random(&x);
		must(write(fd, buf, BLOCK) == BLOCK);
	}
	must(lseek(fd, 0, SEEK_SET) == 0);
	for (size_t done = 0; done < SIZE; done += BLOCK) {
		must(read(fd, buf, BLOCK) == BLOCK);
		for (size_t i = 0; i < BLOCK; i++)
			must(buf[i] == (char)tap_random(&y));
	}
	must(read(fd, buf, 1) == 0);
}

/* A file that came in the initrd can be written in place. */
static void initrd_file(void)
{
	static char before[8192];
	const char *name = "/rc/workload", *after;
	int fd = open(name, O_RDWR);
	ssize_t n = read(fd, before, sizeof(before));

	must(n > 100);
	must(lseek(fd, 50, SEEK_SET) == 50 && write(fd, "@", 1) == 1);
	after = tap_read(name);
	must((ssize_t)strlen(after) == n && after[50] == '@');
	must(memcmp(after, before, 50) == 0);
	must(memcmp(after + 51, before + 51, (size_t)n - 51) == 0);
	must(lseek(fd, 50, SEEK_SET) == 50 && write(fd, before + 50, 1) == 1);
}

static void nothing(uintptr_t unused)
{
	(void)unused;
}

/* When memory is full, writing says so, and removing makes room again. */
static void no_space(void)
{
	static char buf[65536];
	size_t before;
	int fd = make("f");
	ssize_t n;

	memset(buf, 'x', sizeof(buf));
	before = tap_memory_left();
	while ((n = write(fd, buf, sizeof(buf))) > 0)
		;
	must(n < 0 && errno == ENOSPC);
	must(tap_status(nothing, 0) == 0); /* the system is still alive */
	must(close(fd) == 0 && unlink("f") == 0);
	must(tap_memory_back(before, 8));
}

/* ---- descriptors */

static void dup_shares(void)
{
	char buf[4];
	int a = make("f"), b = dup(a), c = open("f", O_RDWR);

	must(b == a + 1 && write(a, "abcd", 4) == 4);
	must(lseek(b, 0, SEEK_CUR) == 4 && lseek(c, 0, SEEK_CUR) == 0);
	must(lseek(b, 1, SEEK_SET) == 1 && close(b) == 0);
	must(read(a, buf, 1) == 1 && buf[0] == 'b');
	must(dup2(a, 30) == 30 && dup2(c, 30) == 30 && dup2(30, 30) == 30);
	must(read(30, buf, 1) == 1 && buf[0] == 'a');
	must_fail(dup2(a, NFD), EBADF);
	must_fail(dup2(a, -1), EBADF);
	must_fail(dup2(40, 41), EBADF);
	must_fail(dup2(40, 40), EBADF);
	must_fail(dup(40), EBADF);
}

static void fork_shares(void)
{
	int fd = make("f");
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		must(write(fd, "child", 5) == 5);
		must(close(fd) == 0);
		_exit(0);
	}
	tap_join(pid);
	must(lseek(fd, 0, SEEK_CUR) == 5 && write(fd, "!", 1) == 1);
	must(strcmp(tap_read("f"), "child!") == 0);
}

static void too_many(void)
{
	int fds[2], n = 0, last = -1, fd;

	while ((fd = open("#c/null", O_RDWR)) >= 0) {
		last = fd;
		n++;
	}
	must(errno == EMFILE && last == NFD - 1 && n >= 50);
	must_fail(dup(0), EMFILE);
	must_fail(pipe(fds), EMFILE);
	must(close(last) == 0);
	must_fail(pipe(fds), EMFILE);
	must(open("#c/null", O_RDWR) == last);
	must(dup2(0, last) == last);
}

static void bad_descriptors(void)
{
	static const int bad[] = { -1, 63, NFD, NFD + 1, 0x7fffffff, (int)0x80000000 };
	struct stat st;
	char c;

	for (size_t i = 0; i < nelem(bad); i++) {
		must_fail(read(bad[i], &c, 1), EBADF);
		must_fail(write(bad[i], &c, 1), EBADF);
		must_fail(lseek(bad[i], 0, SEEK_SET), EBADF);
		must_fail(fstat(bad[i], &st), EBADF);
		must_fail(ftruncate(bad[i], 0), EBADF);
		must_fail(close(bad[i]), EBADF);
		must_fail(dup(bad[i]), EBADF);
		must(sys3(SYS_getdents, bad[i], (int)&st, sizeof(st)) == -EBADF);
	}
}

static void close_on_exec(void)
{
	char kept[12], closed[12], copy[12];
	int a = make("f"), b = open("f", O_RDONLY | O_CLOEXEC), c = dup(b);
	pid_t pid;

	snprintf(kept, sizeof(kept), "%d", a);
	snprintf(closed, sizeof(closed), "%d", b);
	snprintf(copy, sizeof(copy), "%d", c);
	pid = fork();
	if (pid == 0) {
		execl(self, self, kept, closed, copy, NULL);
		_exit(99);
	}
	tap_join(pid);
}

static const struct tap_case cases[] = {
	{ "write and read", write_and_read },
	{ "modes of opening", open_modes },
	{ "modes of new files", created_modes },
	{ "mode and time of an open file are set", mode_and_time_of_an_open_file },
	{ "stat", what_stat_says },
	{ "lseek's errors", seek_errors },
	{ "beyond the end are zeros", beyond_the_end },
	{ "large offsets", large_offsets },
	{ "truncating clears", truncate_clears },
	{ "append", append },
	{ "several processes append", append_together },
	{ "two megabytes", two_megabytes },
	{ "a file from the initrd can be written", initrd_file },
	{ "no space", no_space },
	{ "dup shares the offset", dup_shares },
	{ "fork shares the offset", fork_shares },
	{ "too many open files", too_many },
	{ "bad descriptors", bad_descriptors },
	{ "close on exec", close_on_exec },
};

/* close_on_exec runs this: the first and third descriptors are open, the second is not. */
static int second_life(char **argv)
{
	struct stat st;

	must(fstat(atoi(argv[1]), &st) == 0);
	must_fail(fstat(atoi(argv[2]), &st), EBADF);
	must(fstat(atoi(argv[3]), &st) == 0);
	return 0;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc == 4)
		return second_life(argv);
	return tap_run(cases, nelem(cases));
}
