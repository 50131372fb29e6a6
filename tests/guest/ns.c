/* The namespace: bind, unmount, unions, device names, copies. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

static bool reads(const char *path, const char *text)
{
	return tap_exists(path) && strcmp(tap_read(path), text) == 0;
}

/* Return the number of entries listed; *times is how many of them have this name. */
static int listed(const char *dir, const char *name, int *times)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	int n = 0;

	must(d != NULL);
	for (*times = 0; (entry = readdir(d)) != NULL; n++)
		*times += strcmp(entry->d_name, name) == 0;
	closedir(d);
	return n;
}

/* Make directories a, b and c, each with a file of its own name and one called both. */
static void make_directories(void)
{
	must(mkdir("a", 0755) == 0 && mkdir("b", 0755) == 0 && mkdir("c", 0755) == 0);
	tap_write("a/a", "a");
	tap_write("b/b", "b");
	tap_write("c/c", "c");
	tap_write("a/both", "from a");
	tap_write("b/both", "from b");
	tap_write("c/both", "from c");
}

static void replace(void)
{
	make_directories();
	must(bind("b", "a", MREPL) == 0);
	must(reads("a/b", "b") && !tap_exists("a/a") && reads("a/both", "from b"));
	tap_write("a/new", "new");
	must(reads("b/new", "new"));
	must(unmount(NULL, "a") == 0);
	must(reads("a/a", "a") && !tap_exists("a/b") && !tap_exists("a/new"));
}

static void after(void)
{
	make_directories();
	must(bind("b", "a", MAFTER) == 0);
	must(reads("a/a", "a") && reads("a/b", "b") && reads("a/both", "from a"));
	must(bind("c", "a", MAFTER) == 0);
	must(reads("a/c", "c") && reads("a/both", "from a"));
	must(unlink("a/both") == 0 && reads("a/both", "from b"));
}

static void before(void)
{
	make_directories();
	must(bind("b", "a", MBEFORE) == 0);
	must(reads("a/a", "a") && reads("a/b", "b") && reads("a/both", "from b"));
	must(bind("c", "a", MBEFORE) == 0);
	must(reads("a/both", "from c") && reads("b/both", "from b"));
}

static void one_file(void)
{
	struct stat st;

	tap_write("f", "f");
	tap_write("g", "g");
	must(bind("f", "g", MREPL) == 0 && reads("g", "f"));
	must(bind("#c/sysname", "f", MREPL) == 0 && reads("f", "gnomon\n"));
	must(stat("f", &st) == 0 && st.st_dev == 'c');
	must(unmount(NULL, "g") == 0 && reads("g", "g"));
	must(unmount(NULL, "f") == 0 && reads("f", "f"));
}

/* New files go to the member that was bound to take them. */
static void creation(void)
{
	make_directories();
	must(bind("b", "a", MAFTER) == 0);
	must_fail(open("a/new", O_RDWR | O_CREAT, 0644), ENOENT);
	must_fail(open("a/new", O_RDWR | O_CREAT | O_EXCL, 0644), EPERM);
	must_fail(mkdir("a/new", 0755), EPERM);
	must(bind("c", "a", MAFTER | MCREATE) == 0);
	tap_write("a/new", "new");
	must(reads("c/new", "new") && !tap_exists("b/new"));
	must(mkdir("a/dir", 0755) == 0 && tap_exists("c/dir"));
	tap_write("a/b", "changed");
	must(reads("b/b", "changed") && !tap_exists("c/b"));
	must_fail(open("a/both", O_RDWR | O_CREAT | O_EXCL, 0644), EEXIST);
	must_fail(mkdir("a/b", 0755), EEXIST);
	must(rename("a/new", "a/newer") == 0 && reads("c/newer", "new"));
	must(unlink("a/newer") == 0 && !tap_exists("c/newer"));
}

static void creation_in_first(void)
{
	make_directories();
	must(bind("b", "a", MBEFORE | MCREATE) == 0 && bind("c", "a", MBEFORE | MCREATE) == 0);
	tap_write("a/new", "new");
	must(reads("c/new", "new") && !tap_exists("b/new"));
}

static void union_listing(void)
{
	int times;

	make_directories();
	must(bind("b", "a", MAFTER) == 0 && bind("c", "a", MBEFORE) == 0);
	must(listed("a", "both", &times) == 4 && times == 1);
	must(listed("a", "b", &times) == 4 && times == 1);
	must(listed("b", "both", &times) == 2 && times == 1);
	must(bind("b", "a", MAFTER) == 0);
	must(listed("a", "both", &times) == 4 && times == 1);
}

static void unmount_one(void)
{
	make_directories();
	must(bind("b", "a", MAFTER) == 0 && bind("c", "a", MAFTER) == 0);
	must_fail(unmount("a/both", "a"), EINVAL);
	must(unmount("b", "a") == 0);
	must(!tap_exists("a/b") && tap_exists("a/c") && tap_exists("a/a"));
	must_fail(unmount("b", "a"), EINVAL);
	must(unmount("c", "a") == 0);
	must(!tap_exists("a/c") && tap_exists("a/a"));
	must_fail(unmount(NULL, "a"), EINVAL);
}

static void unmount_all(void)
{
	make_directories();
	must(bind("b", "a", MAFTER) == 0 && bind("c", "a", MBEFORE) == 0);
	must(unmount(NULL, "a") == 0);
	must(reads("a/both", "from a") && !tap_exists("a/b") && !tap_exists("a/c"));
	must_fail(unmount(NULL, "a"), EINVAL);
	must_fail(unmount(NULL, "b"), EINVAL);
}

/* A bound place is bound by whatever path it is reached. */
static void by_any_way(void)
{
	make_directories();
	must(mkdir("a/sub", 0755) == 0 && bind("b", "a/sub", MREPL) == 0);
	must(reads("a/sub/b", "b") && reads("./a/../a/sub/b", "b"));
	must(bind("a", "c", MREPL) == 0 && reads("c/sub/b", "b"));
	must(chdir("a") == 0 && reads("sub/b", "b"));
	must(bind("../c", ".", MREPL) == 0);
}

static void dot_dot(void)
{
	char cwd[PATH_MAX], top[PATH_MAX];

	make_directories();
	must(getcwd(top, sizeof(top)) != NULL);
	must(mkdir("b/deep", 0755) == 0 && mkdir("b/deep/er", 0755) == 0);
	must(bind("b/deep", "a", MREPL) == 0);
	must(chdir("a/er") == 0 && getcwd(cwd, sizeof(cwd)) != NULL);
	must(strncmp(cwd, top, strlen(top)) == 0 && strcmp(cwd + strlen(top), "/a/er") == 0);
	must(chdir("..") == 0 && tap_exists("er") && chdir("..") == 0);
	must(getcwd(cwd, sizeof(cwd)) != NULL && strcmp(cwd, top) == 0);
	must(reads("a/../b/b", "b"));
}

static void device_names(void)
{
	struct stat st;
	int times;

	must(reads("#c/sysname", "gnomon\n"));
	must(stat("#c", &st) == 0 && S_ISDIR(st.st_mode));
	must(listed("#c", "null", &times) > 5 && times == 1);
	must_fail(open("#", O_RDONLY), ENODEV);
	must_fail(open("#Z", O_RDONLY), ENODEV);
	must_fail(open("#Z/x", O_RDONLY), ENODEV);
	must_fail(open("#|", O_RDONLY), ENODEV);
	must_fail(open("#c/none", O_RDONLY), ENOENT);
	must_fail(open("#cspec/null", O_RDONLY), ENOENT);
	must_fail(open("#c/null/x", O_RDONLY), ENOTDIR);
	must_fail(open("#c/new", O_RDWR | O_CREAT, 0644), ENOENT);
	must_fail(open("#c/new", O_RDWR | O_CREAT | O_EXCL, 0644), EPERM);
	must(tap_exists("#//tmp") && tap_exists("#c/../c/null") == tap_exists("#c/c/null"));
}

static void in_a_device(void)
{
	char cwd[PATH_MAX];

	must(chdir("#c") == 0 && reads("sysname", "gnomon\n"));
	must(getcwd(cwd, sizeof(cwd)) != NULL && strcmp(cwd, "#c") == 0);
	must(chdir("..") == 0 && reads("sysname", "gnomon\n"));
	must_fail(unlink("null"), EACCES);
	must(chdir("/") == 0);
}

/* Names of the root by its letter go past what is bound on it: only who is there finds that. */
static void on_a_device(void)
{
	char home[PATH_MAX];

	make_directories();
	must(getcwd(home, sizeof(home)) != NULL);
	must(bind("b", "#c", MAFTER) == 0 && bind("c", "#c", MBEFORE) == 0);
	must(!tap_exists("#c/b") && !tap_exists("#c/c"));
	must(chdir("#c") == 0 && reads("sysname", "gnomon\n"));
	must(reads("b", "b") && reads("c", "c") && reads("both", "from c"));
	must(chdir(home) == 0 && unmount("c", "#c") == 0);
	must_fail(unmount("c", "#c"), EINVAL);
	must(chdir("#c") == 0 && reads("both", "from b") && !tap_exists("c"));
	must(chdir(home) == 0 && unmount(NULL, "#c") == 0);
	must_fail(unmount(NULL, "#c"), EINVAL);
}

static void bind_errors(void)
{
	make_directories();
	must_fail(bind("none", "a", MREPL), ENOENT);
	must_fail(bind("a", "none", MREPL), ENOENT);
	must_fail(bind("a/a", "b", MREPL), ENOTDIR);
	must_fail(bind("b", "a/a", MREPL), ENOTDIR);
	must_fail(bind("a/a", "b/b", MAFTER), ENOTDIR);
	must_fail(bind("a/a", "b/b", MCREATE), ENOTDIR);
	must_fail(bind("a", "b", MBEFORE | MAFTER), EINVAL);
	must_fail(bind("a", "b", 8), EINVAL);
	must_fail(bind("a", "b", -1), EINVAL);
	must_fail(bind("", "b", MREPL), ENOENT);
	must_fail(unmount("none", "a"), ENOENT);
	must_fail(unmount("a", "none"), ENOENT);
	must(reads("a/a", "a") && reads("b/b", "b"));
}

/* A place that something is bound on cannot be removed. */
static void busy(void)
{
	make_directories();
	must(mkdir("d", 0755) == 0 && bind("b", "d", MREPL) == 0);
	must_fail(remove("d"), EBUSY);
	must_fail(rename("d", "e"), EBUSY);
	must(unmount(NULL, "d") == 0 && remove("d") == 0);
}

/* A removed directory stays where it was bound. */
static void bound_and_removed(void)
{
	make_directories();
	must(mkdir("d", 0755) == 0 && bind("d", "a", MAFTER) == 0);
	must(rmdir("d") == 0);
	must(reads("a/a", "a") && !tap_exists("a/d"));
	must(unmount(NULL, "a") == 0);
}

static void many_binds(void)
{
	char name[8];
	int n;

	make_directories();
	for (n = 0; n < 1000; n++) {
		snprintf(name, sizeof(name), "d%d", n);
		must(mkdir(name, 0755) == 0);
		if (bind("b", name, MREPL) < 0)
			break;
		must(tap_exists("d0/b"));
	}
	must(n > 30 && errno == ENOSPC);
	must(unmount(NULL, "d0") == 0 && bind("b", name, MREPL) == 0);
}

/* ---- whose namespace */

static void bind_b(uintptr_t own)
{
	if (own)
		must(rfork(RFNAMEG) == 0);
	must(bind("b", "a", MREPL) == 0 && tap_exists("a/b"));
}

static void copies(void)
{
	make_directories();
	must(tap_status(bind_b, 1) == 0 && !tap_exists("a/b"));
	must(tap_status(bind_b, 0) == 0 && tap_exists("a/b"));
	must(rfork(RFNAMEG) == 0 && tap_exists("a/b"));
	must_fail(rfork(0), EINVAL);
	must_fail(rfork(RFNAMEG | RFCNAMEG), EINVAL);
	must_fail(rfork(8), EINVAL);
}

static void empty_namespace(void)
{
	make_directories();
	must(bind("b", "a", MREPL) == 0);
	must(rfork(RFCNAMEG) == 0);
	must(tap_exists("a/a") && !tap_exists("a/b"));
	must(!tap_exists("/dev/null") && tap_exists("#c/null"));
	must(bind("#c", "/dev", MREPL) == 0 && tap_exists("/dev/null"));
}

static void bind_without_leak(uintptr_t unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++) {
		must(bind("b", "a", MAFTER) == 0 && bind("#c", "a", MBEFORE) == 0);
		must(tap_exists("a/null") && tap_exists("a/b"));
		must(unmount(NULL, "a") == 0);
		must(rfork(RFNAMEG) == 0);
	}
}

static void no_leak(void)
{
	size_t left;

	make_directories();
	must(tap_status(bind_without_leak, 0) == 0);
	left = tap_memory_left();
	must(tap_status(bind_without_leak, 0) == 0);
	must(tap_memory_back(left, 4));
}

static const struct tap_case cases[] = {
	{ "bind replaces", replace },
	{ "bind after", after },
	{ "bind before", before },
	{ "bind of one file", one_file },
	{ "new files go to the member that takes them", creation },
	{ "new files go to the first member that takes them", creation_in_first },
	{ "a union lists each name once", union_listing },
	{ "unmounting one", unmount_one },
	{ "unmounting all", unmount_all },
	{ "a bound place is bound by any path", by_any_way },
	{ ".. leads back the way that was taken", dot_dot },
	{ "names of devices", device_names },
	{ "the current directory in a device", in_a_device },
	{ "binds on a device's root", on_a_device },
	{ "bind's errors", bind_errors },
	{ "a place that is bound on is busy", busy },
	{ "a removed directory stays bound", bound_and_removed },
	{ "as many binds as there is room for", many_binds },
	{ "a namespace of one's own", copies },
	{ "an empty namespace", empty_namespace },
	{ "binds leak no memory", no_leak },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
