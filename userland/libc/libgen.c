/* The parts of a path name. */
#include <libgen.h>
#include <string.h>

/* Cuts slashes off the end of path[0, n), but leaves one character. */
static size_t without_slashes(const char *path, size_t n)
{
	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

/* What stands behind the last slash; "." for nothing, "/" for only slashes. */
char *basename(char *path)
{
	char *slash;

	if (!path || *path == '\0')
		return ".";
	path[without_slashes(path, strlen(path))] = '\0';
	slash = strrchr(path, '/');
	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* What stands before the last part. */
char *dirname(char *path)
{
	size_t n;

	if (!path)
		return ".";
	n = without_slashes(path, strlen(path));
	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n == 0)
		return ".";
	path[without_slashes(path, n)] = '\0';
	return path;
}
