/*
 * W3: trees that a user changes while the owner removes or copies them: a link that takes the place
 * of a directory leads nowhere.
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

/* What happens: the command, when the user acts, and what he puts a link in the place of. */
static struct {
	char *const *command;
	const char *seen;
	bool there; /* he acts once `seen' is there; else once it is gone */
	const char *place;
} now;

/* Make dir/d with many files, of which the last has a name as one of the owner's has. */
static void make_tree(const char *dir)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/d", dir);
	must(mkdir(dir, 0777) == 0 && mkdir(name, 0777) == 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%s/d/a%03d", dir, i);
		must(close(open(name, O_WRONLY | O_CREAT, 0666)) == 0);
	}
	snprintf(name, sizeof(name), "%s/d/file", dir);
	tap_write(name, "junk");
}

static void users_tree(void)
{
	umask(0);
	make_tree("x");
}

static void users_place(void)
{
	umask(0);
	must(mkdir("copy", 0777) == 0);
	must(mkdir("copy/x", 0777) == 0 && mkdir("copy/x/d", 0777) == 0);
}

/* What only the owner may enter; and everybody may write here. */
static void own_file(void)
{
	must(chmod(".", 0777) == 0 && mkdir("own", 0700) == 0);
	tap_write("own/file", "precious");
}

/* The user acts (0) as the owner's command runs (1), whatever that says of it. */
static void take_part(uintptr_t i)
{
	char own[PATH_MAX];
	int status;

	if (i == 0) {
		must(getcwd(own, sizeof(own)) != NULL && setuid(UID_NONE) == 0);
		strlcat(own, "/own", sizeof(own));
		while (tap_exists(now.seen) != now.there)
			;
		must(rename(now.place, "away") == 0 && symlink(own, "l") == 0);
		must(rename("l", now.place) == 0);
		return;
	}
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		close(STDERR_FILENO);
		execv(now.command[0], now.command);
		_exit(127);
	}
	must(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) < 2);
}

static void rm(void)
{
	char *const command[] = {"/bin/rm", "-r", "x", NULL};

	own_file();
	tap_as_none(users_tree);
	now.command = command;
	now.seen = "x/d/a000";
	now.there = false;
	now.place = "x/d";
	tap_together(2, take_part);
	must(strcmp(tap_read("own/file"), "precious") == 0);
}

static void cp_from(void)
{
	char *const command[] = {"/bin/cp", "-r", "x", "copy", NULL};

	own_file();
	tap_as_none(users_tree);
	now.command = command;
	now.seen = "copy/d/a000";
	now.there = true;
	now.place = "x/d";
	tap_together(2, take_part);
	must(tap_exists("copy/d/a000"));
	must(!tap_exists("copy/d/file") || strcmp(tap_read("copy/d/file"), "precious") != 0);
}

static void cp_to(void)
{
	char *const command[] = {"/bin/cp", "-r", "x", "copy", NULL};

	own_file();
	make_tree("x");
	tap_as_none(users_place);
	now.command = command;
	now.seen = "copy/x/d/a000";
	now.there = true;
	now.place = "copy/x/d";
	tap_together(2, take_part);
	must(strcmp(tap_read("own/file"), "precious") == 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{"W3 rm -r removes nothing that a link leads to", rm},
		{"W3 cp -r copies nothing that a link leads to", cp_from},
		{"W3 cp -r writes nothing where a link leads", cp_to},
	};

	return tap_run(cases, nelem(cases));
}
