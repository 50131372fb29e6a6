/*
 * `#9TAG`: the folder that a server with that mount tag offers, by 9P2000.L.
 *
 * A channel is at a place, which is a fid: clones of a channel share it, and one that is to
 * be opened gets its own. The server hears nothing before somebody looks into the folder, so
 * that binding it at boot costs no time that depends on the host.
 *
 * The folder is the host owner's: modes are shown without the bits for others.
 */
#include "drivers/bus/virtio9p.h"
#include "drivers/files/devices.h"
#include "drivers/files/ninep.h"
#include "kernel/memory.h"
#include "kernel/proc.h"

#define LIST_SIZE 32768 /* bytes of entries that one look into a directory brings */

/* A directory being listed; entry numbers count without "." and "..". */
struct listing {
	uint32_t fid;	/* open */
	uint64_t next;	/* the server's word for what follows the last entry looked at */
	uint8_t *buf;	/* entries from number first on: */
	size_t n, at;	/* bytes there, and of those looked at */
	unsigned first, number;
};

struct place {
	uint32_t ref;	      /* atomic */
	int server;	      /* constant */
	struct mutex lock;    /* guards what follows */
	uint32_t fid;	      /* constant once it is one: a root begins without */
	struct listing *list; /* NULL: nobody is in the middle of it */
};

static struct mutex session;	     /* guards up */
static bool up[NINEP_SERVERS];	     /* the protocol is agreed on */
static uint32_t last_fid;	     /* atomic; numbers are not used again for a long while */

/* A number that is no fid yet. */
static uint32_t new_fid(void)
{
	uint32_t fid;

	do
		fid = __atomic_add_fetch(&last_fid, 1, __ATOMIC_RELAXED);
	while (fid == NINEP_NOFID);
	return fid;
}

/* A place with one reference; NULL when out of memory. */
static struct place *place_new(int server, uint32_t fid)
{
	struct place *p = kzalloc(sizeof(*p));

	if (p) {
		p->ref = 1;
		p->server = server;
		p->fid = fid;
	}
	return p;
}

/* The listing ends. The place's lock, or nobody else has the place. */
static void list_end(struct place *p)
{
	struct listing *l = p->list;

	if (!l)
		return;
	p->list = NULL;
	ninep_clunk(p->server, l->fid);
	kfree(l->buf);
	kfree(l);
}

/* One user less; the last lets go of the fid. */
static void place_put(struct place *p)
{
	if (__atomic_sub_fetch(&p->ref, 1, __ATOMIC_ACQ_REL))
		return;
	list_end(p);
	if (p->fid != NINEP_NOFID)
		ninep_clunk(p->server, p->fid);
	kfree(p);
}

/* The protocol is agreed on when somebody first needs it. */
static int begin_session(int server)
{
	int err = 0;

	mutex_lock(&session);
	if (!up[server])
		err = ninep_version(server);
	up[server] |= !err;
	mutex_unlock(&session);
	return err;
}

/* The place's fid; a root is attached to when it is first wanted. */
static int place_fid(struct place *p, uint32_t *fid)
{
	uint32_t root;
	int err = 0;

	mutex_lock(&p->lock);
	if (p->fid == NINEP_NOFID) {
		err = begin_session(p->server);
		root = new_fid();
		if (!err)
			err = ninep_attach(p->server, root);
		if (!err)
			p->fid = root;
	}
	*fid = p->fid;
	mutex_unlock(&p->lock);
	return err;
}

/* What tells a file from all others of the device; roots have the numbers of their servers. */
static uint64_t qid_number(int server, const struct ninep_qid *qid)
{
	return qid->path ^ (uint64_t)(server + 1) << 56;
}

/* The channel is at p from now on, whose reference it takes over, and no longer where it was. */
static void move(struct chan *c, struct place *p, const struct ninep_qid *qid)
{
	struct place *was = c->aux;

	c->aux = p;
	c->qid = qid_number(p->server, qid);
	c->type = qid->type & NINEP_DIR ? S_IFDIR : S_IFREG;
	place_put(was);
}

/* A place of one's own for the entry called name, or for the same file when that is NULL. */
static int walk_from(struct place *from, const char *name, struct ninep_qid *qid,
		     struct place **out)
{
	uint32_t fid;
	int err = place_fid(from, &fid);
	struct place *p;

	if (err)
		return err;
	p = place_new(from->server, NINEP_NOFID);
	if (!p)
		return -ENOMEM;
	uint32_t own = new_fid();
	err = ninep_walk(p->server, fid, own, name, qid);
	if (err) {
		kfree(p);
		return err;
	}
	p->fid = own;
	*out = p;
	return 0;
}

/* The root of the tree with that mount tag: -ENODEV, -EACCES for others than the host owner. */
static int ninep_attach_root(struct chan *c, const char *spec)
{
	int server = virtio9p_find(spec);

	if (server < 0)
		return server;
	if (!is_eve())
		return -EACCES;
	c->aux = place_new(server, NINEP_NOFID);
	c->qid = (uint64_t)server;
	return c->aux ? 0 : -ENOMEM;
}

static void ninep_dup(struct chan *c)
{
	__atomic_add_fetch(&((struct place *)c->aux)->ref, 1, __ATOMIC_RELAXED);
}

/* A channel that was not attached has no place. */
static void ninep_drop(struct chan *c)
{
	if (c->aux)
		place_put(c->aux);
}

static int ninep_walk_chan(struct chan *c, const char *name)
{
	struct ninep_qid qid;
	struct place *p;
	int err = walk_from(c->aux, name, &qid, &p);

	if (!err)
		move(c, p, &qid);
	return err;
}

/* Modes say what the host owner may do; the host has the last word. */
static int ninep_stat(struct chan *c, struct stat *st)
{
	struct place *p = c->aux;
	struct ninep_attr a = {0};
	uint32_t fid;
	int err = place_fid(p, &fid);

	if (!err)
		err = ninep_getattr(p->server, fid, &a);
	st->st_mode = c->type | (a.mode & 0700);
	st->st_size = a.size;
	st->st_mtime = a.mtime;
	return err;
}

/* Begin the listing anew. The caller holds the place's lock. */
static int list_begin(struct place *p)
{
	struct listing *l;
	int err;

	list_end(p);
	l = kzalloc(sizeof(*l));
	if (!l)
		return -ENOMEM;
	l->buf = kmalloc(LIST_SIZE);
	l->fid = new_fid();
	err = l->buf ? ninep_walk(p->server, p->fid, l->fid, NULL, NULL) : -ENOMEM;
	if (err) {
		kfree(l->buf);
		kfree(l);
		return err;
	}
	p->list = l;
	return ninep_open(p->server, l->fid, O_RDONLY | O_DIRECTORY);
}

/* The next entry that is not "." or ".."; -ENOENT at the end. The caller holds the lock. */
static int list_next(struct place *p, struct ninep_entry *e)
{
	struct listing *l = p->list;
	ssize_t r;

	do {
		if (l->at == l->n) {
			r = ninep_readdir(p->server, l->fid, l->buf, LIST_SIZE, l->next);
			if (r <= 0)
				return r ? r : -ENOENT;
			l->n = (size_t)r;
			l->at = 0;
			l->first = l->number;
		}
		r = ninep_entry(l->buf + l->at, l->n - l->at, e);
		if (r < 0)
			return r;
		l->at += (size_t)r;
		l->next = e->next;
	} while (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0);
	l->number++;
	return 0;
}

/* Entry number i, by going on from the last one, or from the last one brought. Lock held. */
static int list_find(struct place *p, unsigned i, struct ninep_entry *e)
{
	int err = 0;

	if (!p->list || i == 0 || i < p->list->first)
		err = list_begin(p);
	if (!err && i < p->list->number) {
		p->list->at = 0;
		p->list->number = p->list->first;
	}
	while (!err) {
		err = list_next(p, e);
		if (!err && p->list->number == i + 1)
			return 0;
	}
	list_end(p);
	return err;
}

static int ninep_entry_chan(struct chan *c, unsigned i, char *name, struct stat *st)
{
	struct place *p = c->aux;
	struct ninep_entry *e = kmalloc(sizeof(*e));
	uint32_t fid;
	int err = e ? place_fid(p, &fid) : -ENOMEM;

	if (!err) {
		mutex_lock(&p->lock);
		err = list_find(p, i, e);
		mutex_unlock(&p->lock);
	}
	if (!err) {
		strlcpy(name, e->name, NAME_MAX + 1);
		st->st_ino = qid_number(p->server, &e->qid);
		st->st_mode = e->qid.type & NINEP_DIR ? S_IFDIR | 0700 : S_IFREG | 0600;
	}
	kfree(e);
	return err;
}

/* The channel's place becomes its own: its fid will be open, or gone. */
static int own_place(struct chan *c)
{
	struct place *p = c->aux;
	int err;

	if (__atomic_load_n(&p->ref, __ATOMIC_ACQUIRE) == 1 && p->fid != NINEP_NOFID)
		return 0;
	err = walk_from(p, NULL, NULL, &p);
	if (err)
		return err;
	place_put(c->aux);
	c->aux = p;
	return 0;
}

/* A fid that is open cannot be walked from, so a directory stays closed. */
static int ninep_open_chan(struct chan *c, int flags)
{
	int err = c->type == S_IFDIR ? 0 : own_place(c);
	struct place *p = c->aux;

	if (err || c->type == S_IFDIR)
		return err;
	return ninep_open(p->server, p->fid, flags & (O_ACCMODE | O_TRUNC | O_APPEND));
}

/* Others of the host's may read what is made, and not write to it, as is usual there. */
static int ninep_create_chan(struct chan *c, const char *name, uint32_t mode, int flags)
{
	struct place *dir = c->aux, *p;
	struct ninep_qid qid;
	int err;

	if (mode & S_IFDIR) {
		uint32_t fid;

		err = place_fid(dir, &fid);
		if (!err)
			err = ninep_mkdir(dir->server, fid, name, mode & 0755);
		return err ? err : ninep_walk_chan(c, name);
	}
	err = walk_from(dir, NULL, NULL, &p);
	if (err)
		return err;
	flags &= O_ACCMODE | O_TRUNC | O_APPEND;
	err = ninep_create(p->server, p->fid, name, flags | O_EXCL, mode & 0755, &qid);
	if (err)
		place_put(p);
	else
		move(c, p, &qid);
	return err;
}

/* Messages of NINEP_IO bytes until one comes back with less. */
static ssize_t ninep_read_chan(struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct place *p = c->aux;
	size_t done = 0;

	while (done < n) {
		size_t want = n - done < NINEP_IO ? n - done : NINEP_IO;
		ssize_t r = ninep_read(p->server, p->fid, (uint8_t *)buf + done, want, off + done);

		if (r < 0 && done == 0)
			return r;
		done += r > 0 ? (size_t)r : 0;
		if (r < (ssize_t)want)
			break;
	}
	return (ssize_t)done;
}

static ssize_t ninep_write_chan(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	struct place *p = c->aux;
	size_t done = 0;

	while (done < n) {
		ssize_t r = ninep_write(p->server, p->fid, (const uint8_t *)buf + done, n - done,
					off + done);

		if (r < 0 && done == 0)
			return r;
		if (r <= 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

/* The server forgets the fid, whose number nobody else gets: letting go of it does no harm. */
static int ninep_remove_chan(struct chan *c)
{
	int err = own_place(c);
	struct place *p = c->aux;

	return err ? err : ninep_remove(p->server, p->fid);
}

static int ninep_rename_chan(struct chan *c, struct chan *newdir, const char *newname)
{
	struct place *p = c->aux, *dir = newdir->aux;
	uint32_t fid, dirfid;
	int err = p->server != dir->server ? -EXDEV : place_fid(p, &fid);

	if (!err)
		err = place_fid(dir, &dirfid);
	return err ? err : ninep_rename(p->server, fid, dirfid, newname);
}

/* Change one attribute. */
static int set(struct chan *c, uint32_t which, const struct ninep_attr *a)
{
	struct place *p = c->aux;
	uint32_t fid;
	int err = place_fid(p, &fid);

	return err ? err : ninep_setattr(p->server, fid, which, a);
}

static int ninep_truncate(struct chan *c, uint64_t size)
{
	return set(c, NINEP_SETSIZE, &(struct ninep_attr){.size = size});
}

static int ninep_chmod(struct chan *c, uint32_t mode)
{
	return set(c, NINEP_SETMODE, &(struct ninep_attr){.mode = mode});
}

const struct dev ninepdev = {
	.letter = '9',
	.name = "9p",
	.init = virtio9p_init,
	.attach = ninep_attach_root,
	.walk = ninep_walk_chan,
	.entry = ninep_entry_chan,
	.stat = ninep_stat,
	.open = ninep_open_chan,
	.create = ninep_create_chan,
	.dup = ninep_dup,
	.drop = ninep_drop,
	.read = ninep_read_chan,
	.write = ninep_write_chan,
	.whole = NINEP_IO,
	.remove = ninep_remove_chan,
	.rename = ninep_rename_chan,
	.truncate = ninep_truncate,
	.chmod = ninep_chmod,
};
