/* Whether somebody types there. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* 1 if fd is the console, else 0 and ENOTTY (or EBADF). */
int isatty(int fd)
{
	struct stat st, cons;

	if (fstat(fd, &st) < 0)
		return 0;
	/* /dev/null is of the console's device too; it is the console's file that counts. */
	if (S_ISCHR(st.st_mode) && st.st_dev == 'c' &&
	    (stat("#c/cons", &cons) < 0 || cons.st_ino == st.st_ino))
		return 1;
	errno = ENOTTY;
	return 0;
}
