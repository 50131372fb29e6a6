/* Processes, as far as our own library has them not, and what newlib wants of malloc(3). */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ports/libc/calls.h"

char **__argv;

pid_t vfork(void)
{
	return fork();
}

/* A group is a user's own. */
uid_t geteuid(void)
{
	return getuid();
}

gid_t getgid(void)
{
	return (gid_t)getuid();
}

gid_t getegid(void)
{
	return (gid_t)getuid();
}

/* Move the break by n bytes, and return where it was. */
void *sbrk(ptrdiff_t n)
{
	static char *end;

	if (!end)
		end = (char *)sys1(SYS_brk, 0);
	if (n != 0 && (char *)sys1(SYS_brk, (int)(end + n)) != end + n) {
		errno = ENOMEM;
		return (void *)-1;
	}
	end += n;
	return end - n;
}

long sysconf(int name)
{
	switch (name) {
	case _SC_PAGESIZE:
		return 4096;
	case _SC_CLK_TCK:
		return 100;
	case _SC_OPEN_MAX:
		return 64;
	}
	return __sysret(-EINVAL);
}

/* The allocator is that of our own library, which mprof(1) knows. newlib asks by these names. */
void *_malloc_r(struct _reent *r, size_t n)
{
	(void)r;
	return __realloc(NULL, n, CALLER);
}

void *_realloc_r(struct _reent *r, void *p, size_t n)
{
	(void)r;
	return __realloc(p, n, CALLER);
}

void *_calloc_r(struct _reent *r, size_t n, size_t size)
{
	(void)r;
	return calloc(n, size);
}

void _free_r(struct _reent *r, void *p)
{
	(void)r;
	free(p);
}

/* What files can have at most is the same of all. */
long pathconf(const char *path, int name)
{
	(void)path;
	return name == _PC_PATH_MAX ? PATH_MAX : __sysret(-EINVAL);
}

/* Send a signal to a group; 0: the caller's. */
int killpg(pid_t group, int signal)
{
	return kill(-group, signal);
}

/* What children have used is not counted apart. */
pid_t wait3(int *status, int options, struct rusage *usage)
{
	(void)usage;
	return waitpid(-1, status, options);
}
