/* Serving a fixed directory from a table, and answers that are pieces of memory. */
#include "kernel.h"
#include "dev.h"

/* Fills in st for row i of the table; all belong to the host owner. */
static void row_stat(const struct dirtab_list *t, const struct chan *c, unsigned i,
		     struct stat *st)
{
	const struct dirtab *row = &t->row[i];

	*st = (struct stat){
		.st_dev = (uint8_t)c->dev->letter,
		.st_mode = row->mode,
		.st_ino = i,
		.st_size = row->length ? row->length() : 0,
		.st_uid = UID_EVE,
		.st_nlink = 1,
		.st_mtime = time_unix(),
	};
}

/* The walk of a device whose one directory is t: 0, -ENOTDIR or -ENOENT. */
int dirtab_walk(const struct dirtab_list *t, struct chan *c, const char *name)
{
	if (c->qid != 0)
		return -ENOTDIR;
	for (unsigned i = 1; i < t->n; i++) {
		if (strcmp(t->row[i].name, name) == 0) {
			c->qid = i;
			c->type = t->row[i].mode & S_IFMT;
			return 0;
		}
	}
	return -ENOENT;
}

/* Its entry(): entry i is row i + 1. */
int dirtab_entry(const struct dirtab_list *t, struct chan *c, unsigned i, char *name,
		 struct stat *st)
{
	if (c->qid != 0)
		return -ENOTDIR;
	if (i >= t->n - 1)
		return -ENOENT;
	strlcpy(name, t->row[i + 1].name, NAME_MAX + 1);
	row_stat(t, c, i + 1, st);
	return 0;
}

/* Its stat(). */
int dirtab_stat(const struct dirtab_list *t, struct chan *c, struct stat *st)
{
	if (c->qid >= t->n)
		return -ENOENT;
	row_stat(t, c, (unsigned)c->qid, st);
	return 0;
}

/* A read's answer out of len bytes at data: at most n bytes from off on; 0 past the end. */
ssize_t read_mem(void *buf, size_t n, uint64_t off, const void *data, size_t len)
{
	if (off >= len)
		return 0;
	if (n > len - (size_t)off)
		n = len - (size_t)off;
	memcpy(buf, (const uint8_t *)data + (size_t)off, n);
	return (ssize_t)n;
}

/* The same out of a string, without its NUL. */
ssize_t read_str(void *buf, size_t n, uint64_t off, const char *s)
{
	return read_mem(buf, n, off, s, strlen(s));
}
