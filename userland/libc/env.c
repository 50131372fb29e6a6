/* The environment: an array of NAME=VALUE, which the kernel passes on at exec. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **array; /* environ, once this file has made it longer */
static size_t room;  /* elements of array */
static char **owned; /* strings that setenv made and may free */
static size_t nowned;

/* The index in environ of the variable whose name is n characters long, or of its end. */
static size_t find(const char *name, size_t n)
{
	size_t i = 0;

	if (!environ)
		return 0;
	for (; environ[i]; i++) {
		if (strncmp(environ[i], name, n) == 0 && environ[i][n] == '=')
			break;
	}
	return i;
}

/* The length of a usable name, or 0 and EINVAL. */
static size_t name_length(const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (n > 0 && !strchr(name, '='))
		return n;
	errno = EINVAL;
	return 0;
}

/* The value of a variable, or NULL; it stays valid until the variable changes. */
char *getenv(const char *name)
{
	size_t n = strlen(name), i;

	if (n == 0 || !environ)
		return NULL;
	i = find(name, n);
	return environ[i] ? environ[i] + n + 1 : NULL;
}

/* Makes environ an array of ours with room for one more behind element n. */
static bool make_room(size_t n)
{
	char **bigger;

	if (environ == array && n + 2 <= room)
		return true;
	bigger = reallocarray(environ == array ? array : NULL, 2 * (n + 2), sizeof(char *));
	if (!bigger)
		return false;
	if (!environ || n == 0)
		bigger[0] = NULL;
	else if (environ != array)
		memcpy(bigger, environ, (n + 1) * sizeof(char *));
	environ = array = bigger;
	room = 2 * (n + 2);
	return true;
}

/* Frees an assignment that setenv had made; others belong to somebody else. */
static void disown(char *assignment)
{
	size_t i;

	for (i = 0; i < nowned; i++) {
		if (owned[i] == assignment) {
			free(assignment);
			owned[i] = owned[--nowned];
			return;
		}
	}
}

/* Puts the assignment, whose name is n characters long, in the place of the old one. */
static int put(char *assignment, size_t n)
{
	size_t i = find(assignment, n);

	if (environ && environ[i]) {
		if (environ[i] != assignment)
			disown(environ[i]);
		environ[i] = assignment;
		return 0;
	}
	if (!make_room(i))
		return -1;
	environ[i] = assignment;
	environ[i + 1] = NULL;
	return 0;
}

/* Sets a variable to a copy of value, unless it is there and overwrite is 0. EINVAL, ENOMEM. */
int setenv(const char *name, const char *value, int overwrite)
{
	size_t n = name_length(name), len = strlen(value);
	char *assignment, **more;

	if (n == 0)
		return -1;
	if (!overwrite && getenv(name))
		return 0;
	assignment = malloc(n + len + 2);
	more = reallocarray(owned, nowned + 1, sizeof(char *));
	if (more)
		owned = more;
	if (assignment) {
		memcpy(assignment, name, n);
		assignment[n] = '=';
		memcpy(assignment + n + 1, value, len + 1);
	}
	if (!assignment || !more || put(assignment, n) < 0) {
		free(assignment);
		return -1;
	}
	owned[nowned++] = assignment;
	return 0;
}

/* Removes every variable of that name. EINVAL. */
int unsetenv(const char *name)
{
	size_t n = name_length(name), i;

	if (n == 0)
		return -1;
	if (!environ)
		return 0;
	while (environ[i = find(name, n)]) {
		disown(environ[i]);
		do
			environ[i] = environ[i + 1];
		while (environ[i++]);
	}
	return 0;
}

/* The string itself becomes part of the environment; without = the variable goes. */
int putenv(char *assignment)
{
	char *eq = strchr(assignment, '=');

	return eq ? put(assignment, eq - assignment) : unsetenv(assignment);
}
