/*
 * Which files are served, and with which modes: B14. The table of docs/security.md is the one that
 * is compared with what the devices serve.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define PAPER "/tests/security.md"

static char paper[24576];
static unsigned rows; /* of the paper's table that some file is like */

/* Return whether the path is like the pattern, whose stars stand for any characters but '/'. */
static bool is_like(const char *path, const char *pattern, size_t n)
{
	if (n == 0)
		return *path == '\0';
	if (*pattern != '*')
		return *path == *pattern && is_like(path + 1, pattern + 1, n - 1);
	return is_like(path, pattern + 1, n - 1) ||
	       (*path != '\0' && *path != '/' && is_like(path + 1, pattern, n));
}

/* Write the permission bits as ls(1) does. */
static void show_mode(uint32_t mode, char s[10])
{
	for (int i = 0; i < 9; i++)
		s[i] = mode & 0400u >> i ? "rwx"[i % 3] : '-';
	s[9] = '\0';
}

/*
 * Look for the file in the paper, whose rows are | `PATH` | `MODE` | words |. If its mode is
 * another, or it is in no row, say so and return false.
 */
static bool is_listed(const char *path, uint32_t mode)
{
	char shown[10];

	show_mode(mode, shown);
	for (char *row = paper; (row = strstr(row, "\n| `#")) != NULL; row++) {
		char *pattern = row + 4, *end = strchr(pattern, '`');

		if (!is_like(path, pattern, (size_t)(end - pattern)))
			continue;
		if (strncmp(end, "` | `", 5) == 0 && strncmp(end + 5, shown, 9) == 0) {
			rows += end[15] == ' ';
			end[15] = '+'; /* so that the row counts once */
			return true;
		}
		break;
	}
	dprintf(1, "# %s: its mode is %s, which is not what the paper says\n", path, shown);
	return false;
}

/* Files of the root are the owner's to give away: one that anybody may write has to be listed. */
static bool is_right(const char *path, const struct stat *st)
{
	if (path[1] == '/' && (st->st_uid != UID_EVE || !(st->st_mode & 0002)))
		return true;
	return is_listed(path, st->st_mode);
}

/* Compare the file, and all below it that a user can list. What goes away meanwhile is fine. */
static bool tree_is_right(const char *path)
{
	struct dirent *entry;
	struct stat st;
	char name[PATH_MAX];

	if (stat(path, &st) != 0)
		return errno == ENOENT;
	bool ok = is_right(path, &st);
	DIR *dir = S_ISDIR(st.st_mode) ? opendir(path) : NULL;
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		snprintf(name, sizeof(name), "%s%s%s", path, strcmp(path, "#/") == 0 ? "" : "/",
			 entry->d_name);
		ok &= tree_is_right(name);
	}
	if (dir != NULL)
		closedir(dir);
	return ok;
}

/* Each letter that stands for a device has rows; X is the device of the tests' kernel. */
static void none_looks(void)
{
	char root[] = "#?";
	bool ok = true;

	must(rfork(RFCNAMEG) == 0); /* without what is mounted on the root */
	for (char c = '!'; c <= '~'; c++) {
		root[1] = c;
		if (c != 'X' && tap_exists(root))
			ok &= tree_is_right(root);
	}
	must(ok);
	must(!tap_exists("#9host") && errno != ENOENT);
	/* A machine may lack a sound card, a second processor, and modules; not the rest. */
	must(rows >= 40);
}

static void modes(void)
{
	int fd = open(PAPER, O_RDONLY);

	must(fd >= 0);
	ssize_t n = read(fd, paper, sizeof(paper) - 1);
	must(n > 0 && n < (ssize_t)sizeof(paper) - 1);
	tap_as_none(none_looks);
}

static const struct tap_case cases[] = {
	{ "B14: the modes of files are those of the paper", modes },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
