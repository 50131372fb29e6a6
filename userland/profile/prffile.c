/* See prffile.h. */
#include "userland/profile/prffile.h"

#include <err.h>
#include <sys/stat.h>

/* A device could be read for ever: each read begins anew. */
void prffile_check(int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		err(1, "%s", path);
	if (S_ISCHR(st.st_mode))
		errx(1, "%s: a device, not a log; prfsnap(8) writes logs", path);
}
