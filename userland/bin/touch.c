/* touch: makes files that are not there, and says of others that they changed now. */
#include <sys/stat.h>
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "touch file ...";

/*
 * Make a file, or set its time: giving it the length that it has changes that and nothing else.
 * Return 1 after a warning, else 0.
 */
static int touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644), failed;
	struct stat st;

	if (fd < 0) {
		warn("%s", path);
		return 1;
	}
	/* A device has no length that could be set, and opening it is enough. */
	failed = fstat(fd, &st) < 0 || (S_ISREG(st.st_mode) && ftruncate(fd, st.st_size) < 0);
	if (failed)
		warn("%s", path);
	close(fd);
	return failed;
}

int main(int argc, char **argv)
{
	int failed = 0;

	no_options(argc, argv, synopsis);
	if (optind == argc)
		usage('?', synopsis);
	for (; optind < argc; optind++)
		failed |= touch(argv[optind]);
	return failed;
}
