/* The host's folder, 9p(4), at /n/remote: what programs see of a real server. */
#include <dirent.h>
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

#define GB5 (5ll << 30)

static char block[300000];

/* Make an empty directory of the host's and enter it; tidy() removes it. */
static void enter(const char *name)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "/n/remote/test-%s", name);
	tap_remove(dir);
	must(mkdir(dir, 0755) == 0 && chdir(dir) == 0);
}

static void tidy(const char *name)
{
	char dir[64];

	snprintf(dir, sizeof(dir), "/n/remote/test-%s", name);
	must(chdir("/") == 0 && tap_remove(dir) && !tap_exists(dir));
}

static void reads_writes(void)
{
	struct stat st;
	int fd;

	enter("rw");
	tap_write("f", "hello");
	must(strcmp(tap_read("f"), "hello") == 0);
	must(stat("f", &st) == 0 && st.st_size == 5 && S_ISREG(st.st_mode) && st.st_uid == 0);
	must((st.st_mode & 0777) == 0600);
	must(chmod("f", 0444) == 0 && stat("f", &st) == 0 && (st.st_mode & 0777) == 0400);
	must_fail(open("f", O_RDWR), EACCES);
	must(chmod("f", 0644) == 0);
	must((fd = open("f", O_RDWR)) >= 0 && fset(fd, FSET_MTIME, 1000) == 0);
	must(fset(fd, FSET_MODE, 0600) == 0 && fstat(fd, &st) == 0);
	must(st.st_mtime == 1000 && (st.st_mode & 0777) == 0600);
	must(close(fd) == 0 && (fd = open("f", O_RDWR)) >= 0 && lseek(fd, 2, SEEK_SET) == 2);
	must(write(fd, "LL!", 3) == 3 && lseek(fd, 0, SEEK_CUR) == 5 && read(fd, block, 9) == 0);
	must(lseek(fd, 8, SEEK_SET) == 8 && write(fd, "x", 1) == 1);
	must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, block, 99) == 9);
	must(memcmp(block, "heLL!\0\0\0x", 9) == 0);
	must(ftruncate(fd, 4) == 0 && fstat(fd, &st) == 0 && st.st_size == 4);
	must(close(fd) == 0 && strcmp(tap_read("f"), "heLL") == 0);
	must((fd = open("f", O_WRONLY | O_APPEND)) >= 0 && write(fd, "o", 1) == 1);
	must(close(fd) == 0 && strcmp(tap_read("f"), "heLLo") == 0);
	must((fd = open("f", O_WRONLY | O_TRUNC)) >= 0 && close(fd) == 0);
	must(stat("f", &st) == 0 && st.st_size == 0);
	tidy("rw");
}

/* Transfers range from those that fit into a message's own room to several messages. */
static void sizes(void)
{
	static const int size[] = {1, 511, 512, 513, 4096, 16383, 131071, 131072, 131073, 300000};
	char *back = malloc(sizeof(block) + 1); /* only here: each process is promised its own */
	int fd;

	enter("sizes");
	for (size_t i = 0; i < sizeof(block); i++)
		block[i] = (char)(i * 31 + (i >> 8));
	for (size_t i = 0; i < nelem(size); i++) {
		must((fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644)) >= 0);
		must(write(fd, block, size[i]) == size[i] && lseek(fd, 0, SEEK_SET) == 0);
		must(back);
		memset(back, 0, sizeof(block) + 1);
		must(read(fd, back, sizeof(block)) == size[i] && close(fd) == 0);
		must(memcmp(back, block, size[i]) == 0 && back[size[i]] == 0);
	}
	tidy("sizes");
}

/* Offsets beyond 32 bits, in a file with a hole. */
static void far_offsets(void)
{
	struct stat st;
	int fd;

	enter("far");
	must((fd = open("f", O_RDWR | O_CREAT, 0644)) >= 0);
	must(lseek(fd, GB5, SEEK_SET) == GB5 && write(fd, "far", 3) == 3);
	must(fstat(fd, &st) == 0 && st.st_size == GB5 + 3);
	must(lseek(fd, -5, SEEK_END) == GB5 - 2 && read(fd, block, 9) == 5);
	must(memcmp(block, "\0\0far", 5) == 0);
	must(ftruncate(fd, GB5 + 1) == 0 && lseek(fd, 0, SEEK_END) == GB5 + 1);
	must(close(fd) == 0);
	tidy("far");
}

static void names(void)
{
	char name[NAME_MAX + 2];

	enter("names");
	must(mkdir("d", 0755) == 0 && mkdir("d/e", 0755) == 0);
	must_fail(mkdir("d", 0755), EEXIST);
	must_fail(open("d", O_RDWR | O_CREAT | O_EXCL, 0644), EEXIST);
	must_fail(open("none", O_RDONLY), ENOENT);
	must_fail(open("d", O_WRONLY), EISDIR);
	must_fail(rmdir("d"), ENOTEMPTY);
	tap_write("f", "1");
	tap_write("g", "22");
	must_fail(open("f/x", O_RDONLY), ENOTDIR);
	must(rename("f", "g") == 0 && !tap_exists("f") && strcmp(tap_read("g"), "1") == 0);
	must(rename("g", "d/e/h") == 0 && strcmp(tap_read("d/e/h"), "1") == 0);
	must_fail(rename("d/e/h", "/tmp/h"), EXDEV);
	must_fail(rename("none", "x"), ENOENT);
	must(mkdir("empty", 0755) == 0);
	must_fail(rename("empty", "d"), ENOTEMPTY);
	must_fail(rename("d", "d/e/inside"), EINVAL);
	must(rename("d", "moved") == 0 && strcmp(tap_read("moved/e/h"), "1") == 0);
	must(unlink("moved/e/h") == 0 && rmdir("moved/e") == 0 && rmdir("moved") == 0);
	memset(name, 'n', sizeof(name));
	name[NAME_MAX + 1] = 0;
	must_fail(open(name, O_WRONLY | O_CREAT, 0644), ENAMETOOLONG);
	name[NAME_MAX] = 0;
	tap_write(name, "long");
	must(strcmp(tap_read(name), "long") == 0 && unlink(name) == 0);
	tidy("names");
}

/* An open file stays open when it is renamed and, as on the host, when it is removed. */
static void open_files(void)
{
	int fd;

	enter("open");
	tap_write("f", "content");
	must((fd = open("f", O_RDWR)) >= 0);
	must(rename("f", "g") == 0 && read(fd, block, 3) == 3 && memcmp(block, "con", 3) == 0);
	must(unlink("g") == 0 && !tap_exists("g"));
	must(read(fd, block, 99) == 4 && memcmp(block, "tent", 4) == 0);
	must(write(fd, "more", 4) == 4 && close(fd) == 0);
	tidy("open");
}

/* A path may be deep: it is walked in several messages. */
static void depth(void)
{
	enum { DEPTH = 60 };

	enter("deep");
	for (int i = 0; i < DEPTH; i++)
		must(mkdir("directory", 0755) == 0 && chdir("directory") == 0);
	tap_write("f", "bottom");
	must(getcwd(block, sizeof(block)) != NULL && strlen(block) > 10 * DEPTH);
	must(strlcat(block, "/f", sizeof(block)) < PATH_MAX);
	must(chdir("/") == 0 && strcmp(tap_read(block), "bottom") == 0);
	/* Up from the bottom: by paths from the top the host's work grows with the depth's cube. */
	*strrchr(block, '/') = 0;
	must(chdir(block) == 0 && unlink("f") == 0);
	for (int i = 0; i < DEPTH; i++)
		must(chdir("..") == 0 && rmdir("directory") == 0);
	tidy("deep");
}

/* Each of n files is listed once, whatever is made, removed and listed meanwhile. */
static void listing(void)
{
	enum { N = 150 };
	static unsigned char seen[N];
	struct dirent *e;
	unsigned n = 0, others = 0;
	DIR *d, *other;
	int fd;

	enter("list");
	for (int i = 0; i < N; i++) {
		snprintf(block, sizeof(block), "a file with the number %d", i);
		must((fd = open(block, O_WRONLY | O_CREAT | O_EXCL, 0644)) >= 0);
		must(close(fd) == 0);
	}
	must((d = opendir(".")) != NULL && (other = opendir(".")) != NULL);
	while ((e = readdir(d)) != NULL) {
		int i = atoi(e->d_name + strlen("a file with the number "));

		others += readdir(other) != NULL;

		must(i >= 0 && i < N && !seen[i] && e->d_type == S_IFREG >> 12);
		seen[i] = 1;
		if (n++ == N / 2)
			must(rename(e->d_name, "other") == 0 && rename("other", e->d_name) == 0);
		else
			must(unlink(e->d_name) == 0);
	}
	must(n == N && others == N && readdir(other) == NULL);
	must(closedir(d) == 0 && closedir(other) == 0);
	tidy("list");
}

/* Write a file of this process's own and read it back. */
static void write_own(uintptr_t which)
{
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "f%u", (unsigned)which);
	for (int round = 0; round < 8; round++) {
		memset(block, (int)('a' + which), sizeof(block));
		must((fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644)) >= 0);
		must(write(fd, block, sizeof(block)) == sizeof(block));
		memset(block, 0, sizeof(block));
		must(lseek(fd, 0, SEEK_SET) == 0);
		must(read(fd, block, sizeof(block)) == sizeof(block));
		for (size_t i = 0; i < sizeof(block); i++)
			must(block[i] == (char)('a' + which));
		must(close(fd) == 0);
	}
}

/* Append lines to a file that all have open; none may be lost. */
static void append(uintptr_t which)
{
	int fd = open("all", O_WRONLY | O_APPEND);

	(void)which;
	must(fd >= 0);
	for (int i = 0; i < 50; i++)
		must(write(fd, "a line\n", 7) == 7);
}

static void users(void)
{
	struct stat st;

	enter("users");
	tap_together(8, write_own);
	tap_write("all", "");
	tap_together(8, append);
	must(stat("all", &st) == 0 && st.st_size == 8 * 50 * 7);
	tidy("users");
}

/* Read the file again and again until killed. */
static void read_on(void)
{
	for (;;) {
		int fd = open("f", O_RDONLY);

		while (read(fd, block, sizeof(block)) > 0)
			;
		close(fd);
	}
}

/* A process killed in the middle of a request leaves nothing that harms others. */
static void killed(void)
{
	size_t memory;

	enter("killed");
	write_own(0);
	must(rename("f0", "f") == 0);
	memory = tap_memory_left();
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();

		must(pid >= 0);
		if (pid == 0)
			read_on();
		tap_sleep(i % 7);
		tap_finish(pid);
	}
	must(tap_memory_back(memory, 64));
	write_own(1);
	tidy("killed");
}

static void look_in(void)
{
	must_fail(open("/n/remote/test-none/f", O_RDONLY), EACCES);
	must_fail(open("/n/remote", O_RDONLY), EACCES);
	must_fail(open("/n/remote/new", O_WRONLY | O_CREAT, 0644), EACCES);
	must_fail(bind("#9host", "/tmp", MREPL), EACCES);
}

/* Only the owner may use the folder. */
static void others(void)
{
	enter("none");
	tap_write("f", "secret");
	must(chmod("f", 0666) == 0);
	tap_as_none(look_in);
	tidy("none");
}

static void attaching(void)
{
	must_fail(bind("#9nohost", "/tmp", MREPL), ENODEV);
	must_fail(bind("#9", "/tmp", MREPL), ENODEV);
	must(mkdir("here", 0755) == 0 && bind("#9host", "here", MREPL) == 0);
	tap_write("/n/remote/test-twice", "both ways");
	must(strcmp(tap_read("here/test-twice"), "both ways") == 0);
	must(unlink("/n/remote/test-twice") == 0 && !tap_exists("here/test-twice"));
}

static const struct tap_case cases[] = {
	{"reading and writing", reads_writes},
	{"pieces of all sizes", sizes},
	{"offsets of more than 4 GB", far_offsets},
	{"names, and the host's errors", names},
	{"files that are open", open_files},
	{"60 directories deep", depth},
	{"a directory that changes", listing},
	{"8 processes at once", users},
	{"processes that are killed", killed},
	{"the user none", others},
	{"attaching", attaching},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
