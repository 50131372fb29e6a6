/*
 * `#/`, the root: a file tree in memory, which boot fills from archives (boot/cpio.c).
 * Contents are in rootfile.c, the entries of directories in rootdir.c. A file that was
 * removed lives on until its last channel is gone. Another name that link(2) gives it is
 * a node, too, an alias; and a symbolic link is a file whose content is the target.
 */
#include "drivers/files/devroot.h"
#include "drivers/files/rootdir.h"
#include "drivers/files/rootfile.h"
#include "kernel/machine/time.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"

struct node {
	struct rootent ent;  /* tree; first, so that it is found by its place in a directory */
	uint32_t ref;	     /* atomic; channels, and 1 for being in the tree */
	uint64_t qid;	     /* constant */
	uint16_t uid;	     /* constant */
	uint16_t mode;	     /* tree; but the kind is constant */
	int64_t mtime;	     /* tree */
	struct node *parent; /* tree; NULL: the root, or removed */
	struct node *file_of; /* constant; of an alias: the file */
	uint32_t nlink;	     /* tree; of a file: how many names it has */
	union {
		struct rootdir dir;   /* tree */
		struct rootfile file; /* has its own lock */
	};
};

static struct node root = {.ref = 1, .mode = S_IFDIR | 0755, .nlink = 1};
static struct mutex tree = {.l.name = "tree"}; /* taken before a file's lock */
static uint64_t lastqid;  /* tree */

/* Return whether n is a directory, which never changes. */
static bool node_is_dir(const struct node *n)
{
	return (n->mode & S_IFMT) == S_IFDIR;
}

/* Return the file that n stands for: another one's if it is an alias. */
static struct node *node_file(struct node *n)
{
	return n->file_of ? n->file_of : n;
}

static struct node *chan_file(const struct chan *c)
{
	return node_file(c->aux);
}

/* Add a reference. */
static struct node *node_ref(struct node *n)
{
	__atomic_add_fetch(&n->ref, 1, __ATOMIC_RELAXED);
	return n;
}

static void node_put(struct node *n);

static __attribute__((noinline)) void node_free(struct node *n)
{
	if (!node_is_dir(n))
		rootfile_truncate(&n->file, 0);
	if (n->file_of)
		node_put(n->file_of);
	kfree(n->ent.name);
	kfree(n);
}

/* Drop a reference. The last one frees the node, which is no longer in the tree by then. */
static void node_put(struct node *n)
{
	if (__atomic_sub_fetch(&n->ref, 1, __ATOMIC_ACQ_REL) == 0)
		node_free(n);
}

/* Return dir's entry of that name; NULL: it has none. Tree lock. */
static struct node *node_find(const struct node *dir, const char *name)
{
	return (struct node *)rootdir_find(&dir->dir, name);
}

/* Make a node that is not in the tree; NULL when out of memory. Tree lock. */
static struct node *node_new(const char *name, uint32_t mode, uint32_t uid)
{
	struct node *n = rootfile_room() ? kmalloc(sizeof(*n)) : NULL;

	if (!n)
		return NULL;
	*n = (struct node){.ref = 1, .qid = ++lastqid, .uid = uid, .mode = mode,
			   .mtime = time_unix(), .ent.name = kstrdup(name)};
	if (!node_is_dir(n))
		n->file.lock.l.name = "file";
	if (n->ent.name)
		return n;
	kfree(n);
	return NULL;
}

/* Put n into dir, which has no entry of its name. Tree lock. */
static void node_attach(struct node *dir, struct node *n)
{
	rootdir_add(&dir->dir, &n->ent);
	node_file(n)->nlink++;
	n->parent = dir;
	dir->mtime = time_unix();
}

/* Take the node out of the tree, whose reference is the caller's now. Tree lock. */
static void node_detach(struct node *n)
{
	rootdir_take(&n->parent->dir, &n->ent);
	node_file(n)->nlink--;
	n->parent->mtime = time_unix();
	n->parent = NULL;
}

/* Check that names can be made in dir: it is a directory, and was not removed. Tree lock. */
static int root_check_dir(const struct node *dir)
{
	if (!node_is_dir(dir))
		return -ENOTDIR;
	if (dir->parent || dir == &root)
		return 0;
	return -ENOENT;
}

/* Put the channel at n, whose reference it takes over. */
static void root_set_node(struct chan *c, struct node *n)
{
	c->aux = n;
	n = node_file(n);
	c->qid = n->qid;
	c->type = n->mode & S_IFMT;
}

/* There is one tree, so no spec names any other. */
static int root_attach(struct chan *c, const char *spec)
{
	if (*spec)
		return -ENOENT;
	root_set_node(c, node_ref(&root));
	return 0;
}

/* A channel holds its node. */
static void root_dup(struct chan *c)
{
	node_ref(c->aux);
}

/* A channel that was never attached has no node. */
static void root_drop(struct chan *c)
{
	if (c->aux)
		node_put(c->aux);
}

/* The new node is referenced before the old one is released, which is no file. */
static int root_walk(struct chan *c, const char *name)
{
	struct node *dir = c->aux, *n;

	if (!node_is_dir(dir))
		return -ENOTDIR;
	HOLD_MUTEX(&tree);
	n = node_find(dir, name);
	if (!n)
		return -ENOENT;
	root_set_node(c, node_ref(n));
	node_put(dir);
	return 0;
}

static int root_stat(struct chan *c, struct stat *st)
{
	struct node *n = chan_file(c);

	HOLD_MUTEX(&tree);
	st->st_mode = n->mode;
	st->st_nlink = n->nlink;
	st->st_size = node_is_dir(n) ? 0 : __atomic_load_n(&n->file.size, __ATOMIC_RELAXED);
	st->st_uid = n->uid;
	st->st_mtime = n->mtime;
	return 0;
}

/* Entries come in the order in which they were made. */
static int root_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	struct node *dir = c->aux, *n;

	HOLD_MUTEX(&tree);
	n = (struct node *)rootdir_after(&dir->dir, *at);
	if (!n)
		return -ENOENT;
	*at = n->ent.place;
	st->st_ino = node_file(n)->qid;
	st->st_mode = node_file(n)->mode;
	return (int)strlcpy(name, n->ent.name, NAME_MAX + 1);
}

/* Note that the content has changed now. */
static void node_touch(struct node *n)
{
	HOLD_MUTEX(&tree);
	n->mtime = time_unix();
}

/* The caller has refused to change the size of a directory. */
static int node_truncate(struct node *n, uint64_t size)
{
	int err = rootfile_truncate(&n->file, size);
	if (!err)
		node_touch(n);
	return err;
}

/* Only O_TRUNC asks for anything to be done. */
static int root_open(struct chan *c, int flags)
{
	return flags & O_TRUNC ? node_truncate(chan_file(c), 0) : 0;
}

static uint32_t root_hold(struct chan *c)
{
	return c->held = rootfile_hold(&chan_file(c)->file);
}

static const void *root_page(const struct chan *c, uint32_t off)
{
	return rootfile_page(&chan_file(c)->file, off);
}

static void root_close(struct chan *c)
{
	if (c->held)
		rootfile_release(&chan_file(c)->file);
}

/* Check that dir can have a new entry of that name. Tree lock. */
static int root_check_new(const struct node *dir, const char *name)
{
	int err = root_check_dir(dir);

	if (err)
		return err;
	return node_find(dir, name) ? -EEXIST : 0;
}

/* Make an entry that belongs to the calling process, and move the channel to it. */
static int root_create(struct chan *c, const char *name, uint32_t mode, int)
{
	struct node *dir = c->aux, *n;

	HOLD_MUTEX(&tree);
	int err = root_check_new(dir, name);
	if (err)
		return err;
	n = node_new(name, mode, (uint32_t)proc_self()->uid);
	if (!n)
		return -ENOSPC;
	node_attach(dir, n);
	root_set_node(c, node_ref(n));
	node_put(dir);
	return 0;
}

/* The caller has refused to read directories. */
static ssize_t root_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	return rootfile_read(&chan_file(c)->file, buf, n, off);
}

/* A channel for appending writes at the end, whatever the offset. */
static ssize_t root_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	struct node *node = chan_file(c);
	ssize_t r = rootfile_write(&node->file, buf, n, off, c->flags & O_APPEND);

	if (r > 0)
		node_touch(node);
	return r;
}

/* Take a file or an empty directory out of the tree: 0 or -ENOTEMPTY. Tree lock. */
static int node_remove(struct node *n)
{
	if (node_is_dir(n) && n->dir.n > 0)
		return -ENOTEMPTY;
	node_detach(n);
	node_put(n);
	return 0;
}

/* Whoever has it open keeps it; and the channel has a reference, so the tree's is not the last. */
static int root_remove(struct chan *c)
{
	struct node *n = c->aux;

	HOLD_MUTEX(&tree);
	if (n == &root)
		return -EBUSY;
	if (!n->parent)
		return -ENOENT;
	return node_remove(n);
}

/* Check that n is a directory, or that it is none: 0, -ENOTDIR or -EISDIR. */
static int root_check_kind(const struct node *n, bool dir)
{
	if (node_is_dir(n) == dir)
		return 0;
	return dir ? -ENOTDIR : -EISDIR;
}

/* Check that n can be moved to dir: it is in the tree, and dir is not n or below it. Tree lock. */
static int node_check_move(const struct node *n, const struct node *dir)
{
	int err = root_check_dir(dir);

	if (err)
		return err;
	if (n == &root)
		return -EBUSY;
	if (!n->parent)
		return -ENOENT;
	for (const struct node *up = dir; up; up = up->parent)
		if (up == n)
			return -EINVAL;
	return 0;
}

/* Move n to dir under the name, whose memory it takes over if it succeeds. Tree lock. */
static int node_move(struct node *n, struct node *dir, char *name)
{
	int err = node_check_move(n, dir);

	if (err)
		return err;
	struct node *old = node_find(dir, name);
	if (old && node_file(old) == node_file(n)) {
		kfree(name);
		return 0;
	}
	if (old) { /* it is replaced, if it is empty and of the same kind */
		err = root_check_kind(old, node_is_dir(n));
		if (!err)
			err = node_remove(old);
	}
	if (err)
		return err;
	node_detach(n);
	kfree(n->ent.name);
	n->ent.name = name;
	node_attach(dir, n);
	return 0;
}

/* The memory that is needed is allocated before anything changes. */
static int root_rename(struct chan *c, struct chan *newdir, const char *newname)
{
	char *name = kstrdup(newname);

	if (!name)
		return -ENOSPC;
	HOLD_MUTEX(&tree);
	int err = node_move(c->aux, newdir->aux, name);
	if (err)
		kfree(name);
	return err;
}

/*
 * Give a file another name. None can be given to a directory, nor by anybody but the file's owner,
 * who pays for it as long as it has one.
 */
static int root_link(struct chan *c, struct chan *newdir, const char *newname)
{
	struct node *n = chan_file(c), *dir = newdir->aux, *alias;

	if (node_is_dir(n))
		return -EPERM;
	if (!is_eve() && n->uid != proc_self()->uid)
		return -EPERM;
	HOLD_MUTEX(&tree);
	int err = root_check_new(dir, newname);
	if (err)
		return err;
	if (n->nlink == 0)
		return -ENOENT;
	if (n->nlink == LINK_MAX)
		return -EMLINK;
	alias = node_new(newname, n->mode, n->uid);
	if (!alias)
		return -ENOSPC;
	alias->file_of = node_ref(n);
	node_attach(dir, alias);
	return 0;
}

static int root_set(struct chan *c, uint32_t what, uint64_t value)
{
	struct node *n = chan_file(c);

	if (what == FSET_SIZE)
		return node_truncate(n, value);
	HOLD_MUTEX(&tree);
	if (what == FSET_MODE)
		n->mode = (n->mode & S_IFMT) | (uint16_t)value;
	else
		n->mtime = (int64_t)value;
	return 0;
}

int devroot_rom(struct chan *c, uint32_t mode, int64_t mtime, const void *data, size_t n)
{
	struct node *node = c->aux;
	int err = root_check_kind(node, (mode & S_IFMT) == S_IFDIR);

	if (err)
		return err;
	HOLD_MUTEX(&tree);
	node->mode = mode;
	node->mtime = mtime;
	if (!node_is_dir(node))
		rootfile_rom(&node->file, data, n);
	return 0;
}

const struct dev rootdev = {
	.letter = '/', .name = "root", .attach = root_attach, .walk = root_walk, .stat = root_stat,
	.entry = root_entry, .open = root_open, .create = root_create, .close = root_close,
	.dup = root_dup, .drop = root_drop, .read = root_read, .write = root_write, .direct = true,
	.remove = root_remove, .rename = root_rename, .link = root_link, .set = root_set,
	.hold = root_hold, .page = root_page,
};
