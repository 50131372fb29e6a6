/*
 * Lets the commands run on the host under its sanitizers. What only our system has is
 * faked: bind and unmount print their arguments, sysctlbyname knows two names, and the
 * paths of our tree, below, lead into $GNOMON_ROOT. What is bound on /proc is there for rename.
 * Linked with --wrap=open,opendir,rename.
 */
#include <sys/bind.h>
#include <sys/sysctl.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __real_open(const char *path, int flags, ...);
DIR *__real_opendir(const char *path);
int __wrap_open(const char *path, int flags, ...);
DIR *__wrap_opendir(const char *path);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

/* Where a path of our system is to be found on the host. */
static const char *host_path(const char *path, char *buf)
{
	static const char *const ours[] = {
		"/man", "/proc", "/bin", "/dev/reboot", "/dev/consctl",
	};
	const char *root = getenv("GNOMON_ROOT");

	for (size_t i = 0; root && i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (strncmp(path, ours[i], strlen(ours[i])) == 0) {
			snprintf(buf, PATH_MAX, "%s%s", root, path);
			return buf;
		}
	}
	return path;
}

int __wrap_open(const char *path, int flags, ...)
{
	char buf[PATH_MAX];
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return __real_open(host_path(path, buf), flags, mode);
}

DIR *__wrap_opendir(const char *path)
{
	char buf[PATH_MAX];

	return __real_opendir(host_path(path, buf));
}

static char bound[PATH_MAX]; /* on /proc */

int __wrap_rename(const char *from, const char *to)
{
	char buf[PATH_MAX + 32];

	if (strncmp(to, "/proc/", 6) != 0)
		return __real_rename(from, to);
	snprintf(buf, sizeof(buf), "%s%s", bound, to + 5);
	return __real_rename(from, buf);
}

int rfork(int flags)
{
	return flags == RFNAMEG ? 0 : -1;
}

int bind(const char *name, const char *old, int flags)
{
	if (strcmp(old, "/proc") == 0)
		return realpath(name, bound) ? 0 : -1;
	if (strcmp(old, "/missing") == 0) {
		errno = ENOENT;
		return -1;
	}
	printf("bind %s %s %d\n", name, old, flags);
	return 0;
}

int unmount(const char *name, const char *old)
{
	if (strcmp(old, "/missing") == 0) {
		errno = ENOENT;
		return -1;
	}
	printf("unmount %s %s\n", name ? name : "all", old);
	return 0;
}

int sysctlbyname(const char *name, void *old, size_t *oldlen, const void *new_, size_t newlen)
{
	static const unsigned char bytes[] = { 1, 2, 0xfe };
	static const int number = -3;
	int is_number = strcmp(name, "test.int") == 0;
	size_t n = is_number ? sizeof(number) : sizeof(bytes);

	(void)new_;
	(void)newlen;
	if (!is_number && strcmp(name, "test.bytes") != 0) {
		errno = ENOENT;
		return -1;
	}
	if (old)
		memcpy(old, is_number ? (const void *)&number : bytes, n);
	*oldlen = n;
	return 0;
}
