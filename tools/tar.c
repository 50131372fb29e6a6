/* Writing a ustar archive (POSIX.1-2017, pax, "ustar Interchange Format"). */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include "tar.h"

#define BLOCK 512

struct header {
	char name[100];
	char mode[8], uid[8], gid[8];
	char size[12], mtime[12];
	char chksum[8];
	char typeflag;
	char linkname[100];
	char magic[6], version[2];
	char uname[32], gname[32];
	char devmajor[8], devminor[8];
	char prefix[155];
	char pad[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a ustar header is one block");

/* Put a path into name, or cut at a slash into prefix and name; false when it cannot be. */
static bool set_path(struct header *h, const char *path, size_t n)
{
	size_t cut;

	if (n <= sizeof(h->name)) {
		memcpy(h->name, path, n);
		return n > 0;
	}
	for (cut = n - sizeof(h->name) - 1; cut <= sizeof(h->prefix) && cut < n - 1; cut++)
		if (cut > 0 && path[cut] == '/') {
			memcpy(h->prefix, path, cut);
			memcpy(h->name, path + cut + 1, n - cut - 1);
			return true;
		}
	return false;
}

/* An octal number that fills its field but for the final NUL. */
static void set_octal(char *field, size_t size, uint64_t v)
{
	for (field[--size] = 0; size > 0; v >>= 3)
		field[--size] = '0' + (v & 7);
}

/* The sum of the header's bytes, its own field taken as blanks. */
static void set_checksum(struct header *h)
{
	const unsigned char *p = (const unsigned char *)h;
	unsigned i, sum = 0;

	memset(h->chksum, ' ', sizeof(h->chksum));
	for (i = 0; i < BLOCK; i++)
		sum += p[i];
	set_octal(h->chksum, 7, sum);
}

/* Write n bytes, or say why not. */
static int put(FILE *f, const void *p, size_t n, struct complaint *why)
{
	if (fwrite(p, 1, n, f) == n)
		return 0;
	return complain(why, "the archive for the guest: %s", strerror(errno));
}

/* Add a file: its header, its content, zeros up to a whole block. */
int tar_file(FILE *f, const char *path, unsigned mode, const void *data, size_t n,
	     struct complaint *why)
{
	static const char zero[BLOCK];
	struct header h = {.typeflag = '0', .magic = "ustar", .version = {'0', '0'}};

	path += strspn(path, "/");
	if (!set_path(&h, path, strlen(path)))
		return complain(why, "%s: too long a path for the archive", path);
	set_octal(h.mode, sizeof(h.mode), mode);
	set_octal(h.uid, sizeof(h.uid), 0);
	set_octal(h.gid, sizeof(h.gid), 0);
	set_octal(h.size, sizeof(h.size), n);
	set_octal(h.mtime, sizeof(h.mtime), 0);
	set_checksum(&h);
	if (put(f, &h, BLOCK, why) < 0 || put(f, data, n, why) < 0)
		return -1;
	return put(f, zero, -n % BLOCK, why);
}

/* Two blocks of zeros, and out with what is buffered. */
int tar_end(FILE *f, struct complaint *why)
{
	static const char zero[2 * BLOCK];

	if (put(f, zero, sizeof(zero), why) < 0)
		return -1;
	return fflush(f) ? complain(why, "the archive for the guest: %s", strerror(errno)) : 0;
}
