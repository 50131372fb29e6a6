/* gnomon cc: gnomon-cc(1), a script beside this program, or in the tree that it is built in. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tools/gnomon.h"
#include "tools/memory.h"

int cc_main(int argc, char **argv)
{
	static const char *const places[] = {"gnomon-cc", "../tools/gnomon-cc"};
	char folder[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);

	(void)argc;
	if (n < 0) {
		fprintf(stderr, "gnomon cc: /proc/self/exe: %s\n", strerror(errno));
		return 1;
	}
	folder[n] = 0;
	*strrchr(folder, '/') = 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		argv[0] = memory_format("%s/%s", folder, places[i]);
		execv(argv[0], argv);
	}
	fprintf(stderr, "gnomon cc: %s: %s\n", argv[0], strerror(errno));
	return 1;
}
