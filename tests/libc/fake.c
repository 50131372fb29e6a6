/* The kernel that the library's hosted tests run on; compiled with the library's headers. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/libc/fake.h"

#define ARENA (8u << 20)

struct fake_file fake_file[FAKE_FILES];
size_t fake_break_limit = ARENA;
size_t fake_break_gap;
void (*fake_exit)(int status);
char fake_exec[256];
int fake_exec_errno = ENOENT;

uint32_t fake_memprof_asked;
struct fake_block fake_memprof[16];
size_t fake_memprof_told;

/* userland/libc/memprof.c */
extern const volatile uint32_t *const __memprof_asked;
const volatile uint32_t *const __memprof_asked = &fake_memprof_asked;
void __memprof_tell(void *old, void *new, size_t n, const void *caller);

static char arena[ARENA] __attribute__((aligned(4096)));
static size_t used;

void fake_reset(void)
{
	memset(fake_file, 0, sizeof(fake_file));
	fake_make(0, "in", "");
	fake_make(1, "out", "");
	fake_make(2, "err", "");
	fake_exec[0] = '\0';
	fake_exec_errno = ENOENT;
}

struct fake_file *fake_make(int fd, const char *path, const char *data)
{
	struct fake_file *f = &fake_file[fd];

	memset(f, 0, sizeof(*f));
	f->path = path;
	f->len = strlcpy(f->data, data, sizeof(f->data));
	f->flags = O_RDWR;
	return f;
}

static int fail(int why)
{
	errno = why;
	return -1;
}

static struct fake_file *find(const char *path)
{
	struct fake_file *f;

	for (f = fake_file; f < fake_file + FAKE_FILES; f++) {
		if (f->path && strcmp(f->path, path) == 0)
			return f;
	}
	return NULL;
}

/* Return the open file of a descriptor, or NULL with EBADF. */
static struct fake_file *of(int fd)
{
	if (fd >= 0 && fd < FAKE_FILES && fake_file[fd].path && fake_file[fd].flags >= 0)
		return &fake_file[fd];
	errno = EBADF;
	return NULL;
}

int open(const char *path, int flags, ...)
{
	struct fake_file *f = find(path);

	if (!f && !(flags & O_CREAT))
		return fail(ENOENT);
	if (!f) {
		for (f = fake_file; f->path; f++)
			continue;
		fake_make((int)(f - fake_file), path, "");
	}
	if (f->denied && (flags & O_ACCMODE) != O_RDONLY)
		return fail(EACCES);
	if (flags & O_TRUNC)
		f->len = 0;
	f->at = 0;
	f->flags = flags;
	return (int)(f - fake_file);
}

int close(int fd)
{
	struct fake_file *f = of(fd);

	if (!f)
		return -1;
	f->flags = -1;
	return 0;
}

static size_t at_most(const struct fake_file *f, size_t n)
{
	return f->most != 0 && n > f->most ? f->most : n;
}

ssize_t read(int fd, void *buf, size_t n)
{
	struct fake_file *f = of(fd);

	if (!f)
		return -1;
	f->reads++;
	if (f->fail != 0)
		return fail(f->fail);
	n = at_most(f, n);
	if (f->at >= f->len)
		return 0;
	if (n > f->len - f->at)
		n = f->len - f->at;
	memcpy(buf, f->data + f->at, n);
	f->at += n;
	return (ssize_t)n;
}

ssize_t write(int fd, const void *buf, size_t n)
{
	struct fake_file *f = of(fd);

	if (!f)
		return -1;
	f->writes++;
	if (f->fail != 0)
		return fail(f->fail);
	n = at_most(f, n);
	if (f->flags & O_APPEND)
		f->at = f->len;
	if (f->at + n > sizeof(f->data))
		return fail(ENOSPC);
	memcpy(f->data + f->at, buf, n);
	f->at += n;
	if (f->at > f->len)
		f->len = f->at;
	return (ssize_t)n;
}

off_t lseek(int fd, off_t offset, int whence)
{
	struct fake_file *f = of(fd);
	off_t from;

	if (!f)
		return -1;
	if (f->pipe)
		return fail(ESPIPE);
	from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off_t)f->at : (off_t)f->len;
	if (from + offset < 0)
		return fail(EINVAL);
	f->at = (size_t)(from + offset);
	return from + offset;
}

int stat(const char *path, struct stat *st)
{
	struct fake_file *f = find(path);

	if (!f)
		return fail(ENOENT);
	memset(st, 0, sizeof(*st));
	st->st_mode = f->dir ? S_IFDIR | 0755 : S_IFREG | 0644;
	st->st_size = f->len;
	return 0;
}

int isatty(int fd)
{
	struct fake_file *f = of(fd);

	return f && f->tty;
}

int dup2(int fd, int newfd)
{
	struct fake_file *f = of(fd);

	if (!f)
		return -1;
	fake_file[newfd] = *f;
	return newfd;
}

void *sbrk(intptr_t increment)
{
	char *p;

	used += fake_break_gap;
	fake_break_gap = 0;
	p = arena + used;
	if (increment < 0 ? used < (size_t)-increment : (size_t)increment > fake_break_limit ||
	    used > fake_break_limit - (size_t)increment) {
		errno = ENOMEM;
		return (void *)-1;
	}
	used += (size_t)increment;
	return p;
}

void __memprof_tell(void *old, void *new, size_t n, const void *caller)
{
	if (fake_memprof_told < sizeof(fake_memprof) / sizeof(fake_memprof[0]))
		fake_memprof[fake_memprof_told] = (struct fake_block){old, new, caller, n};
	fake_memprof_told++;
}

size_t fake_break_used(void)
{
	return used;
}

int execve(const char *path, char *const *argv, char *const *envp)
{
	strlcat(fake_exec, path, sizeof(fake_exec));
	strlcat(fake_exec, "\n", sizeof(fake_exec));
	return fail(fake_exec_errno);
}

void _exit(int status)
{
	fake_exit(status);
	__builtin_trap();
}

void abort(void)
{
	fake_exit(-1);
	__builtin_trap();
}
