/* The calls that the kernel has as POSIX wants them: each is a line. */
#include "ports/libc/kernelstat.h"
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ports/libc/calls.h"

/* Define function `name' as the kernel's call of n arguments. */
#define CALL(type, name, parameters, n, call, ...)                                                 \
	type name parameters                                                                       \
	{                                                                                          \
		return (type)__sysret(sys##n(SYS_##call, ##__VA_ARGS__));                          \
	}

CALL(int, close, (int fd), 1, close, fd)
CALL(ssize_t, read, (int fd, void *buf, size_t n), 3, read, fd, (int)buf, (int)n)
CALL(ssize_t, write, (int fd, const void *buf, size_t n), 3, write, fd, (int)buf, (int)n)
CALL(int, pipe, (int fd[2]), 1, pipe, (int)fd)
CALL(int, ftruncate, (int fd, off_t size), 5, fset, fd, FSET_SIZE, size, size >> 31, 0)
CALL(int, fchmod, (int fd, mode_t mode), 5, fset, fd, FSET_MODE, (int)mode, 0, 0)
CALL(int, select, (int n, fd_set *rd, fd_set *wr, fd_set *ex, struct timeval *timeout), 5, select,
     n, (int)rd, (int)wr, (int)ex, (int)timeout)

/* Entries of a directory, as newlib's readdir(3) wants them. */
CALL(int, getdents, (int fd, void *buf, int n), 3, getdents, fd, (int)buf, n)
CALL(int, mkdir, (const char *path, mode_t mode), 2, mkdir, (int)path, (int)mode)
CALL(int, chmod, (const char *path, mode_t mode), 2, chmod, (int)path, (int)mode)
CALL(int, unlink, (const char *path), 2, remove, (int)path, S_IFREG)
CALL(int, rmdir, (const char *path), 2, remove, (int)path, S_IFDIR)
CALL(int, link, (const char *path, const char *new), 2, link, (int)path, (int)new)
CALL(int, symlink, (const char *to, const char *path), 2, symlink, (int)to, (int)path)
CALL(ssize_t, readlink, (const char *__restrict path, char *__restrict buf, size_t n), 3, readlink,
     (int)path, (int)buf, (int)n)
CALL(int, rename, (const char *from, const char *to), 2, rename, (int)from, (int)to)
CALL(int, chdir, (const char *path), 1, chdir, (int)path)
CALL(mode_t, umask, (mode_t mask), 1, umask, (int)mask)

CALL(pid_t, vfork, (void), 0, fork)

/* To a group; 0: the caller's. */
CALL(int, killpg, (pid_t group, int sig), 2, kill, -group, sig)

/* What children have used is not counted apart. */
CALL(pid_t, wait3, (int *status, int options, struct rusage *), 3, waitpid, -1, (int)status,
     options)

/* A group is a user's own. */
CALL(uid_t, geteuid, (void), 0, getuid)
CALL(gid_t, getgid, (void), 0, getuid)
CALL(gid_t, getegid, (void), 0, getuid)
