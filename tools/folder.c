/* Folders for what comes out of a guest: see folder.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/folder.h"
#include "tools/memory.h"
#include "tools/outfile.h"

/* The last test notices whatever could not be made. */
int folder_make(const char *path, struct complaint *why)
{
	char part[PATH_MAX + 8], *slash;
	struct stat st;

	snprintf(part, sizeof(part), "%s", path);
	for (slash = part + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = 0;
		mkdir(part, 0777);
	}
	mkdir(part, 0777);
	if (stat(part, &st) == 0 && S_ISDIR(st.st_mode) && access(part, W_OK) == 0)
		return 0;
	return complain(why, "%s: no folder that can be written to", path);
}

/* What statfs(2) tells does not include quotas, so a file is written, which has lost its name. */
int folder_room(const char *path, struct complaint *why)
{
	static const char zero[8192];
	char nonce[OUTFILE_NONCE + 1], *probe;
	int fd, error;
	size_t done = 0;
	ssize_t n;

	outfile_nonce(nonce);
	probe = memory_format("%s/%s.part", path, nonce);
	fd = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	error = fd < 0 ? errno : 0;
	if (fd >= 0)
		unlink(probe);
	while (!error && done < sizeof(zero)) {
		n = write(fd, zero, sizeof(zero) - done);
		error = n < 0 ? errno : 0;
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0 && close(fd) < 0 && !error)
		error = errno;
	free(probe);
	return error ? complain(why, "cannot write in %s: %s", path, strerror(error)) : 0;
}
