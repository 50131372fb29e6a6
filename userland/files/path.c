/* Paths, and the names in a directory. */
#include "userland/files/path.h"

#include <sys/stat.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"

char *path_join(const char *dir, const char *name)
{
	size_t n = strlen(dir), m = strlen(name);
	char *path = memory(malloc(n + m + 2));

	memcpy(path, dir, n);
	if (n > 0 && dir[n - 1] != '/')
		path[n++] = '/';
	memcpy(path + n, name, m + 1);
	return path;
}

char *path_base(const char *path)
{
	size_t end = strlen(path), start;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/'; start--)
		;
	if (start == end && end > 0)
		start--;
	return memory(strndup(path + start, end - start));
}

/* For qsort. */
static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Append a copy of a name to n others. The list doubles at each power of two. */
static char **append(char **names, size_t n, const char *name)
{
	if ((n & (n - 1)) == 0)
		names = memory(realloc(names, (n ? n * 2 : 2) * sizeof(*names)));
	names[n] = memory(strdup(name));
	return names;
}

char **path_names(const char *dir, size_t *count)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char **names = NULL;
	size_t n = 0, kept = 0;
	int error;

	if (!d)
		return NULL;
	names = memory(calloc(1, sizeof(*names)));
	while (errno = 0, (e = readdir(d))) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
			names = append(names, n, e->d_name);
			n++;
		}
	}
	error = errno;
	closedir(d);
	if (error) {
		names = append(names, n, "");
		names[n + 1] = NULL;
		path_names_free(names);
		errno = error;
		return NULL;
	}
	qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && strcmp(names[i], names[kept - 1]) == 0)
			free(names[i]);
		else
			names[kept++] = names[i];
	}
	names = memory(realloc(names, (kept + 1) * sizeof(*names)));
	names[kept] = NULL;
	if (count)
		*count = kept;
	return names;
}

void path_names_free(char **names)
{
	for (char **p = names; *p; p++)
		free(*p);
	free(names);
}

bool path_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

void path_must_be(const struct stat *now, const struct stat *seen, const char *shown)
{
	if (!path_same(now, seen))
		errx(1, "%s: another has taken its place", shown);
}

/* Where the program was before it entered a directory; "": it has entered none. */
static char home[PATH_MAX];
static struct stat home_seen;

bool path_enter(const char *dir, const struct stat *seen, const char *shown)
{
	struct stat now;

	if (!*home && (!getcwd(home, sizeof(home)) || stat(".", &home_seen) < 0))
		return false;
	if (chdir(dir) < 0)
		return false;
	if (stat(".", &now) < 0)
		err(1, "%s", shown);
	path_must_be(&now, seen, shown);
	return true;
}

void path_back_for(const char *path)
{
	if (!*home || *path == '/' || *path == '#')
		return;
	if (!path_enter(home, &home_seen, home))
		err(1, "%s: the directory %s", path, home);
}

int path_each_into(char **from, int n, char *to, int (*f)(char *from, char *to))
{
	struct stat st;
	int failed = 0;

	if (stat(to, &st) < 0 || !S_ISDIR(st.st_mode)) {
		if (n > 1)
			errx(1, "%s: not a directory", to);
		return f(*from, to);
	}
	for (; n > 0; from++, n--) {
		char *base = path_base(*from), *path = path_join(to, base);

		failed |= f(*from, path);
		free(path);
		free(base);
	}
	return failed;
}
