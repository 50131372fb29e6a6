/* Opening a file by its path, and making files and directories. */
#include "kernel/ns.h"

/* Return the path of t's name in its directory, to be freed; NULL sets *err. */
static char *path_join(const struct target *t, int *err)
{
	const char *dir = t->dir->name;
	size_t n = strlen(dir), size = n + strlen(t->name) + 2;

	*err = -ENAMETOOLONG;
	if (size > PATH_MAX)
		return NULL;
	*err = -ENOMEM;
	char *s = kmalloc(size);
	if (s)
		snprintf(s, size, "%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", t->name);
	return s;
}

/*
 * Make the file or directory that t names, which is known not to be there, and open it.
 * Where nothing can be made, a caller that would have taken an old file gets -ENOENT.
 */
static int create_in(const struct target *t, uint32_t mode, int flags, struct chan **out)
{
	if (t->dir->type != S_IFDIR)
		return -ENOTDIR;
	struct chan *d = union_creator(t->dir);
	if (!d || !d->dev->create)
		return (mode & S_IFDIR) || (flags & O_EXCL) ? -EPERM : -ENOENT;
	int err = chan_permit(d, MAY_WRITE | MAY_EXEC);
	if (err)
		return err;
	char *name = path_join(t, &err);
	if (!name)
		return err;
	struct chan *c = chan_clone(d);
	err = c ? chan_count(c) : -ENOMEM;
	if (!err)
		err = d->dev->create(c, t->name, mode, flags);
	if (err) {
		kfree(name);
		chan_put(c);
		return err;
	}
	c->opened = true;
	c->flags = flags;
	c->name = name;
	*out = c;
	return 0;
}

/* Make a file, or a directory if mode says S_IFDIR. -EEXIST if any member has the name. */
static int create_path(const char *path, uint32_t mode, int flags, struct chan **out)
{
	DROPPED struct chan *there = NULL;
	TARGET struct target t = {0};
	int err = walk_parent(path, &t);

	if (err)
		return err == -EINVAL ? -EEXIST : err;
	err = union_find(t.dir, t.name, NULL, &there);
	if (err != -ENOENT)
		return err ? err : -EEXIST;
	return t.slash && !(mode & S_IFDIR) ? -EISDIR : create_in(&t, mode, flags, out);
}

/* Check whether c, which exists, may be opened with these flags. */
static int check_open(struct chan *c, int flags)
{
	int mode = flags & O_ACCMODE, may = mode == O_WRONLY ? 0 : MAY_READ;

	if (mode != O_RDONLY || (flags & O_TRUNC))
		may |= MAY_WRITE;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (c->type == S_IFDIR && ((may & MAY_WRITE) || (flags & O_CREAT)))
		return -EISDIR;
	if (c->type != S_IFDIR && (flags & O_DIRECTORY))
		return -ENOTDIR;
	return union_permit(c, may);
}

/* Open what path names; -ENOENT if it does not exist. */
static int open_existing(const char *path, int flags, struct chan **out)
{
	struct chan *c;
	int err = ns_walk(path, &c);

	if (err)
		return err;
	err = check_open(c, flags);
	if (!err)
		err = chan_count(c);
	if (!err && c->dev->open)
		err = c->dev->open(c, flags);
	if (err) {
		chan_put(c);
		return err;
	}
	c->opened = true;
	c->flags = flags;
	*out = c;
	return 0;
}

/*
 * Open a file as open(2) does: the channel has one reference. mode is for a file that
 * O_CREAT makes. Errors as ns_walk's, and -EEXIST, -EISDIR, -EINVAL for flags that make
 * no sense, -EPERM for O_EXCL where nothing can be created.
 */
int ns_open(const char *path, int flags, uint32_t mode, struct chan **out)
{
	const int known = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY |
			  O_CLOEXEC;

	if ((flags & ~known) || (flags & O_ACCMODE) == O_ACCMODE ||
	    ((flags & O_CREAT) && (flags & O_DIRECTORY)))
		return -EINVAL;
	int err = open_existing(path, flags, out);
	if (err != -ENOENT || !(flags & O_CREAT))
		return err;
	err = create_path(path, S_IFREG | (mode & 0777), flags, out);
	/* Somebody else was faster: now it exists. */
	if (err == -EEXIST && !(flags & O_EXCL))
		err = open_existing(path, flags, out);
	return err;
}

/* Make a directory as mkdir(2) does. */
int ns_mkdir(const char *path, uint32_t mode)
{
	DROPPED struct chan *c = NULL;

	return create_path(path, S_IFDIR | (mode & 0777), O_RDONLY, &c);
}
