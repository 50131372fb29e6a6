/* Serving a fixed directory from a table, and reads that are answered from memory. */
#include "kernel/clock.h"
#include "kernel/dev.h"
#include "kernel/lib.h"

/* Return which row has that name; 0: none. */
unsigned dirtab_find(const struct dirtab_list *t, const char *name)
{
	unsigned i = t->n - 1;

	while (i > 0 && strcmp(t->row[i].name, name) != 0)
		i--;
	return i;
}

/* Walk, for a device whose one directory is t: 0, -ENOTDIR or -ENOENT. */
int dirtab_walk(const struct dirtab_list *t, struct chan *c, const char *name)
{
	unsigned i = dirtab_find(t, name);

	if (c->qid != 0)
		return -ENOTDIR;
	if (i == 0)
		return -ENOENT;
	c->qid = i;
	c->type = t->row[i].mode & S_IFMT;
	return 0;
}

/* Describe the entry of t at *at, which is the row after: -ENOTDIR, -ENOENT past the last. */
int dirtab_entry(const struct dirtab_list *t, struct chan *c, uint64_t *at, char *name,
		 struct stat *st)
{
	if (c->qid != 0)
		return -ENOTDIR;
	if (*at >= t->n - 1)
		return -ENOENT;
	st->st_ino = ++*at;
	st->st_mode = t->row[*at].mode;
	return (int)strlcpy(name, t->row[*at].name, NAME_MAX + 1);
}

/* Fill in what t says of c's file. */
int dirtab_stat(const struct dirtab_list *t, struct chan *c, struct stat *st)
{
	const struct dirtab *row = &t->row[c->qid];

	if (c->qid >= t->n)
		return -ENOENT;
	st->st_mode = row->mode;
	st->st_size = row->length ? row->length() : 0;
	st->st_mtime = time_unix();
	return 0;
}

/* Read, for a device whose one directory says how each file is read. */
ssize_t dirtab_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	const struct dirtab *row = &c->dev->dir->row[c->qid];

	return row->read ? row->read(c, buf, n, off) : -EINVAL;
}

/* Write, for such a device. */
ssize_t dirtab_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	const struct dirtab *row = &c->dev->dir->row[c->qid];

	if (row->ctl)
		return cmd_write(row->ctl, c, buf, n);
	return row->write ? row->write(c, buf, n, off) : -EINVAL;
}

/* Answer a read out of len bytes at data: at most n bytes from off on; 0 past the end. */
ssize_t read_mem(void *buf, size_t n, uint64_t off, const void *data, size_t len)
{
	if (off >= len)
		return 0;
	if (n > len - (size_t)off)
		n = len - (size_t)off;
	memcpy(buf, (const uint8_t *)data + (size_t)off, n);
	return (ssize_t)n;
}

/* Answer a read out of a string, without its NUL. */
ssize_t read_str(void *buf, size_t n, uint64_t off, const char *s)
{
	return read_mem(buf, n, off, s, strlen(s));
}
