/* Removing and renaming files and directories by path. */
#include "kernel/ns.h"

/*
 * Find the entry that t names, to remove or rename it. Set *holder to the directory that
 * contains it, which in a union is one of its members. -EBUSY if something is mounted on the
 * entry, -EACCES if that directory may not be written.
 */
static int find_to_change(const struct target *t, struct chan **holder, struct chan **out)
{
	int err = union_find(t->dir, t->name, holder, out);

	if (err)
		return err;
	struct union_mount *u = ns_mounted(proc_self()->ns, *out);
	err = u ? -EBUSY : chan_permit(*holder, MAY_WRITE | MAY_EXEC);
	union_put(u);
	if (err)
		chan_put(*out);
	return err;
}

/* Remove a file or an empty directory. */
int ns_remove(const char *path)
{
	struct chan *holder, *c;
	struct target t;
	int err = walk_parent(path, &t);

	if (err)
		return err;
	err = find_to_change(&t, &holder, &c);
	if (!err) {
		if (t.slash && c->type != S_IFDIR)
			err = -ENOTDIR;
		else
			err = c->dev->remove ? c->dev->remove(c) : -EPERM;
		chan_put(c);
	}
	target_put(&t);
	return err;
}

/* Find the directory, not a union, that has the new name, or in which it will be made. */
static int find_new_holder(const struct target *to, struct chan **holder)
{
	struct chan *there;
	int err = find_to_change(to, holder, &there);

	if (!err)
		chan_put(there);
	if (err != -ENOENT)
		return err;
	*holder = union_creator(to->dir);
	return *holder ? chan_permit(*holder, MAY_WRITE | MAY_EXEC) : -EPERM;
}

/* Rename, once the directories are known. */
static int rename_between(const struct target *from, const struct target *to)
{
	struct chan *holder, *newdir, *c;
	int err = find_to_change(from, &holder, &c);

	if (err)
		return err;
	err = find_new_holder(to, &newdir);
	if (!err && newdir->dev != c->dev)
		err = -EXDEV;
	if (!err)
		err = c->dev->rename ? c->dev->rename(c, newdir, to->name) : -EPERM;
	chan_put(c);
	return err;
}

/* Rename as rename(2) does: an existing target is replaced. -EXDEV between devices. */
int ns_rename(const char *from, const char *to)
{
	struct target a, b;
	int err = walk_parent(from, &a);

	if (err)
		return err;
	err = walk_parent(to, &b);
	if (!err) {
		err = rename_between(&a, &b);
		target_put(&b);
	}
	target_put(&a);
	return err;
}
