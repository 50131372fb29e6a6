/* Writing and reading cpio archives: FreeBSD's cpio(5), "New ASCII Format", called newc by cpio. */
#include "tools/run/cpio.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/order.h"

#define HEADER 110 /* bytes */
#define MAGIC "070701"

/* The numbers of a header, of 8 digits each, from the magic word on. */
enum { INODE, MODE, LINKS = 4, SIZE = 6, NAME = 11, NUMBERS = 13 };

/* Write n bytes after `before` others, and zeros up to a multiple of 4. 0, or -1 and why. */
static int cpio_put(FILE *f, size_t before, const void *p, size_t n, struct complaint *why)
{
	static const char zero[4];
	size_t pad = -(before + n) % 4;

	if (fwrite(p, 1, n, f) == n && fwrite(zero, 1, pad, f) == pad)
		return 0;
	return complain_errno(why, CPIO_NAME);
}

/* Write a header and the file's name; the two together are filled up to a multiple of 4. */
static int put_header(FILE *f, const char *path, unsigned mode, size_t n, struct complaint *why)
{
	size_t name = strlen(path) + 1;
	char header[HEADER + 1];

	/* inode, mode, owner and group, links, time, size, two devices, name, no checksum */
	snprintf(header, sizeof(header),
		 MAGIC "%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", 0, mode, 0, 0, 1, 0,
		 (unsigned)n, 0, 0, 0, 0, (unsigned)name, 0);
	if (fwrite(header, 1, HEADER, f) != HEADER)
		return complain(why, "the archive for the guest: %s", strerror(errno));
	return cpio_put(f, HEADER, path, name, why);
}

int cpio_file(FILE *f, const char *path, unsigned mode, const void *data, size_t n,
	      struct complaint *why)
{
	path += strspn(path, "/");
	if (!*path)
		return complain(why, "a file for the guest has no name");
	if (n > UINT32_MAX)
		return complain(why, "%s: too large for the archive", path);
	if (put_header(f, path, S_IFREG | mode, n, why) < 0)
		return -1;
	return cpio_put(f, 0, data, n, why);
}

int cpio_end(FILE *f, struct complaint *why)
{
	if (put_header(f, "TRAILER!!!", 0, 0, why) < 0)
		return -1;
	if (fflush(f) != 0)
		return complain_errno(why, CPIO_NAME);
	return 0;
}

/* Read number i of a header. False: those are no hexadecimal digits. */
static bool header_number(const uint8_t *header, unsigned i, uint32_t *v)
{
	char text[9] = "";

	memcpy(text, header + strlen(MAGIC) + 8 * i, 8);
	*v = (uint32_t)strtoul(text, NULL, 16);
	return strspn(text, "0123456789abcdefABCDEF") == 8;
}

/* Move past n bytes and up to a multiple of 4. False: there are not as many. */
static bool skip(size_t *at, size_t size, size_t n)
{
	if (n > size - *at)
		return false;
	*at += n;
	*at += order_min(-*at % 4, size - *at);
	return true;
}

bool cpio_next(const uint8_t *archive, size_t size, size_t *at, struct cpio_entry *e)
{
	const uint8_t *header = archive + *at;
	uint32_t v[NUMBERS];
	unsigned i;

	if (size - *at < HEADER)
		return false;
	if (memcmp(header, MAGIC, strlen(MAGIC)) != 0)
		return false;
	for (i = 0; i < NUMBERS; i++)
		if (!header_number(header, i, &v[i]))
			return false;
	if (!skip(at, size, HEADER + (size_t)v[NAME]))
		return false;
	*e = (struct cpio_entry){
		.path = (const char *)header + HEADER, .inode = v[INODE], .mode = v[MODE],
		.links = v[LINKS], .data = archive + *at, .n = v[SIZE],
	};
	if (!memchr(e->path, 0, v[NAME]))
		return false;
	if (!skip(at, size, v[SIZE]))
		return false;
	return strcmp(e->path, "TRAILER!!!") != 0;
}
