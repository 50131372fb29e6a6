/* Removing and renaming files and directories by path. */
#include "kernel/memory.h"
#include "kernel/ns.h"
#include "kernel/proc.h"

/*
 * The entry last of dir, for removing or renaming it: *holder is the directory
 * proper that has it. -EBUSY when something is mounted on it, -EACCES when the
 * directory may not be written.
 */
static int find_to_change(struct chan *dir, const char *last, struct chan **holder,
			  struct chan **out)
{
	struct union_mount *u;
	int err = union_find(dir, last, holder, out);

	if (err)
		return err;
	u = ns_mounted(proc_self()->ns, *out);
	err = u ? -EBUSY : chan_permit(*holder, MAY_WRITE | MAY_EXEC);
	union_put(u);
	if (err)
		chan_put(*out);
	return err;
}

/* Removes a file or an empty directory. */
int ns_remove(const char *path)
{
	struct chan *dir, *holder, *c;
	char last[NAME_MAX + 1];
	bool slash;
	int err = walk_parent(path, &dir, last, &slash);

	if (err)
		return err;
	err = find_to_change(dir, last, &holder, &c);
	if (!err) {
		if (slash && c->type != S_IFDIR)
			err = -ENOTDIR;
		else
			err = c->dev->remove ? c->dev->remove(c) : -EPERM;
		chan_put(c);
	}
	chan_put(dir);
	return err;
}

/* The directory proper in which a rename puts the name: where it is, or where new files go. */
static int rename_target(struct chan *dir, const char *last, struct chan **holder)
{
	struct chan *there;
	int err = find_to_change(dir, last, holder, &there);

	if (!err)
		chan_put(there);
	if (err != -ENOENT)
		return err;
	*holder = union_creator(dir);
	return *holder ? chan_permit(*holder, MAY_WRITE | MAY_EXEC) : -EPERM;
}

/* rename(2), once the directories are known. */
static int rename_between(struct chan *fromdir, const char *fromlast, struct chan *todir,
			  const char *tolast)
{
	struct chan *holder, *newdir, *c;
	int err = find_to_change(fromdir, fromlast, &holder, &c);

	if (err)
		return err;
	err = rename_target(todir, tolast, &newdir);
	if (!err && newdir->dev != c->dev)
		err = -EXDEV;
	if (!err)
		err = c->dev->rename ? c->dev->rename(c, newdir, tolast) : -EPERM;
	chan_put(c);
	return err;
}

/* rename(2): -EXDEV between devices; what had the new name is gone. */
int ns_rename(const char *from, const char *to)
{
	struct chan *fromdir, *todir;
	char *last = kmalloc(2 * (NAME_MAX + 1)), *tolast;
	bool slash;
	int err;

	if (!last)
		return -ENOMEM;
	tolast = last + NAME_MAX + 1;
	err = walk_parent(from, &fromdir, last, &slash);
	if (!err) {
		err = walk_parent(to, &todir, tolast, &slash);
		if (!err) {
			err = rename_between(fromdir, last, todir, tolast);
			chan_put(todir);
		}
		chan_put(fromdir);
	}
	kfree(last);
	return err;
}
