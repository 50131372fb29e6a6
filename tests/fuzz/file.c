/* A file in memory, for parsers that take a path, and what is done with the names in it: fuzz.h. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/fuzz/fuzz.h"

/* The file is made once, and filled anew for each input. */
const char *fuzz_file(const uint8_t *data, size_t n)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) < 0 || pwrite(fd, data, n, 0) != (ssize_t)n)
		abort();
	return path;
}

void fuzz_use(const char *s)
{
	static volatile unsigned char last;

	while (s && *s)
		last = (unsigned char)*s++;
	(void)last;
}
