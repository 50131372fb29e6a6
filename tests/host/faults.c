/*
 * A library to preload, by which output fails, or a signal comes, at a place that a test chooses.
 *
 * FAULT="CALL N WHAT": at the program's Nth CALL: open (of a file to write), write, close (of such
 * a file), rename, recv or poll. WHAT is ENOSPC, with which it fails, or TERM, INT or HUP, which
 * come just before it.
 * FAULT_MET=FILE: is made when that happens.
 * FULL=FOLDER: while FOLDER.full is there, nothing can be written to files in FOLDER.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NFD 64

static bool output[NFD]; /* descriptors of files that were made to be written */
static int calls;	 /* of the kind that FAULT names */

/* Have signals act that a shell has its commands in the background ignore, tests among them. */
static void __attribute__((constructor)) heed(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

/* Note that a call is made. Return whether it is to fail, and set errno if so. */
static bool strikes(const char *call)
{
	const char *fault = getenv("FAULT"), *met = getenv("FAULT_MET");
	char name[16], what[16];
	int n;

	if (!fault || sscanf(fault, "%15s %d %15s", name, &n, what) != 3 ||
	    strcmp(name, call) != 0 || ++calls != n)
		return false;
	if (met)
		syscall(SYS_close, syscall(SYS_open, met, O_WRONLY | O_CREAT, 0666));
	if (strcmp(what, "ENOSPC") != 0) {
		kill(getpid(), *what == 'I' ? SIGINT : *what == 'H' ? SIGHUP : SIGTERM);
		return false;
	}
	errno = ENOSPC;
	return true;
}

/* Whether a descriptor is of a file in the folder that is full now; errno is set if so. */
static bool full(int fd)
{
	const char *folder = getenv("FULL");
	char link[64], path[PATH_MAX], flag[PATH_MAX];
	ssize_t n;

	if (!folder)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	snprintf(flag, sizeof(flag), "%s.full", folder);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = 0;
	if (strncmp(path, folder, strlen(folder)) != 0 || path[strlen(folder)] != '/' ||
	    access(flag, F_OK) < 0)
		return false;
	errno = ENOSPC;
	return true;
}

int open(const char *path, int flags, ...)
{
	bool create = flags & O_CREAT, writes = create && (flags & O_ACCMODE) != O_RDONLY;
	mode_t mode = 0;
	va_list ap;
	int fd;

	if (create) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	if (writes && strikes("open"))
		return -1;
	fd = (int)syscall(SYS_open, path, flags, mode);
	if (fd >= 0 && fd < NFD)
		output[fd] = writes;
	return fd;
}

ssize_t write(int fd, const void *p, size_t n)
{
	if ((fd != STDERR_FILENO && strikes("write")) || full(fd))
		return -1;
	return syscall(SYS_write, fd, p, n);
}

/* The descriptor is closed whether or not this fails, as Linux has it. */
int close(int fd)
{
	bool fails = fd >= 0 && fd < NFD && output[fd] && strikes("close");
	int bad;

	if (fd >= 0 && fd < NFD)
		output[fd] = false;
	bad = (int)syscall(SYS_close, fd);
	if (fails)
		errno = ENOSPC;
	return fails ? -1 : bad;
}

int rename(const char *from, const char *to)
{
	return strikes("rename") ? -1 : (int)syscall(SYS_rename, from, to);
}

ssize_t recv(int fd, void *p, size_t n, int flags)
{
	return strikes("recv") ? -1 : syscall(SYS_recvfrom, fd, p, n, flags, NULL, NULL);
}

int poll(struct pollfd *p, nfds_t n, int ms)
{
	return strikes("poll") ? -1 : (int)syscall(SYS_poll, p, n, ms);
}
