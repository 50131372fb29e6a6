/* The environment: an array of NAME=VALUE strings, which the kernel passes on at exec. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **array; /* environ, once this file has made it longer */
static size_t room;  /* elements of array */
static char **owned; /* strings that setenv made and may free */
static size_t nowned;

/*
 * Return the index in environ of the variable whose name is n characters long, or of the
 * NULL.
 */
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

/* Return the length of a possible name, or 0 with EINVAL. */
static size_t name_length(const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (n > 0 && !strchr(name, '='))
		return n;
	errno = EINVAL;
	return 0;
}

/* Return the value of a variable, or NULL. It is valid until the variable changes. */
char *getenv(const char *name)
{
	size_t n = strlen(name), i;

	if (n == 0 || !environ)
		return NULL;
	i = find(name, n);
	return environ[i] ? environ[i] + n + 1 : NULL;
}

/* Make environ an array of ours with room for one more after element n. */
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

/* Free a string if setenv() made it. Others are not ours to free. */
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

/* Put a string, whose name is n characters long, in the place of the variable's old one. */
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

/* Set a variable to a copy of value, unless it exists and overwrite is 0. EINVAL, ENOMEM. */
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

/* Remove every variable of that name. EINVAL. */
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

/* Make the string itself part of the environment. Without a = in it, remove that variable. */
int putenv(char *assignment)
{
	char *eq = strchr(assignment, '=');

	return eq ? put(assignment, eq - assignment) : unsetenv(assignment);
}
