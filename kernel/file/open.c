/* Opening a file by its path, and making files and directories. */
#include "kernel/file/open.h"
#include "kernel/file/union.h"
#include "kernel/file/walk.h"
#include "kernel/machine/string.h"
#include "kernel/process/proc.h"

#define MUST_MAKE (O_CREAT | O_EXCL)

/* Check whether c, which exists, may be opened with these flags. */
static int open_check(struct chan *c, int flags)
{
	static const int access[] = {MAY_READ, MAY_WRITE, MAY_READ | MAY_WRITE}; /* O_RDONLY ... */
	int may = access[flags & O_ACCMODE];

	if (flags & O_TRUNC)
		may |= MAY_WRITE;
	if ((flags & MUST_MAKE) == MUST_MAKE)
		return -EEXIST;
	if (c->type != S_IFDIR)
		return flags & O_DIRECTORY ? -ENOTDIR : chan_permit(c, may);
	if ((flags & O_CREAT) | (may & MAY_WRITE))
		return -EISDIR;
	return union_permit(c, may);
}

/* Name and count w's channel, which is about to be open. */
static int open_ready(struct walk *w)
{
	int err = walk_name(w);

	return err ? err : chan_count(w->c);
}

/* Open what w has walked to. A slash at the end of a path asks for a directory. */
static int open_here(struct walk *w, int flags)
{
	int err = open_check(w->c, w->slash ? flags | O_DIRECTORY : flags);

	if (!err)
		err = open_ready(w);
	if (!err && w->c->dev->open)
		err = w->c->dev->open(w->c, flags);
	return err;
}

/*
 * Make the file or directory whose name w stands before, which is known not to be there, and open
 * it. Where nothing can be made, a caller that would have taken an old file gets -ENOENT, and so
 * does everybody whose link leads nowhere.
 */
static int create_here(struct walk *w, uint32_t mode, int flags)
{
	if (!w->last)
		return -ENOENT;
	struct chan *d = union_creator(w->c);
	if (w->slash && !(mode & S_IFDIR))
		return -EISDIR;
	if (!d || !d->dev->create)
		return flags & O_EXCL ? -EPERM : -ENOENT;
	if ((mode & S_IFMT) == S_IFLNK && !d->dev->link)
		return -EPERM;
	int err = chan_permit(d, MAY_WRITE | MAY_EXEC);
	if (!err && d != w->c)
		err = walk_jump(w, d);
	if (!err)
		err = open_ready(w);
	return err ? err : w->c->dev->create(w->c, w->last, mode & ~proc_self()->umask, flags);
}

/* Open what path names, or make it if flags ask for that. */
static int open_path(const char *path, int flags, uint32_t mode, struct chan **out)
{
	WALK struct walk *w = NULL;
	int err = walk_new(path, &w);

	if (err)
		return err;
	err = walk_end(w, (flags & MUST_MAKE) != MUST_MAKE);
	if (!err)
		err = open_here(w, flags);
	else if (err == -ENOENT && (flags & O_CREAT))
		err = create_here(w, mode, flags);
	if (err)
		return err;
	w->c->opened = true;
	w->c->flags = flags;
	*out = w->c;
	w->c = NULL;
	return 0;
}

/*
 * Open a file as open(2) does: the channel has one reference. mode is for a file that
 * O_CREAT makes. Errors as walk_new()'s, and -EEXIST, -EISDIR, -EINVAL for flags that make
 * no sense, -EPERM for O_EXCL where nothing can be created.
 */
int ns_open(const char *path, int flags, uint32_t mode, struct chan **out)
{
	const int known = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY |
			  O_CLOEXEC;
	const int new_dir = O_CREAT | O_DIRECTORY; /* is made by mkdir(2) alone */

	if ((flags & O_ACCMODE) == O_ACCMODE || (flags & new_dir) == new_dir || flags & ~known)
		return -EINVAL;
	mode = S_IFREG | (mode & 0777);
	int err = open_path(path, flags, mode, out);
	/* Another process was faster: now it exists. */
	if (err == -EEXIST && !(flags & O_EXCL))
		err = open_path(path, flags, mode, out);
	return err;
}

/* Make a directory as mkdir(2) does. -EEXIST if any member of a union has the name. */
int ns_mkdir(const char *path, uint32_t mode)
{
	DROPPED struct chan *c = NULL;

	return open_path(path, O_RDONLY | O_CREAT | O_EXCL, S_IFDIR | (mode & 0777), &c);
}

/* Make a symbolic link as symlink(2) does, whatever its target. Without memory there is none. */
int ns_symlink(const char *target, const char *path)
{
	DROPPED struct chan *c = NULL;
	int err = -ENOENT;

	if (*target)
		err = open_path(path, O_RDONLY | MUST_MAKE, S_IFLNK | 0777, &c);
	if (err)
		return err;
	ssize_t n = c->dev->write(c, target, strlen(target), 0);
	if (n > 0)
		return 0;
	c->dev->remove(c);
	return (int)n;
}
