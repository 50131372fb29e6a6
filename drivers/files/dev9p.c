/*
 * `#9TAG`: the folder that a server with that mount tag offers, by 9P2000.L.
 *
 * A channel is at a place, which is a fid: clones of a channel share it, and one that is to
 * be opened gets its own. Nothing is asked of the server before somebody looks into the folder, so
 * binding it at boot costs no time that depends on the host.
 *
 * The folder is the host owner's: modes are shown without the bits for others.
 */
#include "drivers/bus/virtio9p.h"
#include "drivers/files/ninep.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"

#define LIST_SIZE 32448 /* bytes of entries that a request brings; a listing fits eight pages */
#define OPEN_FLAGS (O_ACCMODE | O_TRUNC | O_APPEND) /* those that the server is told of */

/*
 * A directory being listed. Places in it are the server's, who may be asked for what follows any of
 * them; but most programs list on from the last entry, or ask for that again.
 */
struct listing {
	uint32_t fid;		  /* open */
	uint64_t place;		  /* that of the last entry */
	struct ninep_entry entry; /* which is here */
	size_t n, at;		  /* bytes in buf; where the entry after it is */
	uint8_t buf[LIST_SIZE];
};

struct place {
	uint32_t ref;	      /* atomic */
	int server;	      /* constant */
	struct mutex lock;
	uint32_t fid;	      /* lock; constant once it is one: a root begins without */
	struct listing *list; /* lock; NULL: nobody is in the middle of it */
};

static struct mutex session = {.l.name = "session"};
static bool up[NINEP_SERVERS]; /* session; the protocol is agreed on */
static uint32_t last_fid;      /* atomic; numbers are not used again for a long while */

/* Return a number that is no fid yet, and never NINEP_NOFID. */
static uint32_t dev9p_new_fid(void)
{
	return __atomic_add_fetch(&last_fid, 1, __ATOMIC_RELAXED) & INT32_MAX;
}

/* Make a place with one reference and without a fid; NULL when out of memory. */
static struct place *place_new(int server)
{
	struct place *p = kzalloc(sizeof(*p));

	if (p)
		*p = (struct place){.ref = 1, .server = server, .lock.l.name = "place",
				    .fid = NINEP_NOFID};
	return p;
}

/* End the listing. The caller holds the place's lock, or nobody else has the place. */
static void list_end(struct place *p)
{
	struct listing *l = p->list;

	if (!l)
		return;
	p->list = NULL;
	ninep_clunk(p->server, l->fid);
	kfree(l);
}

/* Drop a reference. The last one takes the fid with it. NULL is fine. */
static void place_put(struct place *p)
{
	if (!p || __atomic_sub_fetch(&p->ref, 1, __ATOMIC_ACQ_REL))
		return;
	list_end(p);
	if (p->fid != NINEP_NOFID)
		ninep_clunk(p->server, p->fid);
	kfree(p);
}

/*
 * Make a root's fid the root of the server's tree, and before the first agree on the protocol. The
 * caller holds the place's lock.
 */
static int dev9p_attach_root(struct place *p)
{
	uint32_t fid = dev9p_new_fid();
	int err = 0;

	HOLD_MUTEX(&session);
	if (!up[p->server])
		err = ninep_version(p->server);
	up[p->server] = !err;
	if (!err)
		err = ninep_attach(p->server, fid);
	if (!err)
		p->fid = fid;
	return err;
}

/* Make sure that the place has its fid, which a root gets when it is first wanted. */
static int place_ready(struct place *p)
{
	HOLD_MUTEX(&p->lock);
	return p->fid == NINEP_NOFID ? dev9p_attach_root(p) : 0;
}

/* Return what tells a file from all others of the device; roots have their servers' numbers. */
static uint64_t dev9p_qid_number(int server, const struct ninep_qid *qid)
{
	return qid->path ^ (uint64_t)(server + 1) << 56;
}

/* Note which of the server's files the channel is at. */
static void dev9p_set_file(struct chan *c, int server, const struct ninep_qid *qid)
{
	c->qid = dev9p_qid_number(server, qid);
	c->type = qid->type & NINEP_DIR ? S_IFDIR : S_IFREG;
}

/* Go to the root of the tree with that mount tag: -ENODEV, or -EACCES for all but the owner. */
static int dev9p_attach(struct chan *c, const char *spec)
{
	int server = virtio9p_find(spec);

	if (server < 0)
		return server;
	if (!is_eve())
		return -EACCES;
	c->aux = place_new(server);
	c->qid = (uint64_t)server;
	return c->aux ? 0 : -ENOMEM;
}

/* Clones share the place. */
static void dev9p_dup(struct chan *c)
{
	__atomic_add_fetch(&((struct place *)c->aux)->ref, 1, __ATOMIC_RELAXED);
}

/* A channel that was not attached has no place. */
static void dev9p_drop(struct chan *c)
{
	place_put(c->aux);
}

/*
 * Give the channel a new place, for the entry called name or, if that is NULL, for the same file.
 * On failure it stays where it is.
 */
static int dev9p_walk(struct chan *c, const char *name)
{
	struct place *from = c->aux, *p;
	uint32_t fid = dev9p_new_fid();
	struct ninep_qid qid;
	int err = place_ready(from);

	if (err)
		return err;
	p = place_new(from->server);
	if (!p)
		return -ENOMEM;
	err = ninep_walk(p->server, from->fid, fid, name, &qid);
	if (err) {
		place_put(p);
		return err;
	}
	p->fid = fid;
	if (name)
		dev9p_set_file(c, p->server, &qid);
	c->aux = p;
	place_put(from);
	return 0;
}

/* Modes say what the host owner may do; the host has the last word. */
static int dev9p_stat(struct chan *c, struct stat *st)
{
	struct place *p = c->aux;
	struct ninep_attr a = {0};
	int err = place_ready(p);

	if (!err)
		err = ninep_getattr(p->server, p->fid, &a);
	st->st_mode = c->type | (a.mode & 0700);
	st->st_size = a.size;
	st->st_mtime = a.mtime;
	return err;
}

/*
 * Begin the listing anew. On failure the caller, who holds the place's lock, ends it; it does no
 * harm to clunk a fid that the server never accepted.
 */
static int list_begin(struct place *p)
{
	list_end(p);
	struct listing *l = p->list = kzalloc(sizeof(*l));
	if (!l)
		return -ENOMEM;
	l->fid = dev9p_new_fid();
	int err = ninep_walk(p->server, p->fid, l->fid, NULL, NULL);
	if (!err)
		err = ninep_open(p->server, l->fid, O_RDONLY | O_DIRECTORY);
	return err;
}

/* Go to the next entry that is not "." or "..", fetching more if need be: -ENOENT at the end. */
static int list_next(int server, struct listing *l)
{
	struct ninep_entry *e = &l->entry;
	ssize_t n;

	do {
		if (l->at == l->n) {
			n = ninep_readdir(server, l->fid, l->buf, LIST_SIZE, e->next);
			if (n < 0)
				return n;
			if (n == 0)
				return -ENOENT;
			l->n = (size_t)n;
			l->at = 0;
		}
		n = ninep_entry(l->buf + l->at, l->n - l->at, e);
		if (n < 0)
			return n;
		l->at += (size_t)n;
	} while (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0);
	return 0;
}

/* Find the entry at that place, 0 being the beginning. The caller holds the lock. */
static int list_find(struct place *p, uint64_t at)
{
	int err = 0;

	if (!p->list || at == 0)
		err = list_begin(p);
	if (err)
		return err;
	struct listing *l = p->list;
	if (at > 0 && at == l->place)
		return 0;
	if (at != l->entry.next)
		l->at = l->n = 0;
	l->place = l->entry.next = at;
	return list_next(p->server, l);
}

/* Listings carry no modes: an entry is shown with all rights that its owner may have. */
static int dev9p_entry(struct chan *c, uint64_t *at, char *name, struct stat *st)
{
	struct place *p = c->aux;
	int err = place_ready(p);

	if (err)
		return err;
	HOLD_MUTEX(&p->lock);
	err = list_find(p, *at);
	if (err) {
		list_end(p);
		return err;
	}
	const struct ninep_entry *e = &p->list->entry;
	*at = e->next;
	st->st_ino = dev9p_qid_number(p->server, &e->qid);
	st->st_mode = e->qid.type & NINEP_DIR ? S_IFDIR | 0700 : S_IFREG | 0600;
	return (int)strlcpy(name, e->name, NAME_MAX + 1);
}

/* Give the channel a place that no other shares, for its fid will be open, or gone. */
static int dev9p_own_place(struct chan *c)
{
	struct place *p = c->aux;
	bool own = __atomic_load_n(&p->ref, __ATOMIC_ACQUIRE) == 1 && p->fid != NINEP_NOFID;

	return own ? 0 : dev9p_walk(c, NULL);
}

/* A directory stays closed, for a fid that is open cannot be walked from. */
static int dev9p_open(struct chan *c, int flags)
{
	if (c->type == S_IFDIR)
		return 0;
	int err = dev9p_own_place(c);
	if (err)
		return err;
	struct place *p = c->aux;
	return ninep_open(p->server, p->fid, flags & OPEN_FLAGS);
}

/* Make a directory, and go there. */
static int dev9p_make_dir(struct chan *c, const char *name, uint32_t mode)
{
	struct place *dir = c->aux;
	int err = place_ready(dir);

	if (!err)
		err = ninep_mkdir(dir->server, dir->fid, name, mode);
	if (!err)
		err = dev9p_walk(c, name);
	return err;
}

/* Other users of the host may read what is made but not write to it, as is usual there. */
static int dev9p_create(struct chan *c, const char *name, uint32_t mode, int flags)
{
	struct ninep_qid qid;

	if (mode & S_IFDIR)
		return dev9p_make_dir(c, name, mode & 0755);
	int err = dev9p_own_place(c);
	struct place *p = c->aux;
	flags = (flags & OPEN_FLAGS) | O_EXCL;
	if (!err)
		err = ninep_create(p->server, p->fid, name, flags, mode & 0755, &qid);
	if (!err)
		dev9p_set_file(c, p->server, &qid);
	return err;
}

/* The kernel asks for no more at a time than a message carries, and knows what less means. */
static ssize_t dev9p_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct place *p = c->aux;

	return ninep_read(p->server, p->fid, buf, n, off);
}

static ssize_t dev9p_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	struct place *p = c->aux;

	return ninep_write(p->server, p->fid, buf, n, off);
}

/* The server forgets the fid; its number is not used again, so the clunk later does no harm. */
static int dev9p_remove(struct chan *c)
{
	int err = dev9p_own_place(c);
	struct place *p = c->aux;

	if (!err)
		err = ninep_remove(p->server, p->fid);
	return err;
}

/* Both ends must be on the same server: -EXDEV. */
static int dev9p_rename(struct chan *c, struct chan *newdir, const char *newname)
{
	struct place *p = c->aux, *dir = newdir->aux;

	if (p->server != dir->server)
		return -EXDEV;
	int err = place_ready(p);
	if (!err)
		err = place_ready(dir);
	if (!err)
		err = ninep_rename(p->server, p->fid, dir->fid, newname);
	return err;
}

static int dev9p_set(struct chan *c, uint32_t what, uint64_t value)
{
	static const uint32_t which[] = {
		[FSET_SIZE] = NINEP_SETSIZE, [FSET_MODE] = NINEP_SETMODE,
		[FSET_MTIME] = NINEP_SETMTIME,
	};
	struct place *p = c->aux;
	int err = place_ready(p);

	return err ? err : ninep_setattr(p->server, p->fid, which[what], value);
}

const struct dev ninepdev = {
	.letter = '9', .name = "9p", .init = virtio9p_init, .attach = dev9p_attach,
	.walk = dev9p_walk, .entry = dev9p_entry, .stat = dev9p_stat, .open = dev9p_open,
	.create = dev9p_create, .dup = dev9p_dup, .drop = dev9p_drop, .read = dev9p_read,
	.write = dev9p_write, .whole = NINEP_IO, .remove = dev9p_remove, .rename = dev9p_rename,
	.set = dev9p_set,
};
