/*
 * Whether a person types there.
 * Host: no
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return 1 if fd is the console, or else 0 with ENOTTY or EBADF. */
int isatty(int fd)
{
	struct stat st, cons;

	if (fstat(fd, &st) < 0)
		return 0;
	/* /dev/null is on the console's device, too: only the console's own file counts. */
	if (S_ISCHR(st.st_mode) && st.st_dev == 'c' &&
	    (stat("#c/cons", &cons) < 0 || cons.st_ino == st.st_ino))
		return 1;
	errno = ENOTTY;
	return 0;
}
