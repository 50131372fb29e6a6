/* Running another program in this process. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Runs the program at path with this environment; returns only on failure. */
int execv(const char *path, char *const *argv)
{
	return execve(path, argv, environ);
}

/* Runs dir/name, where dir is n characters long; returns only when that failed. */
static void exec_in(const char *dir, size_t n, const char *name, char *const *argv)
{
	char path[PATH_MAX];
	size_t len = strlen(name);

	if (n >= sizeof(path) || len >= sizeof(path) - n - 1) {
		errno = ENAMETOOLONG;
		return;
	}
	memcpy(path, dir, n);
	path[n] = '/';
	memcpy(path + n + 1, name, len + 1);
	execv(n == 0 ? name : path, argv);
}

/*
 * As execv, but a name without a slash is looked for in the folders of $PATH, or
 * in /bin. A file that is there and cannot be run is told of (EACCES) before one
 * that is not there.
 */
int execvp(const char *name, char *const *argv)
{
	const char *dir = getenv("PATH");
	bool denied = false;

	if (*name == '\0')
		return __sysret(-ENOENT);
	if (strchr(name, '/'))
		return execv(name, argv);
	if (!dir)
		dir = "/bin";
	for (;;) {
		size_t n = strcspn(dir, ":");

		exec_in(dir, n, name, argv);
		if (errno == EACCES)
			denied = true;
		else if (errno != ENOENT && errno != ENOTDIR)
			return -1;
		if (dir[n] == '\0')
			break;
		dir += n + 1;
	}
	return __sysret(denied ? -EACCES : -ENOENT);
}

#define ARG_MAX_LIST 64 /* words of execl and execlp, NULL included */

/* The words up to NULL as an array; -1 when there are too many (E2BIG). */
static int gather(const char **argv, const char *arg0, va_list ap)
{
	unsigned n = 0;

	argv[n] = arg0;
	while (argv[n]) {
		if (++n == ARG_MAX_LIST)
			return __sysret(-E2BIG);
		argv[n] = va_arg(ap, const char *);
	}
	return 0;
}

/* As execv, with the words as arguments, NULL behind the last. */
int execl(const char *path, const char *arg0, ...)
{
	const char *argv[ARG_MAX_LIST];
	va_list ap;
	int r;

	va_start(ap, arg0);
	r = gather(argv, arg0, ap);
	va_end(ap);
	return r < 0 ? r : execv(path, (char *const *)argv);
}

/* As execvp, with the words as arguments, NULL behind the last. */
int execlp(const char *name, const char *arg0, ...)
{
	const char *argv[ARG_MAX_LIST];
	va_list ap;
	int r;

	va_start(ap, arg0);
	r = gather(argv, arg0, ap);
	va_end(ap);
	return r < 0 ? r : execvp(name, (char *const *)argv);
}
