/*
 * Unpacking ustar archives into the root: POSIX.1-2017, pax, "ustar Interchange
 * Format". Only files and directories are taken; everything belongs to the host
 * owner. Files stay where they are in memory, nothing is copied.
 */
#include "kernel.h"
#include "devroot.h"

#define BLOCK 512u
#define PATH_SIZE (155 + 1 + 100 + 1)

struct header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char chksum[8];
	char typeflag;
	char linkname[100];
	char magic[6];
	char version[2];
	char uname[32];
	char gname[32];
	char devmajor[8];
	char devminor[8];
	char prefix[155];
	char pad[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

/* What is wrong with an archive, for the message; NULL when nothing is. */
typedef const char *trouble;

/* An octal number, blanks around it allowed, that ends with its field. */
static bool octal(const char *s, size_t n, uint64_t *out)
{
	size_t i = 0;
	uint64_t v = 0;

	while (i < n && s[i] == ' ')
		i++;
	if (i == n || s[i] < '0' || s[i] > '7')
		return false;
	for (; i < n && s[i] >= '0' && s[i] <= '7'; i++)
		v = v * 8 + (uint64_t)(s[i] - '0');
	if (i < n && s[i] != ' ' && s[i] != 0)
		return false;
	*out = v;
	return true;
}

/* Whether the header's checksum, taken with blanks in its own field, is right. */
static bool sum_ok(const struct header *h)
{
	const uint8_t *p = (const uint8_t *)h;
	const size_t at = offsetof(struct header, chksum);
	uint64_t want;
	uint32_t sum = 0;

	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= at && i < at + sizeof(h->chksum) ? ' ' : p[i];
	return octal(h->chksum, sizeof(h->chksum), &want) && want == sum;
}

/* Appends the characters of a field, which NUL ends only if it is shorter, to a path. */
static size_t append_field(char *path, size_t len, const char *field, size_t n)
{
	for (size_t i = 0; i < n && field[i]; i++)
		path[len++] = field[i];
	path[len] = 0;
	return len;
}

/* The whole name: prefix, slash, name; without slashes at the end. */
static void full_name(const struct header *h, char path[PATH_SIZE])
{
	size_t n = append_field(path, 0, h->prefix, sizeof(h->prefix));

	if (n)
		path[n++] = '/';
	n = append_field(path, n, h->name, sizeof(h->name));
	while (n > 0 && path[n - 1] == '/')
		path[--n] = 0;
}

/* Adds what the header tells of, with size bytes of content at data. */
static trouble tar_put(const struct header *h, const char *path, const uint8_t *data, uint64_t size)
{
	uint64_t mode, mtime;
	int err;

	if (!octal(h->mode, sizeof(h->mode), &mode) || !octal(h->mtime, sizeof(h->mtime), &mtime))
		return "bad mode or time";
	switch (h->typeflag) {
	case '0':
	case 0:
		mode = S_IFREG | (mode & 0777);
		break;
	case '5':
		mode = S_IFDIR | (mode & 0777);
		break;
	case 'x': /* pax records: about fields that we do not keep */
	case 'g':
		return NULL;
	default:
		printk("root: %s: neither file nor directory, left out\n", path);
		return NULL;
	}
	err = devroot_put(path, (uint32_t)mode, (int64_t)mtime, data, (size_t)size);
	if (err == -ENOMEM)
		return "out of memory";
	return err ? "a name that cannot be, or a file where a directory is" : NULL;
}

/* Unpacks the member at h; left bytes are there until the end, *used is how many it takes. */
static trouble tar_member(const struct header *h, size_t left, size_t *used)
{
	char path[PATH_SIZE];
	uint64_t size;

	if (!sum_ok(h))
		return "bad checksum";
	if (memcmp(h->magic, "ustar", 5) != 0)
		return "not a ustar header";
	full_name(h, path);
	if (!octal(h->size, sizeof(h->size), &size))
		return "bad size";
	if (h->typeflag == '5')
		size = 0;
	if (size > left - BLOCK)
		return "cut short";
	*used = BLOCK + (((size_t)size + BLOCK - 1) & ~(size_t)(BLOCK - 1));
	/* The padding of the very last member may be missing. */
	if (*used > left)
		*used = left;
	return tar_put(h, path, (const uint8_t *)(h + 1), size);
}

/* Whether there is nothing in n bytes. */
static bool all_zero(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i])
			return false;
	}
	return true;
}

/* See devroot.h. A block of zeros, or the end of memory, ends the archive. */
int devroot_unpack(const void *tar, size_t n)
{
	const uint8_t *p = tar;
	size_t at = 0, used = 0;

	while (n - at >= BLOCK && !all_zero(p + at, BLOCK)) {
		trouble t = tar_member((const struct header *)(p + at), n - at, &used);

		if (t) {
			printk("root: archive damaged at byte %u: %s\n", (unsigned)at, t);
			return -EINVAL;
		}
		at += used;
	}
	if (n - at > 0 && n - at < BLOCK) {
		printk("root: archive damaged at byte %u: cut short\n", (unsigned)at);
		return -EINVAL;
	}
	return 0;
}
