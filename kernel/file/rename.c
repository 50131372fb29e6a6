/* Removing and renaming files and directories by path. */
#include "kernel/file/ns.h"
#include "kernel/file/open.h"
#include "kernel/file/walk.h"
#include "kernel/process/proc.h"

/*
 * Find the entry whose name w stands before, to remove or rename it. Set *holder to the directory
 * that contains it, which in a union is one of its members. -EINVAL if w stands before no name,
 * -EBUSY if something is mounted on the entry, -EACCES if that directory may not be written; *out,
 * NULL before, is set with the last two, too.
 */
static int rename_find(const struct walk *w, struct chan **holder, struct chan **out)
{
	if (!w->last)
		return -EINVAL;
	int err = union_find(w->c, w->last, holder, out);
	if (err)
		return err;
	struct union_mount *u = ns_mounted(proc_self()->ns, *out);
	if (!u)
		return chan_permit(*holder, MAY_WRITE | MAY_EXEC);
	union_put(u);
	return -EBUSY;
}

/*
 * Remove a file or an empty directory. Only a directory if kind is S_IFDIR, and no directory if it
 * is S_IFREG: -ENOTDIR, -EISDIR.
 */
int ns_remove(const char *path, uint32_t kind)
{
	WALK struct walk *w = NULL;
	DROPPED struct chan *c = NULL;
	struct chan *holder;
	int err = walk_new(path, &w);

	if (!err)
		err = rename_find(w, &holder, &c);
	if (err == -EINVAL && kind == S_IFREG)
		return -EISDIR;
	if (err)
		return err;
	if (c->type == S_IFDIR) {
		if (kind == S_IFREG)
			return -EISDIR;
	} else if (kind == S_IFDIR || w->slash) {
		return -ENOTDIR;
	}
	return c->dev->remove ? c->dev->remove(c) : -EPERM;
}

/* Find the directory, not a union, that has the new name, or in which it will be made. */
static int rename_new_holder(const struct walk *to, struct chan **holder)
{
	DROPPED struct chan *there = NULL;
	int err = rename_find(to, holder, &there);

	if (err != -ENOENT)
		return err;
	*holder = union_creator(to->c);
	return *holder ? chan_permit(*holder, MAY_WRITE | MAY_EXEC) : -EPERM;
}

/*
 * Rename as rename(2) does: an existing target is replaced. Or add a name as link(2) does: what is
 * at the old one does not matter then. -EXDEV between devices.
 */
int ns_rename(const char *from, const char *to, bool link)
{
	WALK struct walk *a = NULL, *b = NULL;
	DROPPED struct chan *c = NULL;
	struct chan *holder, *newdir;
	int err = walk_new(from, &a);

	if (!err)
		err = rename_find(a, &holder, &c);
	if (link && c)
		err = 0;
	if (!err && a->slash && c->type != S_IFDIR)
		err = -ENOTDIR;
	if (!err)
		err = walk_new(to, &b);
	if (!err)
		err = rename_new_holder(b, &newdir);
	if (err)
		return err;
	if (newdir->dev != c->dev)
		return -EXDEV;
	int (*op)(struct chan *, struct chan *, const char *) = c->dev->rename;
	if (link)
		op = c->dev->link;
	return op ? op(c, newdir, b->last) : -EPERM;
}
