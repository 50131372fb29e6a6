/*
 * Directories that several others make up (unions), and the questions whose answer depends
 * on that: which member has a name, where new files go, which entry comes next.
 */
#include "kernel/file/union.h"
#include "kernel/file/dirtab.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"
#include "kernel/sched/sched.h"

/* Remove a user of the union, and free it when the last is gone. NULL is fine. May sleep. */
void union_put(struct union_mount *u)
{
	if (!u || __atomic_sub_fetch(&u->ref, 1, __ATOMIC_ACQ_REL))
		return;
	if (u->payer)
		account_uncharge(u->payer, ACCOUNT_MOUNTS, u->n);
	for (unsigned i = 0; i < u->n; i++)
		chan_put(u->m[i].c);
	chan_put(u->on);
	kfree(u);
}

/*
 * Have the calling process's user pay for the members of u, which takes old's place, or that of
 * nothing if old is NULL. False: the user has as many mounts as they may.
 */
bool union_charge(struct union_mount *u, const struct union_mount *old)
{
	enum payer payer = proc_self()->payer;
	uint32_t less = 0; /* what will be given back */

	if (old && (old->payer == payer || u->n < old->n))
		less = old->n;
	if (!account_replace(payer, ACCOUNT_MOUNTS, u->n, less))
		return false;
	u->payer = payer;
	return true;
}

/* Make a union for the place, with room for n members and none yet; NULL: no memory. */
static struct union_mount *union_new(struct chan *on, unsigned n)
{
	struct union_mount *u = kmalloc(sizeof(*u) + n * sizeof(u->m[0]));

	if (u)
		*u = (struct union_mount){.ref = 1, .on = chan_ref(on)};
	return u;
}

/* Return how many members there are; a directory that is no union (NULL) is its only one. */
static inline unsigned union_size(const struct union_mount *u)
{
	return u ? u->n : 1;
}

/* Return member i of the directory. */
static inline struct chan *union_member(struct chan *dir, unsigned i)
{
	return dir->mount ? dir->mount->m[i].c : dir;
}

/* Return the place c stands for in a namespace: what its union is mounted on, or c itself. */
struct chan *union_place(struct chan *c)
{
	return c->mount ? c->mount->on : c;
}

/* Return whether c is one of dir's members. */
static bool member_of(struct chan *dir, const struct chan *c)
{
	for (unsigned i = 0; i < union_size(dir->mount); i++)
		if (same_place(union_member(dir, i), c))
			return true;
	return false;
}

/* Append c, with a reference of its own; the union has room. */
static void member_add(struct union_mount *u, struct chan *c, bool create)
{
	u->m[u->n++] = (struct member){.c = chan_ref(c), .create = create};
}

/* Append the members of from to u, without those of except. */
static void members_add(struct union_mount *u, struct chan *from, struct chan *except)
{
	for (unsigned i = 0; i < union_size(from->mount); i++) {
		struct chan *c = union_member(from, i);

		if (!member_of(except, c))
			member_add(u, c, from->mount && from->mount->m[i].create);
	}
}

/*
 * Make the union that is mounted at old's place: new's members, which take new files if flags have
 * MCREATE, before old's other members (MBEFORE), after them (MAFTER), or in their place.
 */
struct union_mount *union_join(struct chan *old, struct chan *new, int flags)
{
	unsigned n = union_size(new->mount);
	struct union_mount *u = union_new(union_place(old), n + union_size(old->mount));

	if (!u)
		return NULL;
	if (flags & MAFTER)
		members_add(u, old, new);
	for (unsigned i = 0; i < n; i++)
		member_add(u, union_member(new, i), flags & MCREATE);
	if (flags & MBEFORE)
		members_add(u, old, new);
	return u;
}

/* Return whether there need be no union: it is empty, or has only the place that it is on. */
static bool union_trivial(const struct union_mount *u)
{
	if (u->n == 0)
		return true;
	return u->n == 1 && same_place(u->m[0].c, u->on);
}

/*
 * Make a union of the members of old, which is one, but for those that `less' stands for. *out is
 * NULL if nothing but the place itself would be left. -EINVAL if none of them is in old; -ENOMEM.
 */
int union_less(struct chan *old, struct chan *less, struct union_mount **out)
{
	struct union_mount *rest = union_new(old->mount->on, old->mount->n);

	*out = NULL;
	if (!rest)
		return -ENOMEM;
	members_add(rest, old, less);
	int err = rest->n == old->mount->n ? -EINVAL : 0;
	if (!err && !union_trivial(rest))
		*out = rest;
	else
		union_put(rest);
	return err;
}

/* Move c to the entry of that name, if its directory may be searched. */
static int union_walk_in(struct chan *c, const char *name)
{
	int err = chan_permit(c, MAY_EXEC);

	return err ? err : chan_walk(c, name);
}

/* Look up the entry of that name in dir alone, even if a union is mounted on it. */
static int union_find_in(struct chan *dir, const char *name, struct chan **out)
{
	struct chan *c = chan_clone(dir);

	if (!c)
		return -ENOMEM;
	int err = union_walk_in(c, name);
	if (err)
		chan_put(c);
	else
		*out = c;
	return err;
}

/*
 * Look up the entry of that name in the directory dir, or in the first member that has it if dir
 * is a union. *holder becomes that member, borrowed from dir. -EACCES if dir, or each of its
 * members, may not be searched; otherwise the first error that is not -ENOENT; -EINTR. A member
 * that may not be searched neither hides nor shows a name.
 */
int union_find(struct chan *dir, const char *name, struct chan **holder, struct chan **out)
{
	unsigned n = union_size(dir->mount);
	int result = -EACCES;

	for (unsigned i = 0; i < n; i++) {
		*holder = union_member(dir, i);
		int err = union_find_in(*holder, name, out);
		if (!err)
			return 0;
		bool undecided = result == -EACCES || result == -ENOENT;
		if (undecided && err != -EACCES)
			result = err;
		err = give_way();
		if (err)
			return err;
	}
	return result;
}

/* Move *dir, the caller's own, to its entry of that name. Errors as union_find()'s; -ENOTDIR. */
int union_walk(struct chan **dir, const char *name)
{
	struct chan *c, *holder;

	if ((*dir)->type != S_IFDIR)
		return -ENOTDIR;
	if (!(*dir)->mount)
		return union_walk_in(*dir, name);
	int err = union_find(*dir, name, &holder, &c);
	if (err)
		return err;
	chan_put(*dir);
	*dir = c;
	return 0;
}

/*
 * Check that the calling process has the MAY_ bits on c, or, if that is a union of directories, on
 * one of its members: 0, or chan_permit()'s error for the first.
 */
int union_permit(struct chan *c, int may)
{
	int first = chan_permit(c, may), err = first;

	for (unsigned i = 1; err && i < union_size(c->mount); i++) /* c is at member 0's place */
		err = chan_permit(union_member(c, i), may);
	return err ? first : 0;
}

/*
 * Return the directory that new files in dir go to: dir itself; in a union the only member,
 * or the first one mounted with MCREATE. NULL: there is none.
 */
struct chan *union_creator(struct chan *dir)
{
	struct union_mount *u = dir->mount;

	if (!u)
		return dir;
	for (unsigned i = 0; i < u->n; i++)
		if (u->m[i].create || u->n == 1)
			return u->m[i].c;
	return NULL;
}

/*
 * Return -EEXIST if one of the union's first n members has an entry of that name which the caller
 * may find, else len, which is the name's length; -EINTR, -ENOMEM.
 */
static int union_listed(const struct union_mount *u, unsigned n, const char *name, int len)
{
	for (unsigned i = 0; i < n; i++) {
		DROPPED struct chan *there = NULL;
		int err = give_way();

		if (err)
			return err;
		err = union_find_in(u->m[i].c, name, &there);
		if (err == -ENOMEM)
			return err;
		if (!err)
			return -EEXIST;
	}
	return len;
}

/*
 * Find the next entry of the member that dir's listing has come to, as union_next() does. -ENOENT:
 * it has no more, or may not be read and searched.
 */
static inline int member_entry(struct chan *dir, uint64_t *next, char *name, struct stat *st)
{
	struct chan *member = union_member(dir, dir->mount_at);

	*next = dir->offset;
	if (dir->offset == 0 && member != dir)
		if (chan_permit(member, MAY_READ | MAY_EXEC))
			return -ENOENT;
	return chan_entry(member, next, name, st);
}

/*
 * Find dir's next entry, of all members in turn if it is a union. Return the length of its name;
 * -ENOENT at the end, -EINTR. A name is listed once, and a member that may not be read and searched
 * is left out. dir->offset is a place in the member dir->mount_at; *next is the place after the
 * entry, for the caller to go on from. The caller holds dir->lock.
 */
int union_next(struct chan *dir, uint64_t *next, char *name, struct stat *st)
{
	int len;

	for (; dir->mount_at < union_size(dir->mount); dir->mount_at++, dir->offset = 0) {
		while ((len = member_entry(dir, next, name, st)) != -ENOENT) {
			if (len <= 0)
				return len;
			len = union_listed(dir->mount, dir->mount_at, name, len);
			if (len != -EEXIST)
				return len;
			dir->offset = *next;
		}
	}
	return -ENOENT;
}
