/* Opening a file by its path, and making files and directories. */
#include "kernel/memory.h"
#include "kernel/ns.h"

/* The path of the entry last in dir, to be freed; NULL when it is too long or memory is short. */
static char *path_join(const struct chan *dir, const char *last, int *err)
{
	size_t n = strlen(dir->name), size = n + strlen(last) + 2;
	char *s;

	*err = -ENAMETOOLONG;
	if (size > PATH_MAX)
		return NULL;
	*err = -ENOMEM;
	s = kmalloc(size);
	if (s)
		snprintf(s, size, "%s%s%s", dir->name, dir->name[n - 1] == '/' ? "" : "/", last);
	return s;
}

/*
 * Makes the entry last in dir, which is known to have none of that name, and opens it. Where
 * nothing can be made, who would take an old file as well is told that it is not there.
 */
static int create_in(struct chan *dir, const char *last, uint32_t mode, int flags,
		     struct chan **out)
{
	struct chan *d, *c;
	char *name;
	int err;

	if (dir->type != S_IFDIR)
		return -ENOTDIR;
	d = union_creator(dir);
	if (!d || !d->dev->create)
		return (mode & S_IFDIR) || (flags & O_EXCL) ? -EPERM : -ENOENT;
	err = chan_permit(d, MAY_WRITE | MAY_EXEC);
	if (err)
		return err;
	name = path_join(dir, last, &err);
	if (!name)
		return err;
	c = chan_clone(d);
	err = c ? d->dev->create(c, last, mode, flags) : -ENOMEM;
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

/* Makes a file, or a directory if mode says S_IFDIR. -EEXIST when any member has the name. */
static int create_path(const char *path, uint32_t mode, int flags, struct chan **out)
{
	struct chan *dir, *there;
	char last[NAME_MAX + 1];
	bool slash;
	int err = walk_parent(path, &dir, last, &slash);

	if (err)
		return err == -EINVAL ? -EEXIST : err;
	err = union_find(dir, last, NULL, &there);
	if (!err) {
		chan_put(there);
		err = -EEXIST;
	} else if (err == -ENOENT) {
		err = slash && !(mode & S_IFDIR) ? -EISDIR
						 : create_in(dir, last, mode, flags, out);
	}
	chan_put(dir);
	return err;
}

/* Whether c, which exists, may be opened so. */
static int check_open(struct chan *c, int flags)
{
	static const uint8_t wants[4] = {
		[O_RDONLY] = MAY_READ,
		[O_WRONLY] = MAY_WRITE,
		[O_RDWR] = MAY_READ | MAY_WRITE,
	};
	int may = wants[flags & O_ACCMODE];

	if (flags & O_TRUNC)
		may |= MAY_WRITE;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (c->type == S_IFDIR && ((may & MAY_WRITE) || (flags & O_CREAT)))
		return -EISDIR;
	if (c->type != S_IFDIR && (flags & O_DIRECTORY))
		return -ENOTDIR;
	return chan_permit(c, may);
}

/* Opens what path names, which exists or -ENOENT. */
static int open_existing(const char *path, int flags, struct chan **out)
{
	struct chan *c;
	int err = ns_walk(path, &c);

	if (err)
		return err;
	err = check_open(c, flags);
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
 * open(2): an open channel with one reference. mode is for a file that O_CREAT
 * makes. Errors as ns_walk's, and -EEXIST, -EISDIR, -EINVAL for flags that make
 * no sense, -EPERM for O_EXCL where nothing can be created.
 */
int ns_open(const char *path, int flags, uint32_t mode, struct chan **out)
{
	const int known = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY |
			  O_CLOEXEC;
	int err;

	if ((flags & ~known) || (flags & O_ACCMODE) == O_ACCMODE ||
	    ((flags & O_CREAT) && (flags & O_DIRECTORY)))
		return -EINVAL;
	err = open_existing(path, flags, out);
	if (err != -ENOENT || !(flags & O_CREAT))
		return err;
	err = create_path(path, S_IFREG | (mode & 0777), flags, out);
	/* Somebody else was faster: then it exists. */
	if (err == -EEXIST && !(flags & O_EXCL))
		err = open_existing(path, flags, out);
	return err;
}

/* mkdir(2). */
int ns_mkdir(const char *path, uint32_t mode)
{
	struct chan *c;
	int err = create_path(path, S_IFDIR | (mode & 0777), O_RDONLY, &c);

	if (!err)
		chan_put(c);
	return err;
}
