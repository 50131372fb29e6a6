/* Running another program in this process. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Run the program at path with this environment. Return only on failure. */
int execv(const char *path, char *const *argv)
{
	return execve(path, argv, environ);
}

/*
 * Run dir/name, where dir is n characters long; none means the current directory. Return
 * only on failure.
 */
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
 * As execv(), but look for a name without a slash in the directories of $PATH, or in /bin.
 * If there is only a file that may not be run, the error is EACCES rather than ENOENT.
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

/* How many words execl() and execlp() take, with the NULL. */
#define ARG_MAX_LIST 64

/* Put the words up to NULL into an array. Return -1 with E2BIG if there are too many. */
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

/* As execv(), with the words as arguments, ended with NULL. */
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

/* As execvp(), with the words as arguments, ended with NULL. */
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
