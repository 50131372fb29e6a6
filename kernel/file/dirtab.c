/* Serving directories from a table, and reads that are answered from memory. */
#include "kernel/file/dirtab.h"
#include "kernel/file/picture.h"
#include "kernel/machine/time.h"

#define ROW 0xffull    /* of a qid: the number of the row */
#define WHICH 0x100ull /* counts things in a qid */

/* Return whether the directory of row `dir` has the row's files. */
static bool dirtab_has(const struct dirtab *row, unsigned dir)
{
	return row->in ? row->in >> dir & 1 : dir == 0;
}

/* Return the row of c's file; NULL if that, or the thing that it belongs to, is not there. */
static const struct dirtab *dirtab_find(const struct chan *c)
{
	const struct dirtab_list *t = &c->dev->dir;
	unsigned i = dirtab_row(c);
	uint32_t which = dirtab_which(c), first = which;
	char name[DIRTAB_NAME];

	if (i >= t->n)
		return NULL;
	if (which == 0)
		return &t->row[i];
	for (unsigned dir = 0; dir < t->n; dir++) {
		if (!t->row[dir].each)
			continue;
		if (dir != i && !dirtab_has(&t->row[i], dir))
			continue;
		if (!t->row[dir].each(&t->row[dir], &first, name) || first != which)
			return NULL;
	}
	return &t->row[i];
}

/*
 * Return the row of the directory's first entry from *at on; NULL: no more. If the row is for each
 * of several things, the entry's name is in made, and *len is its length. Set *qid to its qid, and
 * *at to the place after it.
 */
static INLINED const struct dirtab *dirtab_next(const struct chan *dir, uint64_t *at,
						char made[DIRTAB_NAME], size_t *len, uint64_t *qid)
{
	const struct dirtab_list *t = &dir->dev->dir;
	uint32_t which = (uint32_t)(*at / WHICH);

	for (unsigned i = *at & ROW; i < t->n; i++, which = 0) {
		const struct dirtab *row = &t->row[i];

		if (i == 0 || !dirtab_has(row, dirtab_row(dir)))
			continue;
		if (!row->each) {
			*qid = (dir->qid & ~ROW) | i;
			*at = i + 1;
			return row;
		}
		*len = row->each(row, &which, made);
		if (*len) {
			*qid = which * WHICH | i;
			*at = *qid + WHICH;
			return row;
		}
	}
	return NULL;
}

/* Walk, for a device whose directories are rows: 0 or -ENOENT. No row is in a file. */
int dirtab_walk(struct chan *c, const char *name)
{
	char made[DIRTAB_NAME];
	const struct dirtab *row;
	uint64_t at = 0, qid;
	size_t len;

	do
		row = dirtab_next(c, &at, made, &len, &qid);
	while (row && strcmp(row->each ? made : row->name, name) != 0);
	if (!row)
		return -ENOENT;
	c->qid = qid;
	c->type = row->mode & S_IFMT;
	return 0;
}

/* Describe the entry of c at *at, and move that on: -ENOENT past the last. */
int dirtab_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	size_t len;

	if (!dirtab_find(c))
		return -ENOENT;
	const struct dirtab *row = dirtab_next(c, at, name, &len, &st->st_ino);
	if (!row)
		return -ENOENT;
	st->st_mode = row->mode;
	if (!row->each)
		len = strlcpy(name, row->name, NAME_MAX + 1);
	return (int)len;
}

/* Fill in what the rows say of c's file, whose time is the present. */
int dirtab_stat(struct chan *c, struct stat *st)
{
	const struct dirtab *row = dirtab_find(c);

	if (!row)
		return -ENOENT;
	st->st_mode = row->mode;
	if (row->length)
		st->st_size = row->length(c);
	st->st_mtime = time_unix();
	return 0;
}

size_t dirtab_each_cpu(const struct dirtab *row, uint32_t *which, char name[DIRTAB_NAME])
{
	*which += *which == 0;
	if (*which > ncpu)
		return 0;
	return (size_t)snprintf(name, DIRTAB_NAME, "%s%u", row->name, *which - 1);
}

/* Read, for a device whose table says how each file is read. */
ssize_t dirtab_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	const struct dirtab *row = &c->dev->dir.row[dirtab_row(c)];

	if (row->read)
		return row->read(c, buf, n, off);
	return row->show ? picture_read(c, buf, n, off) : -EINVAL;
}

/* Write, for such a device. */
ssize_t dirtab_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	const struct dirtab *row = &c->dev->dir.row[dirtab_row(c)];
	struct mutex *lock = c->dev->dir.lock;

	if (row->write)
		return row->write(c, buf, n, off);
	if (!row->ctl.row)
		return -EPERM;
	if (!lock)
		return cmd_write(&row->ctl, c, buf, n);
	HOLD_MUTEX(lock);
	return cmd_write(&row->ctl, c, buf, n);
}

ssize_t dirtab_ignore(struct chan *, const void *, size_t n, uint64_t)
{
	return (ssize_t)n;
}

/* Answer a read out of len bytes at data: at most n bytes from off on; 0 past the end. */
ssize_t read_mem(void *buf, size_t n, uint64_t off, const void *data, size_t len)
{
	if (off >= len)
		return 0;
	n = min_size(n, len - (size_t)off);
	memcpy(buf, (const uint8_t *)data + (size_t)off, n);
	return (ssize_t)n;
}
