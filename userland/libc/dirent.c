/* Reading directories. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* An open directory. Its entries are read many at a time. */
struct dirstream {
	int fd;
	unsigned at, end;  /* bytes in buf: the next entry, and what was read */
	uint64_t buf[512]; /* entries are multiples of 8 bytes long */
};

/* Open a directory. NULL with ENOMEM, or with what open() sets. */
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

/* Return the next entry, valid until the next call, or NULL at the end, or with errno. */
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

/* Start again, with the entries that are there now. */
void rewinddir(DIR *dir)
{
	lseek(dir->fd, 0, SEEK_SET);
	dir->at = dir->end = 0;
}

/* Return the descriptor, for fstat() and the like. */
int dirfd(DIR *dir)
{
	return dir->fd;
}

/* Close and free the directory, even if close() fails. */
int closedir(DIR *dir)
{
	int fd = dir->fd;

	free(dir);
	return close(fd);
}
