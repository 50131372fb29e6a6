/* A whole file in memory: see slurp.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/memory.h"
#include "tools/slurp.h"

/* Complain that a file is too large. */
static int too_large(struct complaint *why)
{
	return complain(why, "more than %zu MB; files as large as that are not read",
			SLURP_MAX >> 20);
}

/* Return how many bytes the file of a path has; 0: it is no file, or is not there. */
static off_t slurp_size(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return 0;
	if (!S_ISREG(st.st_mode))
		return 0;
	return st.st_size;
}

bool slurp_has(const char *path)
{
	return slurp_size(path) > 0;
}

bool slurp_has_small(const char *path)
{
	off_t n = slurp_size(path);

	if (n == 0)
		return false;
	return n <= SLURP_SMALL;
}

/* Return the size of a regular file, 0 of any other. */
static size_t regular_size(FILE *f)
{
	struct stat st;

	if (fstat(fileno(f), &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	return (size_t)st.st_size;
}

/* Give back what n bytes and a NUL do not need: files are many, and most of them short. */
static uint8_t *fitted(uint8_t *data, size_t n)
{
	uint8_t *less = realloc(data, n + 1);

	return less ? less : data;
}

/*
 * Read f to its end, and a NUL after it. The first piece has SLURP_HEAD bytes, unless the file is
 * shorter. 0, or -1 and why. A directory can be opened, but fread() refuses it with EISDIR.
 */
static int read_all(FILE *f, slurp_judge *judge, uint8_t **data, size_t *size,
		    struct complaint *why)
{
	size_t room = 0, n;

	*data = NULL;
	*size = 0;
	if (regular_size(f) > SLURP_MAX)
		return too_large(why);
	*data = memory_grow(NULL, &room, SLURP_HEAD + 1, 1);
	*size = n = fread(*data, 1, SLURP_HEAD, f);
	if (judge && judge(*data, n, why) < 0)
		return -1;
	while (n > 0 && *size <= SLURP_MAX) {
		*data = memory_grow(*data, &room, *size + SLURP_HEAD + 1, 1);
		n = fread(*data + *size, 1, room - *size - 1, f);
		*size += n;
	}
	*data = fitted(*data, *size);
	(*data)[*size] = 0;
	if (ferror(f))
		return complain(why, "%s", strerror(errno));
	if (*size > SLURP_MAX)
		return too_large(why);
	return 0;
}

int slurp_judged(const char *path, slurp_judge *judge, uint8_t **data, size_t *size,
		 struct complaint *why)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *f = stdin;
	struct complaint what;
	int bad;

	if (!standard)
		f = fopen(path, "rb");
	if (!f)
		return complain_errno(why, path);
	bad = read_all(f, judge, data, size, &what);
	if (!standard)
		fclose(f);
	if (!bad)
		return 0;
	free(*data);
	*data = NULL;
	return complain(why, "%s: %s", path, what.text);
}

int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why)
{
	return slurp_judged(path, NULL, data, size, why);
}
