/*
 * reading: prints how many instructions reading a file takes, for each line: from opening it on,
 * without the reader's own. Under -icount shift=0.
 *
 * usage: reading FILE...
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/bench/bench.h"

static char buf[65536];

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		uint64_t took = -bench_time();
		unsigned lines = 0;
		ssize_t n;
		int fd = open(argv[i], O_RDONLY);

		if (fd < 0)
			err(1, "%s", argv[i]);
		while ((n = read(fd, buf, sizeof(buf))) > 0) {
			took += bench_time();
			for (ssize_t k = 0; k < n; k++)
				lines += buf[k] == '\n';
			took -= bench_time();
		}
		took += bench_time();
		if (n < 0 || lines == 0)
			err(1, "%s: no lines", argv[i]);
		printf("%s %llu\n", strrchr(argv[i], '/') + 1, took / lines);
		close(fd);
	}
	return 0;
}
