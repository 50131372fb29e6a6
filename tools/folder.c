/* Folders for what comes out of a guest: see folder.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/folder.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/outfile.h"

#define PROBE 8192 /* bytes that are written to see whether there is room */

/* Return whether a path is that of a folder. */
static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The last test notices whatever could not be made. */
int folder_make(const char *path, struct complaint *why)
{
	char part[PATH_MAX + 8], *slash;

	snprintf(part, sizeof(part), "%s", path);
	for (slash = part + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = 0;
		mkdir(part, 0777);
	}
	mkdir(part, 0777);
	if (is_folder(part) && access(part, W_OK) == 0)
		return 0;
	return complain(why, "%s: no folder that can be written to", path);
}

/* Write n zeros to a file and close it, even after an error. Return 0, or the error's number. */
static int write_zeros(int fd, size_t n)
{
	static const char zero[1024];
	ssize_t done;
	int error = 0;

	for (; n > 0; n -= (size_t)done) {
		done = write(fd, zero, order_min(n, sizeof(zero)));
		if (done < 0) {
			error = errno;
			break;
		}
	}
	if (close(fd) < 0 && !error)
		error = errno;
	return error;
}

/* What statfs(2) tells does not include quotas, so a file is written, which has lost its name. */
int folder_room(const char *path, struct complaint *why)
{
	char nonce[OUTFILE_NONCE + 1], *probe;
	int fd, error = 0;

	outfile_nonce(nonce);
	probe = memory_format("%s/%s.part", path, nonce);
	fd = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		error = errno;
	} else {
		unlink(probe);
		error = write_zeros(fd, PROBE);
	}
	free(probe);
	if (error)
		return complain(why, "cannot write in %s: %s", path, strerror(error));
	return 0;
}
