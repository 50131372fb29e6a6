/*
 * Directories that several others make up (unions), and the questions whose answer depends
 * on that: which member has a name, where new files go, which entry comes next.
 */
#include "kernel/account.h"
#include "kernel/ns.h"

/* Count one user of the union less and free it after the last; NULL is fine. May sleep. */
void union_put(struct union_mount *u)
{
	if (!u || __atomic_sub_fetch(&u->ref, 1, __ATOMIC_ACQ_REL))
		return;
	if (u->payer)
		account_give(u->payer, ACCOUNT_MOUNTS, u->n);
	for (unsigned i = 0; i < u->n; i++)
		chan_put(u->m[i].c);
	chan_put(u->on);
	kfree(u);
}

/* Make a union for the place, with room for n members and none yet; NULL: no memory. */
static struct union_mount *union_new(struct chan *on, unsigned n)
{
	struct union_mount *u = kzalloc(sizeof(*u) + n * sizeof(u->m[0]));

	if (u) {
		u->ref = 1;
		u->on = chan_ref(on);
	}
	return u;
}

/* Return whether c is one of the members. */
static bool has_member(const struct union_mount *u, const struct chan *c)
{
	for (unsigned i = 0; i < u->n; i++)
		if (same_place(u->m[i].c, c))
			return true;
	return false;
}

/* Append c, with a reference of its own; the union has room. */
static void add_member(struct union_mount *u, struct chan *c, bool create)
{
	u->m[u->n++] = (struct member){.c = chan_ref(c), .create = create};
}

/* Append the members of from to u, without those that are in except, which may be NULL. */
static void add_members(struct union_mount *u, const struct union_mount *from,
			const struct union_mount *except)
{
	for (unsigned i = 0; i < from->n; i++)
		if (!except || !has_member(except, from->m[i].c))
			add_member(u, from->m[i].c, from->m[i].create);
}

/* Make a union of c's members, or of c itself if it is no union; all get that create flag. */
struct union_mount *union_of(struct chan *c, bool create)
{
	unsigned n = c->mount ? c->mount->n : 1;
	struct union_mount *u = union_new(c, n);

	for (unsigned i = 0; u && i < n; i++)
		add_member(u, c->mount ? c->mount->m[i].c : c, create);
	return u;
}

/* Make a union for the place, of old's members and new's in the order that flags ask for. */
struct union_mount *union_join(struct chan *on, const struct union_mount *old,
			       const struct union_mount *new, int flags)
{
	struct union_mount *u = union_new(on, new->n + old->n);

	if (!u)
		return NULL;
	if (flags & MAFTER)
		add_members(u, old, new);
	add_members(u, new, NULL);
	if (flags & MBEFORE)
		add_members(u, old, new);
	return u;
}

/*
 * Make a union of u's members without those that what stands for. *out is NULL if nothing
 * but the place itself would be left. -EINVAL if none of them is in u; -ENOMEM.
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

/* Move c to the entry of that name, if its directory may be searched. */
static int walk_in(struct chan *c, const char *name)
{
	int err = chan_permit(c, MAY_EXEC);

	return err ? err : chan_walk(c, name);
}

/* Look up the entry of that name in dir alone, even if a union is mounted on it. */
static int find_in(struct chan *dir, const char *name, struct chan **out)
{
	struct chan *c = chan_clone(dir);
	int err = c ? walk_in(c, name) : -ENOMEM;

	if (err)
		chan_put(c);
	else
		*out = c;
	return err;
}

/*
 * Return which error a search is to end with, if it was to end with `so_far` and then a member gave
 * err. One that may not be searched counts only if all are so: it neither hides nor shows a name.
 */
static int worse(int so_far, int err)
{
	if (so_far == 0 || so_far == -EACCES)
		return err;
	return so_far == -ENOENT && err != -EACCES ? err : so_far;
}

/*
 * Look up the entry of that name in the directory dir, or in the first member that has it if dir is
 * a union. *holder becomes that member, borrowed from dir. -EACCES if dir, or no member, may be
 * searched; otherwise the first error that is not -ENOENT; -EINTR.
 */
int union_find(struct chan *dir, const char *name, struct chan **holder, struct chan **out)
{
	struct union_mount *u = dir->mount;
	unsigned n = u ? u->n : 1;
	int result = 0;

	for (unsigned i = 0; i < n; i++) {
		*holder = u ? u->m[i].c : dir;
		int err = find_in(*holder, name, out);
		if (!err)
			return 0;
		result = worse(result, err);
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
		return walk_in(*dir, name);
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
	struct union_mount *u = c->type == S_IFDIR ? c->mount : NULL;
	int err = chan_permit(c, may);

	for (unsigned i = 0; err && u && i < u->n; i++)
		if (chan_permit(u->m[i].c, may) == 0)
			return 0;
	return err;
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
 * Return 1 if one of the union's first n members has an entry of that name that the caller may
 * find, 0 if none has; -EINTR, -ENOMEM.
 */
static int listed_before(const struct union_mount *u, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++) {
		DROPPED struct chan *there = NULL;
		int err = give_way();

		if (err)
			return err;
		err = find_in(u->m[i].c, name, &there);
		if (err == -ENOMEM)
			return err;
		if (!err)
			return 1;
	}
	return 0;
}

/*
 * Find dir's next entry, of all members in turn if it is a union. Return the length of its name;
 * -ENOENT at the end, -EINTR. A name is listed once, and a member that may not be read and searched
 * is left out. dir->offset is a place in the member dir->mount_at; *next is the one behind the
 * entry, for the caller to go on from. The caller holds dir->lock.
 */
int union_next(struct chan *dir, uint64_t *next, char *name, struct stat *st)
{
	struct union_mount *u = dir->mount;
	unsigned n = u ? u->n : 1;

	while (dir->mount_at < n) {
		struct chan *d = u ? u->m[dir->mount_at].c : dir;
		int len = -ENOENT;

		*next = dir->offset;
		if (dir->offset > 0 || !u || !chan_permit(d, MAY_READ | MAY_EXEC))
			len = chan_entry(d, next, name, st);
		if (len == -ENOENT) {
			dir->mount_at++;
			dir->offset = 0;
			continue;
		}
		int err = len < 0 ? len : listed_before(u, dir->mount_at, name);
		if (err <= 0)
			return err ? err : len;
		dir->offset = *next;
	}
	return -ENOENT;
}
