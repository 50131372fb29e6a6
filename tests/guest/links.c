/* W3: further names of files, and symbolic links: what leads where, and what does not. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

/* Return the number of a file, of which a link itself has another. */
static uint64_t number(const char *path)
{
	struct stat st;

	must(stat(path, &st) == 0);
	return st.st_ino;
}

static unsigned names_of(const char *path)
{
	struct stat st;

	must(stat(path, &st) == 0);
	return st.st_nlink;
}

/* Return whether a link's target is that. */
static bool leads_to(const char *path, const char *target)
{
	char buf[PATH_MAX];
	ssize_t n = readlink(path, buf, sizeof(buf));

	return n == (ssize_t)strlen(target) && memcmp(buf, target, (size_t)n) == 0;
}

/* Return where this process is. */
static const char *here(void)
{
	static char buf[PATH_MAX];

	must(getcwd(buf, sizeof(buf)) != NULL);
	return buf;
}

static void what_a_link_is(void)
{
	struct stat st;
	char two[2];

	tap_write("file", "text");
	must(symlink("file", "l") == 0);
	must(leads_to("l", "file") && readlink("l", two, 2) == 2 && memcmp(two, "fi", 2) == 0);
	must(lstat("l", &st) == 0 && S_ISLNK(st.st_mode) && st.st_size == 4 && st.st_nlink == 1);
	must(st.st_ino != number("l") && number("l") == number("file"));
	must(strcmp(tap_read("l"), "text") == 0);
	tap_write("l", "other");
	must(chmod("l", 0600) == 0 && stat("file", &st) == 0 && (st.st_mode & 0777) == 0600);
	must(strcmp(tap_read("file"), "other") == 0);
	must(unlink("l") == 0 && tap_exists("file"));
	must_fail(readlink("l", two, 2), ENOENT);
	must_fail(readlink("file", two, 2), EINVAL);
	must_fail(readlink(".", two, 2), EINVAL);
}

/* A target begins where the link is, not where the process is; or at a root. */
static void where_targets_begin(void)
{
	char path[PATH_MAX];

	tap_write("file", "text");
	must(mkdir("dir", 0755) == 0 && mkdir("dir/deep", 0755) == 0);
	must(symlink("../file", "dir/up") == 0 && symlink("deep/../../file", "dir/l") == 0);
	must(strcmp(tap_read("dir/up"), "text") == 0 && strcmp(tap_read("dir/l"), "text") == 0);
	snprintf(path, sizeof(path), "%s/file", here());
	must(symlink(path, "dir/deep/absolute") == 0);
	must(strcmp(tap_read("dir/deep/absolute"), "text") == 0);
	must(symlink("#c/null", "device") == 0 && number("device") == number("/dev/null"));
	must(symlink("dir/deep/./", "slash") == 0 && number("slash") == number("dir/deep"));
	must(symlink(".", "dot") == 0 && number("dot/dot/file") == number("file"));
	must(chdir("dir/deep") == 0 && strcmp(tap_read("../up"), "text") == 0);
}

static void directories(void)
{
	struct stat st;
	char before[PATH_MAX];

	must(mkdir("a", 0755) == 0 && mkdir("a/b", 0755) == 0 && symlink("a/b", "l") == 0);
	tap_write("a/b/file", "text");
	tap_write("a/above", "up");
	must(strcmp(tap_read("l/file"), "text") == 0);
	/* ".." leads above where the link led to. */
	must(strcmp(tap_read("l/../above"), "up") == 0);
	must(lstat("l", &st) == 0 && S_ISLNK(st.st_mode));
	must(lstat("l/", &st) == 0 && S_ISDIR(st.st_mode));
	must(lstat("l/.", &st) == 0 && S_ISDIR(st.st_mode));
	must(mkdir("l/new", 0755) == 0 && tap_exists("a/b/new"));
	must(rename("l/file", "l/moved") == 0 && tap_exists("a/b/moved"));
	must_fail(rmdir("l"), ENOTDIR);
	must_fail(mkdir("l", 0755), EEXIST);
	snprintf(before, sizeof(before), "%s/a/b", here());
	must(chdir("l") == 0 && strcmp(here(), before) == 0);
	must(chdir("..") == 0 && tap_exists("above"));
}

static void nothing_there(void)
{
	int fd;

	must(mkdir("d", 0755) == 0 && symlink("d/none", "l") == 0);
	must_fail(open("l", O_RDONLY), ENOENT);
	must_fail(open("l", O_RDWR | O_CREAT | O_EXCL, 0644), EEXIST);
	must_fail(mkdir("l", 0755), EEXIST);
	must_fail(symlink("x", "l"), EEXIST);
	must_fail(link("l", "l"), EEXIST);
	must(!tap_exists("d/none"));
	fd = open("l", O_RDWR | O_CREAT, 0644);
	must(fd >= 0 && close(fd) == 0 && tap_exists("d/none"));
	must_fail(symlink("", "empty"), ENOENT);
	must_fail(symlink("x", "d/none/under"), ENOTDIR);
	must_fail(symlink("x", "no/where"), ENOENT);
	must_fail(symlink((char *)0xC0000000, "l"), EFAULT);
	must_fail(readlink("l", (char *)0xC0000000, 10), EFAULT);
	must_fail(symlink("x", "/dev/l"), EPERM);
	must_fail(symlink("x", "/prof/l"), EPERM);
}

/* Where a link leads nowhere before its last name, nothing is made. */
static void nothing_is_made(void)
{
	static const char *const targets[] = {
		"#cnone", "#Pnone", "#pnone/x", "#?", "#", "none/x", "none/../x", "/none/none/x",
	};
	struct stat st;

	for (size_t i = 0; i < nelem(targets); i++) {
		must(symlink(targets[i], "l") == 0 && symlink("l", "m") == 0);
		must(open("l", O_WRONLY | O_CREAT, 0644) == -1);
		must(errno == ENOENT || errno == ENODEV);
		must(open("m", O_WRONLY | O_CREAT, 0644) == -1);
		must(mkdir("l/", 0755) == -1 && mkdir("m/", 0755) == -1);
		must(stat("l/x", &st) == -1 && unlink("l") == 0 && unlink("m") == 0);
	}
	/* The name by which the process came here is another directory's, or nobody's. */
	must(mkdir("a", 0755) == 0 && symlink("x", "a/l") == 0 && chdir("a") == 0);
	must(rename("../a", "../b") == 0);
	must_fail(open("l", O_WRONLY | O_CREAT, 0644), ENOENT);
	must(!tap_exists("../a"));
}

/* Eight links in a path are followed, and no more. */
static void too_many(void)
{
	char name[] = "l0", before[] = "l0", path[PATH_MAX] = "";
	struct stat st;

	must(symlink("circle", "circle") == 0 && symlink("to", "fro") == 0);
	must(symlink("fro", "to") == 0);
	must_fail(open("circle", O_RDONLY | O_CREAT, 0644), ELOOP);
	must_fail(stat("to/x", &st), ELOOP);
	must(lstat("to", &st) == 0);
	must(mkdir("end", 0755) == 0 && symlink("end", name) == 0);
	for (name[1] = '1'; name[1] <= '8'; name[1]++) {
		must(symlink(before, name) == 0);
		before[1] = name[1];
	}
	must(stat("l7/.", &st) == 0 && stat("l7", &st) == 0 && S_ISDIR(st.st_mode));
	must_fail(stat("l8", &st), ELOOP);
	must_fail(chdir("l8/."), ELOOP);
	must(symlink("..", "end/up") == 0);
	for (int i = 0; i < 8; i++)
		strlcat(path, "end/up/", sizeof(path));
	must(stat(path, &st) == 0);
	strlcat(path, "end/up", sizeof(path));
	must_fail(stat(path, &st), ELOOP);
	must(lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
}

static void too_long(void)
{
	static char path[PATH_MAX + 1];
	struct stat st;

	for (size_t i = 0; i + 2 < PATH_MAX; i += 2)
		strlcpy(path + i, "./", 3);
	must(symlink(path, "l") == 0 && leads_to("l", path));
	must(stat("l", &st) == 0 && S_ISDIR(st.st_mode));
	must_fail(stat("l/and", &st), ENAMETOOLONG);
	must(lstat("l", &st) == 0 && st.st_size == strlen(path));
	memset(path, 'x', PATH_MAX);
	must_fail(symlink(path, "m"), ENAMETOOLONG);
}

/* A link itself is renamed, replaced and removed. */
static void links_are_files(void)
{
	tap_write("file", "text");
	must(symlink("file", "l") == 0 && rename("l", "m") == 0 && leads_to("m", "file"));
	tap_write("new", "new");
	must_fail(rename("m/", "n"), ENOTDIR);
	must(rename("new", "m") == 0 && strcmp(tap_read("m"), "new") == 0);
	must(strcmp(tap_read("file"), "text") == 0);
	must(mkdir("d", 0755) == 0 && symlink("file", "d/l") == 0);
	must_fail(rename("d", "d/l"), EINVAL);
	must_fail(rmdir("d"), ENOTEMPTY);
	must(symlink("file", "l") == 0 && link("l", "hard") == 0);
	must(leads_to("hard", "file") && unlink("l") == 0 && leads_to("hard", "file"));
	must(strcmp(tap_read("hard"), "text") == 0);
}

/* Return the number that a directory has for an entry of that name. */
static uint64_t listed(const char *dir, const char *name)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	must(d);
	while ((e = readdir(d)) && strcmp(e->d_name, name) != 0)
		;
	must(e);
	uint64_t n = e->d_ino;
	closedir(d);
	return n;
}

static void further_names(void)
{
	struct stat st;
	int fd;

	tap_write("a", "text");
	must(mkdir("d", 0755) == 0 && link("a", "d/b") == 0);
	must(number("a") == number("d/b") && names_of("a") == 2 && names_of("d/b") == 2);
	must(listed("d", "b") == number("a") && listed(".", "a") == number("a"));
	tap_write("d/b", "other");
	must(strcmp(tap_read("a"), "other") == 0);
	must(link("d/b", "c") == 0 && names_of("a") == 3);
	must(unlink("a") == 0 && names_of("c") == 2 && strcmp(tap_read("c"), "other") == 0);
	/* Of one file, two names are not exchanged for one. */
	must(rename("c", "d/b") == 0 && names_of("c") == 2 && tap_exists("d/b"));
	must(rename("c", "e") == 0 && names_of("e") == 2 && !tap_exists("c"));
	fd = open("e", O_RDONLY);
	must(unlink("d/b") == 0 && unlink("e") == 0);
	must(fstat(fd, &st) == 0 && st.st_nlink == 0 && st.st_size == 5);
	must(close(fd) == 0);
}

static void no_further_names(void)
{
	tap_write("a", "text");
	tap_write("b", "text");
	must(mkdir("d", 0755) == 0);
	must_fail(link("d", "e"), EPERM);
	must_fail(link("a", "b"), EEXIST);
	must_fail(link("a", "d"), EEXIST);
	must_fail(link("none", "e"), ENOENT);
	must_fail(link("a", "d/none/e"), ENOENT);
	must_fail(link("a", "/dev/e"), EPERM);
	must_fail(link("a", "."), EINVAL);
	must(names_of("a") == 1);
	for (int i = 1; i < LINK_MAX; i++) {
		char name[12];

		snprintf(name, sizeof(name), "d/%d", i);
		must(link("a", name) == 0);
	}
	must_fail(link("a", "more"), EMLINK);
	must(names_of("a") == LINK_MAX && unlink("d/1") == 0 && link("a", "more") == 0);
}

static void as_none(void)
{
	must_fail(link("eves", "mine"), EPERM);
	must(symlink("eves", "l") == 0 && strcmp(tap_read("l"), "text") == 0);
	must_fail(open("l", O_WRONLY), EACCES);
	tap_write("own", "x");
	must(link("own", "mine") == 0 && names_of("mine") == 2);
	must_fail(symlink("x", "closed/l"), EACCES);
	must_fail(link("own", "closed/mine"), EACCES);
	must(symlink("closed/file", "into") == 0);
	must_fail(open("into", O_RDONLY), EACCES);
}

static void make_own(void)
{
	tap_write("kept/own", "x");
}

/* Its old name stays, so nothing is to be written there. */
static void link_own(void)
{
	must_fail(rename("kept/own", "moved"), EACCES);
	must(link("kept/own", "further") == 0 && names_of("kept/own") == 2);
}

/* A file stays its owner's alone to name, for she pays for it; and a link opens no doors. */
static void rights(void)
{
	tap_write("eves", "text");
	must(mkdir("closed", 0700) == 0);
	tap_write("closed/file", "secret");
	must(chmod(".", 0777) == 0);
	tap_as_none(as_none);
	must(mkdir("kept", 0777) == 0);
	tap_as_none(make_own);
	must(chmod("kept", 0755) == 0);
	tap_as_none(link_own);
}

static void programs_and_unions(void)
{
	char *argv[] = {"run", NULL};

	must(symlink("/bin/true", "run") == 0 && chmod(".", 0755) == 0);
	argv[0] = "./run";
	tap_program(argv);
	must(mkdir("d", 0755) == 0 && mkdir("over", 0755) == 0 && symlink("d", "l") == 0);
	tap_write("over/file", "text");
	must(bind("over", "l", MREPL) == 0);
	must(strcmp(tap_read("d/file"), "text") == 0 && strcmp(tap_read("l/file"), "text") == 0);
	must_fail(rename("d", "e"), EBUSY);
	must(rename("l", "m") == 0 && strcmp(tap_read("m/file"), "text") == 0);
}

/* What is made and removed by several at once is there as a whole, or not at all. */
static void busy(uintptr_t i)
{
	char text[8];
	struct stat st;

	for (int round = 0; round < 200; round++) {
		if (i == 0) {
			must(symlink("file", "l") == 0 && unlink("l") == 0);
		} else if (i == 1) {
			must(link("file", "h") == 0 && rename("h", "g") == 0 && unlink("g") == 0);
		} else {
			int fd = open(i == 2 ? "l" : "h", O_RDONLY);

			must(fd >= 0 || errno == ENOENT);
			must(fd < 0 || (read(fd, text, 8) == 4 && memcmp(text, "text", 4) == 0));
			must(fd < 0 || (fstat(fd, &st) == 0 && close(fd) == 0));
		}
	}
}

static void together(void)
{
	size_t before;

	tap_write("file", "text");
	tap_together(4, busy);
	before = tap_memory_left();
	tap_together(4, busy);
	must(names_of("file") == 1);
	must(tap_memory_back(before, 2));
}

/* What links took comes back with the last name, and what following them took at once. */
static void B8_nothing_is_lost(void)
{
	size_t before = tap_memory_left();

	must(mkdir("d", 0755) == 0);
	for (int i = 0; i < 200; i++) {
		tap_write("d/file", "text");
		must(link("d/file", "further") == 0 && symlink("d/../further", "l") == 0);
		must(unlink("d/file") == 0 && names_of("l") == 1);
		must(unlink("l") == 0 && unlink("further") == 0);
	}
	must(rmdir("d") == 0);
	must(tap_memory_back(before, 32));
}

static const struct tap_case cases[] = {
	{ "W3 what a symbolic link is", what_a_link_is },
	{ "where targets begin", where_targets_begin },
	{ "links to directories", directories },
	{ "links to nothing", nothing_there },
	{ "B1 nothing is made where a link leads nowhere", nothing_is_made },
	{ "too many links", too_many },
	{ "too long a target", too_long },
	{ "links are files", links_are_files },
	{ "W3 further names of a file", further_names },
	{ "no further names", no_further_names },
	{ "rights", rights },
	{ "programs and unions", programs_and_unions },
	{ "several at once", together },
	{ "B8 nothing is lost by links", B8_nothing_is_lost },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
