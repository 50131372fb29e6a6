/* A whole file in memory: see slurp.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/slurp.h"

/* Read f to its end into a buffer that doubles. 0, or -1 and errno. */
static int read_all(FILE *f, uint8_t **data, size_t *size)
{
	size_t room = 65536, have = 0, n;
	uint8_t *buf = malloc(room + 1), *more;

	while (buf && (n = fread(buf + have, 1, room - have, f)) > 0) {
		have += n;
		if (have < room)
			continue;
		more = room < SLURP_MAX ? realloc(buf, room * 2 + 1) : NULL;
		if (!more) {
			free(buf);
			errno = EFBIG;
			return -1;
		}
		buf = more;
		room *= 2;
	}
	if (!buf || ferror(f)) {
		free(buf);
		return -1;
	}
	buf[have] = 0;
	*data = buf;
	*size = have;
	return 0;
}

/* A directory can be opened, but fread() refuses it with EISDIR. */
int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why)
{
	int is_stdin = strcmp(path, "-") == 0;
	FILE *f = is_stdin ? stdin : fopen(path, "rb");
	int err;

	if (!f)
		return complain(why, "%s: %s", path, strerror(errno));
	err = read_all(f, data, size) < 0 ? errno : 0;
	if (!is_stdin)
		fclose(f);
	return err ? complain(why, "%s: %s", path, strerror(err)) : 0;
}
