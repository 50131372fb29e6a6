/* The sockets of guests, which tools/run/console names qmp.sock, qmp-2.sock and so on. */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/guest/sockets.h"
#include "tools/memory.h"

/* Return whether somebody listens: the socket of a guest that was killed is still there. */
static bool listens(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd;
	bool yes;

	if (strlen(path) >= sizeof(name.sun_path))
		return false;
	strcpy(name.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	yes = connect(fd, (struct sockaddr *)&name, sizeof(name)) == 0 || errno == EAGAIN;
	close(fd);
	return yes;
}

/* Take the first socket of those at which a guest listens. Name all of them if there are more. */
static int choose(char *path, size_t size, char *const *found, size_t n, struct complaint *why)
{
	struct memory_stream names;
	unsigned guests = 0;
	int bad = 0;
	size_t i;

	memory_stream_open(&names);
	for (i = 0; i < n; i++) {
		if (!listens(found[i]))
			continue;
		if (guests++ == 0)
			snprintf(path, size, "%s", found[i]);
		fprintf(names.f, "\n\t-q %s", found[i]);
	}
	memory_stream_close(&names);
	if (guests > 1)
		bad = complain(why, "%u guests run here; say which:%s", guests, names.data);
	free(names.data);
	return bad;
}

int sockets_find(char *path, size_t size, const char *given, struct complaint *why)
{
	glob_t found = {.gl_pathc = 0};
	char *pattern;
	int bad = buildtree_file(path, size, given, "qmp.sock", why);

	if (given || bad)
		return bad;
	pattern = memory_format("%.*s-*.sock", (int)strlen(path) - (int)strlen(".sock"), path);
	glob(path, 0, NULL, &found);
	glob(pattern, GLOB_APPEND, NULL, &found);
	bad = choose(path, size, found.gl_pathv, found.gl_pathc, why);
	globfree(&found);
	free(pattern);
	return bad;
}
