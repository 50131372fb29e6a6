/*
 * Unpacking cpio archives into the root: FreeBSD's cpio(5), "New ASCII Format", which
 * cpio calls newc. Only files and directories are taken; everything belongs to the host
 * owner. Files stay where they are in memory, nothing is copied.
 */
#include "boot/cpio.h"
#include "drivers/files/devroot.h"
#include "kernel/machine/string.h"

/* A header is six characters and numbers of eight hexadecimal digits; its name follows. */
#define MAGIC "070701"
#define MAGIC_SIZE 6u
#define DIGITS 8u
enum { INO, MODE, UID, GID, NLINK, MTIME, SIZE, DEV, DEV2, RDEV, RDEV2, NAMESIZE, CHECK, NFIELD };
#define HEADER (MAGIC_SIZE + NFIELD * DIGITS)
#define LAST "TRAILER!!!" /* the name of the member that ends an archive */

/* What is wrong with an archive, in words for the message; NULL when nothing is. */
typedef const char *trouble;

/* Names and contents are followed by zeros up to a multiple of 4. */
static size_t cpio_padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* Return the value of a hexadecimal digit; -1 if it is none. */
static int cpio_digit(char c)
{
	uint8_t digit = (uint8_t)(c - '0'), letter = (uint8_t)((c | 0x20) - 'a');

	if (digit < 10)
		return digit;
	if (letter < 6)
		return letter + 10;
	return -1;
}

/* Read a number of DIGITS digits. */
static bool cpio_hex(const char *s, uint32_t *out)
{
	*out = 0;
	for (unsigned i = 0; i < DIGITS; i++) {
		int digit = cpio_digit(s[i]);

		if (digit < 0)
			return false;
		*out = *out << 4 | (uint32_t)digit;
	}
	return true;
}

/* Move c to its entry of that name and kind, which is made if it is not there. */
static int cpio_enter(struct chan *c, const char *name, uint32_t mode)
{
	int err = chan_walk(c, name);

	if (err == -ENOENT)
		return rootdev.create(c, name, mode, 0);
	if (!err && c->type != (mode & S_IFMT))
		return -EEXIST;
	return err;
}

/*
 * Move c, which is at the root, to the file or directory of that path; make what is not there,
 * and the directories that lead to it. A path that ends in a slash names the directory before it.
 */
static int cpio_enter_path(struct chan *c, const char *path, uint32_t mode)
{
	char name[NAME_MAX + 1];
	const char *slash;
	int err = 0;

	do {
		size_t len = strlen(path);
		uint32_t kind = mode;

		slash = strchr(path, '/');
		if (slash) {
			len = (size_t)(slash - path);
			kind = S_IFDIR | 0755;
		}
		if (len > NAME_MAX)
			return -EINVAL;
		memcpy(name, path, len);
		name[len] = 0;
		path += len + 1;
		if (strcmp(name, "..") == 0)
			return -EINVAL;
		if (len > 0 && strcmp(name, ".") != 0)
			err = cpio_enter(c, name, kind);
	} while (!err && slash);
	return err;
}

/* A member of an archive: the fields of its header, its name, its content and its whole size. */
struct member {
	uint32_t field[NFIELD];
	const char *name;
	const void *data;
	size_t size;
};

/* Read the header of the member at p; `left` bytes of the archive are left. */
static trouble cpio_header(const char *p, size_t left, struct member *m)
{
	size_t data;

	if (left < HEADER)
		return "cut short";
	if (memcmp(p, MAGIC, MAGIC_SIZE) != 0)
		return "not a header of cpio's newc format";
	for (unsigned i = 0; i < NFIELD; i++) {
		if (!cpio_hex(p + MAGIC_SIZE + i * DIGITS, &m->field[i]))
			return "bad number";
	}
	m->name = p + HEADER;
	if (m->field[NAMESIZE] > left - HEADER)
		return "cut short";
	if (m->field[NAMESIZE] == 0 || m->name[m->field[NAMESIZE] - 1] != 0)
		return "a name without end";
	data = cpio_padded(HEADER + m->field[NAMESIZE]);
	if (data > left || m->field[SIZE] > left - data)
		return "cut short";
	m->data = p + data;
	m->size = cpio_padded(data + m->field[SIZE]);
	return NULL;
}

/* Is the member a name of a file whose content comes with another name? */
static bool cpio_another_name(const struct member *m)
{
	bool file = (m->field[MODE] & S_IFMT) == S_IFREG;

	return file && m->field[NLINK] > 1 && m->field[SIZE] == 0;
}

/*
 * Of a file with several names only the last has its content: give m, one without, that of the
 * name that follows it. A file that is empty has none, and stays so.
 */
static void cpio_content(struct member *m, const char *next, size_t left)
{
	struct member other;

	while (cpio_header(next, left, &other) == NULL && strcmp(other.name, LAST) != 0) {
		if (other.field[INO] == m->field[INO] && other.field[SIZE] > 0) {
			m->data = other.data;
			m->field[SIZE] = other.field[SIZE];
			return;
		}
		if (other.size > left)
			return;
		next += other.size;
		left -= other.size;
	}
}

/* Add the file or directory that a member describes. */
static trouble cpio_put(const struct member *m)
{
	uint32_t kind = m->field[MODE] & S_IFMT, mode = kind | (m->field[MODE] & 0777);
	DROPPED struct chan *c = NULL;

	if (kind != S_IFDIR && kind != S_IFREG) {
		printk("root: %s: neither directory nor file, left out\n", m->name);
		return NULL;
	}
	int err = chan_attach('/', "", &c);
	if (!err)
		err = cpio_enter_path(c, m->name, mode);
	if (!err)
		err = devroot_rom(c, mode, m->field[MTIME], m->data, m->field[SIZE]);
	if (err == -ENOSPC || err == -ENOMEM)
		return "out of memory";
	if (err)
		return "a name that cannot be, or a file where a directory is";
	return NULL;
}

/* Unpack the member at p, one of `left` bytes of the archive; *used is how many it takes. */
static trouble cpio_member(const char *p, size_t left, size_t *used, bool *last)
{
	struct member m;
	trouble t = cpio_header(p, left, &m);

	if (t)
		return t;
	*used = m.size;
	*last = strcmp(m.name, LAST) == 0;
	if (*last)
		return NULL;
	if (cpio_another_name(&m) && m.size <= left)
		cpio_content(&m, p + m.size, left - m.size);
	return cpio_put(&m);
}

int cpio_unpack(const void *archive, size_t n)
{
	size_t at = 0, used = 0;
	bool last = false;

	while (!last) {
		trouble t = "cut short";

		if (at <= n)
			t = cpio_member((const char *)archive + at, n - at, &used, &last);
		if (t) {
			printk("root: archive damaged at byte %u: %s\n", (unsigned)at, t);
			return -EINVAL;
		}
		at += used;
	}
	return 0;
}
