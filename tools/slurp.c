/* A whole file in memory: see slurp.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/slurp.h"

/* Read f to its end, or until there is too much. Return all that came, and a NUL. */
static uint8_t *read_all(FILE *f, size_t *size)
{
	size_t room = 0, n;
	uint8_t *buf = NULL;

	*size = 0;
	do {
		buf = memory_grow(buf, &room, *size + 65536, 1);
		n = fread(buf + *size, 1, room - *size - 1, f);
		*size += n;
	} while (n > 0 && *size <= SLURP_MAX);
	buf[*size] = 0;
	return buf;
}

/* A directory can be opened, but fread() refuses it with EISDIR. */
int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdin : fopen(path, "rb");
	int err;

	if (!f)
		return complain(why, "%s: %s", path, strerror(errno));
	*data = read_all(f, size);
	err = ferror(f) ? errno : *size > SLURP_MAX ? EFBIG : 0;
	if (!standard)
		fclose(f);
	if (!err)
		return 0;
	free(*data);
	return complain(why, "%s: %s", path, strerror(err));
}
