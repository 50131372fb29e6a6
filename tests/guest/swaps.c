/*
 * W3: trees that a user changes while the owner removes or copies them: a link that takes the place
 * of a directory, or of a file, leads nowhere.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define MANY 600 /* files that keep a command busy while the user sees what it does */
#define LEVELS 5 /* of names as long as LONG: below them rm moves a directory up */
#define LONG "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"

/* What the owner does, and the user beside her. */
static struct {
	char *const *command;
	const char *where; /* she runs it there */
	void (*act)(void);
	const char *seen; /* swap(): he acts once that is `there', or once it is not */
	bool there;
	const char *place; /* what he puts a link to `own' in the place of */
} now;

static char own[PATH_MAX]; /* a directory that only the owner may enter */

/* Make many files with that text in a directory. */
static void make_files(const char *dir, const char *text)
{
	char name[PATH_MAX];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%s/a%03d", dir, i);
		tap_write(name, text);
	}
}

/* Make x/d, in which one file has a name as one of the owner's has, and comes last. */
static void make_tree(void)
{
	must(mkdir("x", 0777) == 0 && mkdir("x/d", 0777) == 0);
	make_files("x/d", "");
	tap_write("x/d/file", "junk");
}

static void users_tree(void)
{
	umask(0);
	make_tree();
}

static void users_copy(void)
{
	umask(0);
	must(mkdir("copy", 0777) == 0);
	must(mkdir("copy/x", 0777) == 0 && mkdir("copy/x/d", 0777) == 0);
}

static void users_current(void)
{
	umask(0);
	must(mkdir("u", 0777) == 0 && mkdir("u/a", 0777) == 0);
	must(mkdir("u/b", 0777) == 0 && mkdir("u/copy", 0777) == 0);
	make_files("u/a", "");
}

static void users_deep(void)
{
	char at[PATH_MAX];

	umask(0);
	must(getcwd(at, sizeof(at)) != NULL && mkdir("x", 0777) == 0 && chdir("x") == 0);
	for (int i = 0; i < LEVELS; i++) {
		must(mkdir(LONG, 0777) == 0 && chdir(LONG) == 0);
		if (i == LEVELS - 2)
			make_files(".", "");
	}
	tap_write("file", "junk");
	must(chdir(at) == 0);
}

static void users_links(void)
{
	char name[16];

	umask(0);
	must(mkdir("copy", 0777) == 0 && mkdir("copy/x", 0777) == 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "copy/x/a%03d", i);
		must(symlink("../../own/file", name) == 0);
	}
}

/* The owner's, and everybody may write here. */
static void make_own(void)
{
	must(chmod(".", 0777) == 0 && mkdir("own", 0700) == 0 && mkdir("own/b", 0700) == 0);
	must(mkdir("own/copy", 0700) == 0 && realpath("own", own) != NULL);
	tap_write("own/file", "precious");
	tap_write("own/b/file", "precious");
}

static void swap(void)
{
	while (tap_exists(now.seen) != now.there)
		;
	must(symlink(own, "l") == 0 && rename(now.place, "away") == 0);
	must(rename("l", now.place) == 0);
}

/* Put a link where one was removed, until there is a file, or the command has ended. */
static void put_links(void)
{
	struct stat st;
	char name[16];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "copy/x/a%03d", i);
		while (symlink("../../own/file", name) < 0)
			if (tap_exists("done") || (lstat(name, &st) == 0 && S_ISREG(st.st_mode)))
				break;
	}
}

/* The user acts (0) as the owner's command runs (1), whatever that says of it. */
static void take_part(uintptr_t i)
{
	int status;

	if (i == 0) {
		must(setuid(UID_NONE) == 0);
		now.act();
		return;
	}
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		close(STDERR_FILENO);
		must(!now.where || chdir(now.where) == 0);
		execv(now.command[0], now.command);
		_exit(127);
	}
	must(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) < 2);
	tap_write("done", "");
}

/* Do both, and see that what is the owner's is as it was. */
static void together(char *const command[])
{
	now.command = command;
	if (!now.act)
		now.act = swap;
	tap_together(2, take_part);
	must(strcmp(tap_read("own/file"), "precious") == 0);
	must(strcmp(tap_read("own/b/file"), "precious") == 0);
	must(!tap_exists("own/copy/b") && !tap_exists("own/rm.0"));
}

static void rm(void)
{
	make_own();
	tap_as_none(users_tree);
	now.seen = "x/d/a000";
	now.place = "x/d";
	together((char *[]){"/bin/rm", "-r", "x", NULL});
}

static void rm_deep(void)
{
	make_own();
	tap_as_none(users_deep);
	now.seen = "x/" LONG "/" LONG "/" LONG "/" LONG "/a000";
	now.place = "x";
	together((char *[]){"/bin/rm", "-r", "x", NULL});
}

/* A tree whose paths are longer than any that the kernel takes. */
static void too_deep(void)
{
	must(mkdir("deep", 0777) == 0);
	for (int i = 0; i < 2 * PATH_MAX / (int)sizeof(LONG); i++) {
		must(mkdir("b", 0777) == 0 && rename("deep", "b/" LONG) == 0);
		must(rename("b", "deep") == 0);
	}
	tap_program((char *[]){"/bin/rm", "-r", "deep", NULL});
	must(!tap_exists("deep"));
}

static void rm_too_deep(void)
{
	must(chmod(".", 0777) == 0);
	too_deep();
	tap_as_none(too_deep);
}

static void cp_from(void)
{
	make_own();
	tap_as_none(users_tree);
	now.seen = "copy/d/a000";
	now.there = true;
	now.place = "x/d";
	together((char *[]){"/bin/cp", "-r", "x", "copy", NULL});
	must(tap_exists("copy/d/a000"));
	must(!tap_exists("copy/d/file") || strcmp(tap_read("copy/d/file"), "precious") != 0);
}

static void cp_to(void)
{
	make_own();
	make_tree();
	tap_as_none(users_copy);
	now.seen = "copy/x/d/a000";
	now.there = true;
	now.place = "copy/x/d";
	together((char *[]){"/bin/cp", "-r", "x", "copy", NULL});
}

static void cp_two(void)
{
	make_own();
	tap_as_none(users_current);
	now.where = "u";
	now.seen = "u/copy/a/a000";
	now.there = true;
	now.place = "u";
	together((char *[]){"/bin/cp", "-r", "a", "b", "copy", NULL});
}

static void cp_to_files(void)
{
	make_own();
	must(mkdir("x", 0755) == 0);
	make_files("x", "evil");
	tap_as_none(users_links);
	now.act = put_links;
	together((char *[]){"/bin/cp", "-r", "x", "copy", NULL});
}

int main(void)
{
	static const struct tap_case cases[] = {
		{"W3 rm -r removes nothing that a link leads to", rm},
		{"W3 rm -r moves nothing to where a link leads", rm_deep},
		{"B5 rm -r removes a tree whose paths are too long", rm_too_deep},
		{"W3 cp -r copies nothing that a link leads to", cp_from},
		{"W3 cp -r writes nothing where a link leads", cp_to},
		{"W3 cp -r goes on where it began", cp_two},
		{"W3 cp -r writes through no link that comes in between", cp_to_files},
	};

	return tap_run(cases, nelem(cases));
}
