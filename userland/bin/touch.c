/* touch: makes files that are not there, and says of others that they changed now. */
#include <sys/stat.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void usage(FILE *to)
{
	fprintf(to, "usage: touch file ...\n");
	exit(to == stdout ? 0 : 2);
}

/* Setting a file to the length it has changes its time and nothing else. */
static int touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644), failed;
	struct stat st;

	if (fd < 0) {
		warn("%s", path);
		return 1;
	}
	failed = fstat(fd, &st) < 0 || (S_ISREG(st.st_mode) && ftruncate(fd, st.st_size) < 0);
	if (failed)
		warn("%s", path);
	close(fd);
	return failed;
}

int main(int argc, char **argv)
{
	int c, failed = 0;

	while ((c = getopt(argc, argv, "h")) != -1)
		usage(c == 'h' ? stdout : stderr);
	if (optind == argc)
		usage(stderr);
	for (; optind < argc; optind++)
		failed |= touch(argv[optind]);
	return failed;
}
