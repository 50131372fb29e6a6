/* The parts of a path. */
#include <libgen.h>
#include <string.h>

/*
 * Return the length of path[0, n) without the slashes at its end, but at least one
 * character.
 */
static size_t without_slashes(const char *path, size_t n)
{
	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

/*
 * Return what follows the last slash: "." for nothing, "/" for only slashes. path may be
 * changed.
 */
char *basename(char *path)
{
	char *slash;

	if (!path || *path == '\0')
		return ".";
	path[without_slashes(path, strlen(path))] = '\0';
	slash = strrchr(path, '/');
	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* Return what precedes the last part, without its slashes, or ".". path may be changed. */
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
