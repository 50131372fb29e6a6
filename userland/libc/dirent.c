/* Reading directories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

struct dirstream {
	int fd;
	unsigned at, end;  /* bytes in buf: the next entry, and what was read */
	uint64_t buf[512]; /* entries are multiples of 8 bytes long */
};

DIR *opendir(const char *path)
{
	DIR *dir = malloc(sizeof(*dir));

	if (!dir)
		return NULL;
	dir->at = dir->end = 0;
	dir->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir->fd < 0) {
		free(dir);
		return NULL;
	}
	return dir;
}

/* The entry is valid until the next call. */
struct dirent *readdir(DIR *dir)
{
	struct dirent *entry;
	int n;

	if (dir->at == dir->end) {
		n = __sysret(sys3(SYS_getdents, dir->fd, (int)dir->buf, sizeof(dir->buf)));
		if (n <= 0)
			return NULL;
		dir->at = 0;
		dir->end = n;
	}
	entry = (struct dirent *)((char *)dir->buf + dir->at);
	dir->at += entry->d_reclen;
	return entry;
}

/* Starts again, with what is there now. */
void rewinddir(DIR *dir)
{
	lseek(dir->fd, 0, SEEK_SET);
	dir->at = dir->end = 0;
}

/* The descriptor, for fstat() and the like. */
int dirfd(DIR *dir)
{
	return dir->fd;
}

/* Frees dir whatever close() says. */
int closedir(DIR *dir)
{
	int fd = dir->fd;

	free(dir);
	return close(fd);
}
