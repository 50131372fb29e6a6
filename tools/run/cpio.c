/* Writing a cpio archive: FreeBSD's cpio(5), "New ASCII Format", which cpio calls newc. */
#include "tools/run/cpio.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#define HEADER 110 /* bytes */

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
		 "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", 0, mode, 0, 0, 1, 0,
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
