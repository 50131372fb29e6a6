/* mv: renames files and directories, or copies and removes them where that is not possible. */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "userland/command/run.h"
#include "userland/command/usage.h"
#include "userland/files/path.h"

static const char synopsis[] =
	"mv from to\n"
	"       mv from ... directory";

/* Make a symbolic link once more, and remove it. */
static int move_link(const char *from, const char *to)
{
	char target[PATH_MAX] = "";

	if (readlink(from, target, sizeof(target) - 1) >= 0 && symlink(target, to) == 0 &&
	    unlink(from) == 0)
		return 0;
	warn("%s to %s", from, to);
	return 1;
}

/*
 * Copy and remove: from one device to another nothing can be renamed. What could not be copied
 * whole is not removed.
 */
static int move_data(char *from, char *to)
{
	/* After -- a name may begin with a minus sign. */
	char *copy[] = { "cp", "-r", "--", from, to, NULL };
	char *drop[] = { "rm", "-r", "--", from, NULL };
	struct stat st;

	if (lstat(from, &st) == 0 && S_ISLNK(st.st_mode))
		return move_link(from, to);
	return run_wait(copy) || run_wait(drop);
}

/* Move one operand. The message names it alone if it is not there. Return an exit status. */
static int move(char *from, char *to)
{
	if (rename(from, to) == 0)
		return 0;
	/* The two are on different devices. */
	if (errno == EXDEV)
		return move_data(from, to);
	if (access(from, F_OK) < 0)
		warn("%s", from);
	else
		warn("%s to %s", from, to);
	return 1;
}

int main(int argc, char **argv)
{
	no_options(argc, argv, synopsis);
	if (argc - optind < 2)
		usage('?', synopsis);
	return path_each_into(argv + optind, argc - optind - 1, argv[argc - 1], move);
}
