/* Names: directories, removing, renaming, paths, and who may do what. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

static void directories(void)
{
	must(mkdir("d", 0755) == 0 && mkdir("d/e/", 0700) == 0);
	must_fail(mkdir("d", 0755), EEXIST);
	must_fail(mkdir("d/e", 0755), EEXIST);
	must_fail(mkdir(".", 0755), EEXIST);
	must_fail(mkdir("/", 0755), EEXIST);
	must_fail(mkdir("x/y", 0755), ENOENT);
	tap_write("f", "");
	must_fail(mkdir("f", 0755), EEXIST);
	must_fail(mkdir("f/x", 0755), ENOTDIR);
	must_fail(mkdir("", 0755), ENOENT);
	must_fail(rmdir("d"), ENOTEMPTY);
	must_fail(unlink("d/e"), EISDIR);
	must(rmdir("d/e") == 0 && rmdir("d") == 0 && !tap_exists("d"));
	must_fail(rmdir("d"), ENOENT);
	must_fail(rmdir("f"), ENOTDIR);
	must_fail(unlink("."), EISDIR);
	must(remove(".") == -1 && remove("..") == -1 && remove("/") == -1);
}

static void dots(void)
{
	must(mkdir("d", 0755) == 0);
	tap_write("f", "text");
	must(strcmp(tap_read("./f"), "text") == 0 && strcmp(tap_read("d/../f"), "text") == 0);
	must(strcmp(tap_read("d/.././d//..///f"), "text") == 0);
	must(chdir("d") == 0 && strcmp(tap_read("../f"), "text") == 0);
	must(tap_exists("/../../tmp") && tap_exists("/./tmp/."));
	must_fail(open("../f/..", O_RDONLY), ENOTDIR);
	must_fail(open("../f/.", O_RDONLY), ENOTDIR);
	must_fail(open("../f/", O_RDONLY), ENOTDIR);
	must_fail(open("../f/x", O_RDONLY), ENOTDIR);
	must_fail(open("none/../../f", O_RDONLY), ENOENT);
	must_fail(open("", O_RDONLY), ENOENT);
	must_fail(open("new/", O_RDWR | O_CREAT, 0644), EISDIR);
}

static void current_directory(void)
{
	char start[PATH_MAX], now[PATH_MAX], want[PATH_MAX + 4];

	must(getcwd(start, sizeof(start)) != NULL);
	must(mkdir("d", 0755) == 0 && chdir("./d/../d/") == 0);
	must(getcwd(now, sizeof(now)) != NULL);
	snprintf(want, sizeof(want), "%s/d", start);
	must(strcmp(now, want) == 0);
	must(getcwd(now, strlen(want)) == NULL && errno == ERANGE);
	must(getcwd(now, strlen(want) + 1) != NULL);
	must(chdir("..") == 0 && getcwd(now, sizeof(now)) != NULL && strcmp(now, start) == 0);
	tap_write("f", "");
	must_fail(chdir("f"), ENOTDIR);
	must_fail(chdir("none"), ENOENT);
	must(chdir("/") == 0 && getcwd(now, sizeof(now)) != NULL && strcmp(now, "/") == 0);
}

/* Nothing can be made in a directory that was removed. */
static void removed_directory(void)
{
	must(mkdir("d", 0755) == 0 && chdir("d") == 0);
	must(rmdir("../d") == 0);
	must(open("f", O_RDWR | O_CREAT, 0644) == -1);
	must(mkdir("e", 0755) == -1);
	must(chdir("/") == 0);
}

static void long_names(void)
{
	char name[NAME_MAX + 2];

	memset(name, 'n', sizeof(name));
	name[NAME_MAX + 1] = '\0';
	must_fail(open(name, O_RDWR | O_CREAT, 0644), ENAMETOOLONG);
	must_fail(mkdir(name, 0755), ENAMETOOLONG);
	must_fail(chdir(name), ENAMETOOLONG);
	name[NAME_MAX] = '\0';
	tap_write(name, "long");
	must(strcmp(tap_read(name), "long") == 0);
	must(rename(name, "short") == 0 && rename("short", name) == 0);
	must(unlink(name) == 0 && !tap_exists(name));
}

static void long_paths(void)
{
	char path[PATH_MAX + 2];

	tap_write("f", "text");
	for (size_t i = 0; i < sizeof(path); i += 2)
		memcpy(path + i, "./", 2);
	/* Paths of up to 127 characters are copied to another place than longer ones. */
	for (size_t len = 126; len <= 129; len++) {
		char copy[130];

		memcpy(copy, path, len - 2);
		strcpy(copy + len - 2, "/f");
		must(strlen(copy) == len && strcmp(tap_read(copy), "text") == 0);
	}
	path[PATH_MAX - 2] = 'f';
	path[PATH_MAX - 1] = '\0';
	must(strlen(path) == PATH_MAX - 1 && strcmp(tap_read(path), "text") == 0);
	memcpy(path + PATH_MAX - 2, "/f", 3);
	must_fail(open(path, O_RDONLY), ENAMETOOLONG);
}

/* Directories are nested until the path is too long. */
static void deep_directories(void)
{
	char name[201];
	int depth = 0;

	memset(name, 'd', sizeof(name) - 1);
	name[200] = '\0';
	while (mkdir(name, 0755) == 0 && chdir(name) == 0)
		depth++;
	must(errno == ENAMETOOLONG);
	must(depth == 4 || depth == 5);
	for (; depth > 0; depth--)
		must(chdir("..") == 0);
	must(rmdir(name) == -1 && errno == ENOTEMPTY);
}

/* ---- listing */

/* Count the entries, with reads of size bytes; *found tells whether name is one of them. */
static int count_entries(const char *dir, size_t size, const char *name, bool *found)
{
	uint64_t buf[512];
	int fd = open(dir, O_RDONLY | O_DIRECTORY), n, count = 0;

	must(fd >= 0 && size <= sizeof(buf));
	*found = false;
	while ((n = sys3(SYS_getdents, fd, (int)buf, (int)size)) > 0) {
		for (int at = 0; at < n; count++) {
			struct dirent *d = (struct dirent *)((char *)buf + at);

			must(d->d_reclen % 8 == 0 && d->d_reclen > strlen(d->d_name));
			if (strcmp(d->d_name, name) == 0)
				*found = true;
			at += d->d_reclen;
			must(at <= n);
		}
	}
	must(n == 0);
	close(fd);
	return count;
}

static void listing(void)
{
	char name[8];
	bool found;

	must(count_entries(".", 4096, "f", &found) == 0);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		tap_write(name, "");
	}
	must(count_entries(".", 4096, "f0", &found) == 300 && found);
	must(count_entries(".", 24, "f299", &found) == 300 && found);
	must(count_entries(".", 100, "f150", &found) == 300 && found);
	must(count_entries(".", 4096, "f300", &found) == 300 && !found);
}

/* Several lists of a directory go on by themselves, whatever is removed between. */
static void listed_twice(void)
{
	char name[8], entry[64];
	int fd[2], n[2] = {0, 0};

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		tap_write(name, "");
	}
	fd[0] = open(".", O_RDONLY);
	fd[1] = open(".", O_RDONLY);
	while (sys3(SYS_getdents, fd[0], (int)entry, 24) > 0) {
		n[0]++;
		if (n[0] % 3 == 0)
			continue;
		must(sys3(SYS_getdents, fd[1], (int)entry, 24) > 0);
		n[1]++;
		if (n[0] % 3 == 1) /* the one that the second list is at */
			must(unlink(((struct dirent *)(void *)entry)->d_name) == 0);
	}
	while (sys3(SYS_getdents, fd[1], (int)entry, 24) > 0)
		n[1]++;
	must(n[0] == 300 && n[1] == 300);
}

static void listing_errors(void)
{
	char buf[64];
	int fd;

	tap_write("a-name-of-some-length", "");
	fd = open(".", O_RDONLY);
	must(sys3(SYS_getdents, fd, (int)buf, 16) == -EINVAL);
	must(sys3(SYS_getdents, fd, (int)buf, 0) == -EINVAL);
	must(sys3(SYS_getdents, fd, (int)buf, 64) > 0);
	must(sys3(SYS_getdents, fd, (int)buf, 64) == 0);
	must(lseek(fd, 0, SEEK_SET) == 0);
	must(sys3(SYS_getdents, fd, (int)buf, 64) > 0);
	must_fail(lseek(fd, 1, SEEK_SET), EINVAL);
	fd = open("a-name-of-some-length", O_RDONLY);
	must(sys3(SYS_getdents, fd, (int)buf, 64) == -ENOTDIR);
}

static void directories_are_no_files(void)
{
	char c;
	int fd = open("/", O_RDONLY);

	must(fd >= 0);
	must_fail(read(fd, &c, 1), EISDIR);
	must_fail(write(fd, &c, 1), EBADF);
	must_fail(open("/", O_WRONLY), EISDIR);
	must_fail(open("/", O_RDWR), EISDIR);
	must_fail(open("/", O_RDONLY | O_TRUNC), EISDIR);
	tap_write("f", "");
	must_fail(open("f", O_RDONLY | O_DIRECTORY), ENOTDIR);
	must_fail(open("none", O_RDONLY | O_DIRECTORY), ENOENT);
}

/* ---- removing and renaming */

static void remove_open_file(void)
{
	char buf[8];
	size_t before = tap_memory_left();
	int fd = open("f", O_RDWR | O_CREAT, 0644);

	must(write(fd, "still", 5) == 5);
	must(ftruncate(fd, 100000) == 0);
	must(unlink("f") == 0 && !tap_exists("f"));
	tap_write("f", "another");
	must(lseek(fd, 0, SEEK_SET) == 0 && read(fd, buf, 5) == 5 && memcmp(buf, "still", 5) == 0);
	must(write(fd, "more", 4) == 4);
	must(close(fd) == 0 && strcmp(tap_read("f"), "another") == 0);
	must_fail(unlink("none"), ENOENT);
	must(unlink("f") == 0);
	must(tap_memory_back(before, 4));
}

static void renames(void)
{
	tap_write("a", "A");
	tap_write("b", "B");
	must(mkdir("d", 0755) == 0);
	must(rename("a", "a") == 0 && strcmp(tap_read("a"), "A") == 0);
	must(rename("a", "b") == 0 && !tap_exists("a") && strcmp(tap_read("b"), "A") == 0);
	must(rename("b", "d/c") == 0 && !tap_exists("b") && strcmp(tap_read("d/c"), "A") == 0);
	must(rename("d", "e") == 0 && strcmp(tap_read("e/c"), "A") == 0);
	must(rename("e/c", "../tmp/./e/c") == -1 || tap_exists("e/c"));
	must_fail(rename("none", "x"), ENOENT);
	must_fail(rename("e", "none/x"), ENOENT);
	must_fail(rename("e/c", "e/c/d"), ENOTDIR);
}

static void rename_refusals(void)
{
	tap_write("f", "");
	must(mkdir("d", 0755) == 0 && mkdir("d/e", 0755) == 0 && mkdir("g", 0755) == 0);
	must_fail(rename("f", "d"), EISDIR);
	must_fail(rename("d", "f"), ENOTDIR);
	must_fail(rename("g", "d"), ENOTEMPTY);
	must_fail(rename("d", "d/e/d"), EINVAL);
	must_fail(rename("d", "d/x"), EINVAL);
	must_fail(rename("f", "#c/x"), EACCES);
	must_fail(rename("f", "#c/null"), EACCES);
	must_fail(rename("#c/null", "#c/x"), EACCES);
	must(rename("g", "d/e") == 0 && !tap_exists("g") && tap_exists("d/e"));
	must_fail(rename("/", "x"), EINVAL);
	must_fail(rename(".", "x"), EINVAL);
}

static void rename_keeps_open_files(void)
{
	int fd = open("f", O_RDWR | O_CREAT, 0644);

	must(write(fd, "one", 3) == 3 && rename("f", "g") == 0);
	must(write(fd, "two", 3) == 3 && strcmp(tap_read("g"), "onetwo") == 0);
}

/* ---- rights */

static void none_reads(void)
{
	must(strcmp(tap_read("public"), "text") == 0);
	must_fail(open("public", O_WRONLY), EACCES);
	must_fail(open("public", O_RDONLY | O_TRUNC), EACCES);
	must_fail(open("secret", O_RDONLY), EACCES);
	must_fail(open("closed/f", O_RDONLY), EACCES);
	must_fail(open("closed/none", O_RDONLY), EACCES);
	must_fail(open("closed", O_RDONLY), EACCES);
	must_fail(chdir("closed"), EACCES);
	must(strcmp(tap_read("searched/f"), "text") == 0);
	must_fail(open("searched", O_RDONLY), EACCES);
	must(tap_exists("secret"));
}

static void none_changes(void)
{
	struct stat st;

	must_fail(open("new", O_RDWR | O_CREAT, 0644), EACCES);
	must_fail(mkdir("new", 0755), EACCES);
	must_fail(unlink("public"), EACCES);
	must_fail(rename("public", "x"), EACCES);
	must_fail(rename("open/f", "x"), EACCES);
	must_fail(chmod("public", 0777), EPERM);
	must_fail(chmod("open", 0), EPERM);
	tap_write("open/mine", "mine");
	must(stat("open/mine", &st) == 0 && st.st_uid == UID_NONE);
	must(chmod("open/mine", 0600) == 0 && strcmp(tap_read("open/mine"), "mine") == 0);
	must(rename("open/f", "open/g") == 0 && unlink("open/g") == 0);
}

static void rights(void)
{
	must(mkdir("closed", 0700) == 0 && mkdir("searched", 0711) == 0);
	must(mkdir("open", 0777) == 0);
	tap_write("public", "text");
	tap_write("secret", "text");
	tap_write("closed/f", "text");
	tap_write("searched/f", "text");
	tap_write("open/f", "text");
	must(chmod("secret", 0600) == 0);
	tap_as_none(none_reads);
	tap_as_none(none_changes);
	must(strcmp(tap_read("open/mine"), "mine") == 0); /* 0600, but eve's for the asking */
	must(chmod("open/mine", 0644) == 0 && unlink("open/mine") == 0);
}

/* ---- time */

static int64_t mtime(const char *path)
{
	struct stat st;

	must(stat(path, &st) == 0);
	return st.st_mtime;
}

static void mtime_moves(void)
{
	int64_t file, dir;
	int fd;

	tap_write("f", "x");
	file = mtime("f");
	dir = mtime(".");
	sleep(2);
	tap_read("f");
	must(mtime("f") == file && mtime(".") == dir);
	fd = open("f", O_WRONLY);
	must(write(fd, "y", 1) == 1 && mtime("f") >= file + 2 && mtime(".") == dir);
	sleep(2);
	must(ftruncate(fd, 0) == 0 && mtime("f") >= file + 4);
	tap_write("g", "");
	must(mtime(".") >= dir + 4);
	dir = mtime(".");
	sleep(2);
	must(unlink("g") == 0 && mtime(".") >= dir + 2);
}

static const struct tap_case cases[] = {
	{ "making and removing directories", directories },
	{ "dots and slashes", dots },
	{ "the current directory", current_directory },
	{ "nothing is made in a removed directory", removed_directory },
	{ "long names", long_names },
	{ "long paths", long_paths },
	{ "deep directories", deep_directories },
	{ "listing", listing },
	{ "two lists at once", listed_twice },
	{ "listing's errors", listing_errors },
	{ "directories are no files", directories_are_no_files },
	{ "removing an open file", remove_open_file },
	{ "renaming", renames },
	{ "what cannot be renamed", rename_refusals },
	{ "renaming an open file", rename_keeps_open_files },
	{ "rights", rights },
	{ "mtime follows writes", mtime_moves },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
