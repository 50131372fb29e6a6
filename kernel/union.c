/*
 * Directories that several others make up (unions), and the questions whose answer depends
 * on that: which member has a name, where new files go, which entry comes next.
 */
#include "kernel/memory.h"
#include "kernel/ns.h"

/* Whether two channels are at the same file, however each came there. */
bool same_place(const struct chan *a, const struct chan *b)
{
	return a->qid == b->qid && a->dev == b->dev;
}

/* One user of the union more. */
struct union_mount *union_ref(struct union_mount *u)
{
	__atomic_add_fetch(&u->ref, 1, __ATOMIC_RELAXED);
	return u;
}

/* One user of the union less; NULL is fine. May sleep. */
void union_put(struct union_mount *u)
{
	if (!u || __atomic_sub_fetch(&u->ref, 1, __ATOMIC_ACQ_REL))
		return;
	for (unsigned i = 0; i < u->n; i++)
		chan_put(u->m[i].c);
	chan_put(u->on);
	kfree(u);
}

/* An empty union for the place with room for n members. */
struct union_mount *union_new(struct chan *on, unsigned n)
{
	struct union_mount *u = kzalloc(sizeof(*u) + n * sizeof(u->m[0]));

	if (u) {
		u->ref = 1;
		u->on = chan_ref(on);
	}
	return u;
}

/* Whether c is one of the members. */
static bool has_member(const struct union_mount *u, const struct chan *c)
{
	for (unsigned i = 0; i < u->n; i++) {
		if (same_place(u->m[i].c, c))
			return true;
	}
	return false;
}

/* Appends c, with a reference of its own; the union has room. */
static void add_member(struct union_mount *u, struct chan *c, bool create)
{
	u->m[u->n++] = (struct member){.c = chan_ref(c), .create = create};
}

/* Appends the members of from to u, without those that are in except. */
static void add_members(struct union_mount *u, const struct union_mount *from,
			const struct union_mount *except)
{
	for (unsigned i = 0; i < from->n; i++) {
		if (!except || !has_member(except, from->m[i].c))
			add_member(u, from->m[i].c, from->m[i].create);
	}
}

/* A union of what c is: its members if it is one, else itself; all with that create flag. */
struct union_mount *union_of(struct chan *c, bool create)
{
	struct union_mount *u = union_new(c, c->mount ? c->mount->n : 1);

	if (!u)
		return NULL;
	if (c->mount)
		add_members(u, c->mount, NULL);
	else
		add_member(u, c, create);
	for (unsigned i = 0; i < u->n; i++)
		u->m[i].create = create;
	return u;
}

/* old's members (NULL: none) and new's in the order flags ask for, to be mounted on the place. */
struct union_mount *union_join(struct chan *on, const struct union_mount *old,
				      const struct union_mount *new, int flags)
{
	struct union_mount *u = union_new(on, new->n + (old ? old->n : 0));

	if (!u)
		return NULL;
	if (old && (flags & MAFTER))
		add_members(u, old, new);
	add_members(u, new, NULL);
	if (old && (flags & MBEFORE))
		add_members(u, old, new);
	return u;
}

/*
 * u without the members that what stands for: NULL in *out when nothing but the
 * place itself would be left. -EINVAL when none of them is in u.
 */
int union_less(struct union_mount *u, struct chan *what, struct union_mount **out)
{
	struct union_mount *less = union_of(what, false), *rest = union_new(u->on, u->n);
	int err = -ENOMEM;

	if (less && rest) {
		add_members(rest, u, less);
		err = rest->n == u->n ? -EINVAL : 0;
	}
	if (rest && (err || rest->n == 0 || (rest->n == 1 && same_place(rest->m[0].c, u->on)))) {
		union_put(rest);
		rest = NULL;
	}
	union_put(less);
	*out = rest;
	return err;
}

/* A channel to the entry elem of the one directory d, which is not a union here. */
static int find_in(struct chan *d, const char *elem, struct chan **out)
{
	int err = chan_permit(d, MAY_EXEC);
	struct chan *c;

	if (err)
		return err;
	c = chan_clone(d);
	if (!c)
		return -ENOMEM;
	err = chan_walk(c, elem);
	if (err)
		chan_put(c);
	else
		*out = c;
	return err;
}

/*
 * The entry elem of directory dir, in the first member that has it when dir is a
 * union; *holder, if asked for, is that member (borrowed from dir). The error is
 * the first one that is not -ENOENT.
 */
int union_find(struct chan *dir, const char *elem, struct chan **holder, struct chan **out)
{
	struct union_mount *u = dir->mount;
	unsigned n = u ? u->n : 1;
	int result = -ENOENT;

	if (dir->type != S_IFDIR)
		return -ENOTDIR;
	for (unsigned i = 0; i < n; i++) {
		struct chan *d = u ? u->m[i].c : dir;
		int err = find_in(d, elem, out);

		if (!err && holder)
			*holder = d;
		if (!err)
			return 0;
		if (result == -ENOENT)
			result = err;
	}
	return result;
}

/*
 * Where in dir new files go: itself; in a union the first member mounted with
 * MCREATE, or the only member there is. NULL: nowhere.
 */
struct chan *union_creator(struct chan *dir)
{
	struct union_mount *u = dir->mount;

	if (!u)
		return dir;
	if (u->n == 1)
		return u->m[0].c;
	for (unsigned i = 0; i < u->n; i++) {
		if (u->m[i].create)
			return u->m[i].c;
	}
	return NULL;
}

/* Whether one of the first n members of the union has an entry of that name. */
static bool listed_before(const struct union_mount *u, unsigned n, const char *name)
{
	bool there = false;

	for (unsigned i = 0; i < n && !there; i++) {
		struct chan *c = chan_clone(u->m[i].c);

		there = c && chan_walk(c, name) == 0;
		chan_put(c);
	}
	return there;
}

/*
 * The directory's next entry, of all members in turn if it is a union; -ENOENT at
 * the end. A name is listed once, and a member that may not be read is left out.
 * c->offset counts in the member c->mount_at. The caller holds c->lock.
 */
int union_next(struct chan *c, char *name, struct stat *st)
{
	struct union_mount *u = c->mount;
	unsigned n = u ? u->n : 1;

	while (c->mount_at < n) {
		struct chan *d = u ? u->m[c->mount_at].c : c;
		int err = -ENOENT;

		if (c->offset > 0 || !u || !chan_permit(d, MAY_READ))
			err = chan_entry(d, (unsigned)c->offset, name, st);
		if (err == -ENOENT) {
			c->mount_at++;
			c->offset = 0;
			continue;
		}
		if (err)
			return err;
		if (!u || !listed_before(u, c->mount_at, name))
			return 0;
		c->offset++;
	}
	return -ENOENT;
}
