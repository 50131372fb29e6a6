/* The running kernel's build id, and whether an image is of that kernel: see buildid.h. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/profile/buildid.h"

/* The id is the last word of the version. */
void buildid_running(char hex[BUILDID_MAX + 1])
{
	char version[128], *id;
	int fd = open("/dev/version", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, version, sizeof(version) - 1);

	if (n < 0)
		err(1, "/dev/version");
	close(fd);
	while (n > 0 && version[n - 1] == '\n')
		n--;
	version[n] = 0;
	id = strrchr(version, ' ');
	snprintf(hex, BUILDID_MAX + 1, "%s", id ? id + 1 : "");
}

void buildid_check(const struct symtab *s, const char *path)
{
	char running[BUILDID_MAX + 1];

	buildid_running(running);
	if (strcmp(running, s->buildid) != 0)
		errx(1, "%s is not the running kernel", path);
}
