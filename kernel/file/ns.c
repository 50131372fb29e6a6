/*
 * The namespace of a process group: a root, and a table that says what is mounted
 * where. A row is found by the device and qid of the place mounted on, so that it
 * holds however the place is reached. walk.c walks paths, union.c makes what is mounted.
 */
#include "kernel/file/ns.h"
#include "kernel/file/walk.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"

/* Make a namespace of only the root, to which it takes a reference; NULL: no memory. */
struct ns *ns_new(struct chan *root)
{
	struct ns *ns = kmalloc(sizeof(*ns));

	if (ns)
		*ns = (struct ns){
			.ref = 1, .root = chan_ref(root), .change.l.name = "bind", .l.name = "ns",
		};
	return ns;
}

/* Make a namespace with the same rows, which changes by itself from now on; NULL: no memory. */
struct ns *ns_copy(struct ns *ns)
{
	struct ns *new = ns_new(ns->root);

	if (!new)
		return NULL;
	HOLD_SPIN(&ns->l);
	new->n = ns->n;
	memcpy(new->near, ns->near, sizeof(new->near));
	for (unsigned i = 0; i < ns->n; i++)
		new->row[i] = union_ref(ns->row[i]);
	return new;
}

/* Remove a user, and free the namespace when the last is gone. NULL is fine. */
void ns_put(struct ns *ns)
{
	if (!ns || __atomic_sub_fetch(&ns->ref, 1, __ATOMIC_ACQ_REL))
		return;
	for (unsigned i = 0; i < ns->n; i++)
		union_put(ns->row[i]);
	chan_put(ns->root);
	kfree(ns);
}

/* Return the row for the place, or ns->n. The caller holds ns->l. */
static unsigned ns_find_row(struct ns *ns, const struct chan *place)
{
	for (unsigned i = 0; i < ns->n; i++)
		if (same_place(ns->row[i]->on, place))
			return i;
	return ns->n;
}

/* Return what is mounted on the place, with a reference of the caller's own; or NULL. */
struct union_mount *ns_mounted(struct ns *ns, const struct chan *place)
{
	HOLD_SPIN(&ns->l);
	unsigned i = ns_find_row(ns, place);
	return i < ns->n ? union_ref(ns->row[i]) : NULL;
}

/*
 * Put u, with its reference, in the place's row, or take the row out if u is NULL. -ENOSPC, and u
 * is put: the table is full, u has too many members, or the user has as many mounts as they may.
 */
static int ns_set_row(struct ns *ns, const struct chan *place, struct union_mount *u)
{
	struct union_mount *old = NULL;
	int err = 0;

	spin_lock(&ns->l);
	unsigned i = ns_find_row(ns, place);
	if (i < ns->n)
		old = ns->row[i];
	if (!u) {
		ns->row[i] = ns->row[--ns->n];
	} else if (i == NMOUNT || u->n > UNION_MAX || !union_charge(u, old)) {
		err = -ENOSPC;
		old = u;
	} else {
		ns->row[i] = u;
		ns->near[(uint32_t)place->qid / 32 % 32] |= 1u << place->qid % 32;
		ns->n += !old;
	}
	spin_unlock(&ns->l);
	union_put(old);
	return err;
}

/*
 * Find the place of that name, with what is mounted on it: on a device's root, too, which no walk
 * enters. The caller holds ns->change, so that this stays so.
 */
static int ns_find_place(struct ns *ns, const char *name, struct chan **out)
{
	int err = ns_find(name, 0, out);

	if (!err && !(*out)->mount)
		(*out)->mount = ns_mounted(ns, *out);
	return err;
}

/* Check whether new may be mounted on old: both directories, or a file replaces a file. */
static int ns_check_bind(const struct chan *new, const struct chan *old, int flags)
{
	bool dir = new->type == S_IFDIR, on_dir = old->type == S_IFDIR;

	if ((unsigned)(flags & ~MCREATE) > MAFTER) /* the last of the three */
		return -EINVAL;
	if (dir != on_dir)
		return -ENOTDIR;
	if (!dir && flags != MREPL)
		return -ENOTDIR;
	return 0;
}

/* Make name visible at old too, as bind(2): MREPL, MBEFORE or MAFTER, with MCREATE or not. */
int ns_bind(const char *name, const char *old, int flags)
{
	struct ns *ns = proc_self()->ns;
	DROPPED struct chan *to = NULL, *what = NULL;

	HOLD_MUTEX(&ns->change);
	int err = ns_find(name, 0, &what);
	if (!err)
		err = ns_find_place(ns, old, &to);
	if (!err)
		err = ns_check_bind(what, to, flags);
	if (err)
		return err;
	struct union_mount *u = union_join(to, what, flags);
	return u ? ns_set_row(ns, u->on, u) : -ENOMEM;
}

/* Take name away from old, or everything if it is NULL. -EINVAL if it is not there. */
int ns_unmount(const char *name, const char *old)
{
	struct ns *ns = proc_self()->ns;
	DROPPED struct chan *at = NULL, *what = NULL;
	struct union_mount *rest = NULL;

	HOLD_MUTEX(&ns->change);
	int err = ns_find_place(ns, old, &at);
	if (!err && name)
		err = ns_find(name, 0, &what);
	if (err)
		return err;
	if (!at->mount)
		return -EINVAL;
	if (name)
		err = union_less(at, what, &rest);
	return err ? err : ns_set_row(ns, at->mount->on, rest);
}
