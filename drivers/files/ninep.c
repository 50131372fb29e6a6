/*
 * 9P2000.L messages: see ninep.h. A message is its size (4 bytes, which count too), its type
 * (1), a tag (2), and fields; numbers begin with the lowest byte, a string with its length in
 * two bytes. The answer's type is the request's plus 1, or RLERROR. What a server says is
 * believed only as far as it fits what was asked.
 */
#include "drivers/files/ninep.h"
#include "drivers/bus/le.h"
#include "drivers/bus/virtio.h"
#include "drivers/bus/virtio9p.h"
#include "kernel/lib.h"

enum type {
	RLERROR = 7, TLOPEN = 12, TLCREATE = 14, TRENAME = 20, TGETATTR = 24, TSETATTR = 26,
	TREADDIR = 40, TMKDIR = 72, TVERSION = 100, TATTACH = 104, TWALK = 110, TREAD = 116,
	TWRITE = 118, TCLUNK = 120, TREMOVE = 122,
};

#define NOTAG 0xffff
#define NOUID 0xffffffffu /* files belong to the user the server runs as */
#define VERSION "9P2000.L"
#define MSIZE (NINEP_IO + 24) /* a Twrite's fields before its data: 23 bytes */
#define SMALL 512	      /* bytes of data that are still copied into the message */
#define TYPE_AT 4	      /* where a message has its type */
#define TAG_AT 5
#define GETATTR_BASIC 0x7ffull

/*
 * A request and its answer. The first error sticks: after it nothing more is put into the
 * message, sent, or taken from the answer, where all numbers are then 0.
 */
struct rpc {
	int server;
	int err;
	struct ninep_msg *m; /* NULL: there was none to be had, and err says why */
	uint32_t at;	     /* bytes of the answer that have been read */
};

/* Note that the answer makes no sense unless ok. */
static void expect(struct rpc *r, bool ok)
{
	if (!r->err && !ok)
		r->err = -EPROTO;
}

/* Append bytes as they are, if there is room. */
static void put_bytes(struct rpc *r, const void *p, size_t n)
{
	if (!r->err && n > sizeof(r->m->out) - r->m->nout)
		r->err = -ENAMETOOLONG;
	if (r->err)
		return;
	memcpy(r->m->out + r->m->nout, p, n);
	r->m->nout += n;
}

/* Append a number of n bytes. */
static void put(struct rpc *r, unsigned n, uint64_t v)
{
	uint8_t number[8];

	le_put(number, n, v);
	put_bytes(r, number, n);
}

/* Append a string: its length in two bytes, then the characters without a NUL. */
static void put_string(struct rpc *r, const char *s)
{
	put(r, 2, strlen(s));
	put_bytes(r, s, strlen(s));
}

/* Return how many bytes of the answer have not been read. */
static uint32_t unread(const struct rpc *r)
{
	return r->err ? 0 : r->m->answer - r->at;
}

/* Read past n bytes, which must be in the message itself, and return where they are, or NULL. */
static const uint8_t *skip(struct rpc *r, unsigned n)
{
	if (!r->err) {
		uint32_t most = r->m->nrecv ? NINEP_DATA : NINEP_MSG;

		expect(r, n <= unread(r) && r->at + n <= most);
		r->at += n;
	}
	return r->err ? NULL : r->m->in + r->at - n;
}

/* Read the next number, of n bytes. */
static uint64_t get(struct rpc *r, unsigned n)
{
	const uint8_t *p = skip(r, n);

	return p ? le_get(p, n) : 0;
}

/* Read a qid: type (1 byte), version (4), path (8). */
static struct ninep_qid get_qid(struct rpc *r)
{
	struct ninep_qid q = {.type = (uint8_t)get(r, 1)};

	skip(r, 4); /* the version is of use to caches only */
	q.path = get(r, 8);
	return q;
}

/* Begin a message of that type with its first field. Signals do not end the wait for a Tclunk. */
static struct rpc begin(int server, enum type type, uint32_t fid)
{
	struct rpc r = {.server = server};

	r.err = virtio9p_begin(server, type == TCLUNK, &r.m);
	put(&r, 4, 0); /* the size, which set_size() puts here */
	put(&r, 1, type);
	put(&r, 2, type == TVERSION || r.err ? NOTAG : r.m->tag);
	put(&r, 4, fid);
	return r;
}

/* The message is complete: say how long it is. */
static void set_size(struct ninep_msg *m)
{
	le_put(m->out, 4, m->nout + m->nsend);
}

/* Take the server's error, whose numbers are ours. */
static void get_error(struct rpc *r)
{
	uint64_t error = get(r, 4);

	expect(r, error > 0 && error < 4096);
	if (!r->err)
		r->err = -(int)error;
}

/* Send the message, and check what all answers have in common. */
static void exchange(struct rpc *r)
{
	struct ninep_msg *m = r->m;
	uint64_t type;

	if (r->err)
		return;
	set_size(m);
	r->err = virtio9p_call(r->server, m);
	expect(r, get(r, 4) == m->answer);
	type = get(r, 1);
	expect(r, get(r, 2) == le_get16(m->out + TAG_AT));
	if (type == RLERROR)
		get_error(r);
	expect(r, type == m->out[TYPE_AT] + 1u);
}

/* Release the message: 0, or the error. */
static int finish(struct rpc *r)
{
	if (r->m)
		virtio9p_end(r->server, r->m);
	return r->err;
}

/* Send a message whose answer holds nothing of interest. */
static int conclude(struct rpc *r)
{
	exchange(r);
	return finish(r);
}

/* Tversion: msize version; Rversion: the same, where a server may ask for less of both. */
int ninep_version(int server)
{
	const unsigned n = sizeof(VERSION) - 1;
	struct rpc r = begin(server, TVERSION, MSIZE);

	put_string(&r, VERSION);
	exchange(&r);
	expect(&r, get(&r, 4) == MSIZE && get(&r, 2) == n && unread(&r) == n &&
			   memcmp(skip(&r, n), VERSION, n) == 0);
	return finish(&r);
}

/* Tattach: fid afid uname aname n_uname; Rattach: qid. */
int ninep_attach(int server, uint32_t fid)
{
	struct rpc r = begin(server, TATTACH, fid);

	put(&r, 4, NINEP_NOFID); /* no authentication */
	put_string(&r, "eve");
	put_string(&r, "");
	put(&r, 4, NOUID);
	return conclude(&r);
}

/* Twalk: fid newfid nwname(2) wname...; Rwalk: nwqid(2) qid... */
int ninep_walk(int server, uint32_t fid, uint32_t newfid, const char *name, struct ninep_qid *qid)
{
	struct rpc r = begin(server, TWALK, fid);

	put(&r, 4, newfid);
	put(&r, 2, name != NULL);
	if (name)
		put_string(&r, name);
	exchange(&r);
	expect(&r, get(&r, 2) == (name != NULL));
	if (name)
		*qid = get_qid(&r);
	return finish(&r);
}

/* Tlopen: fid flags; Rlopen: qid iounit. The flags are Linux's, which ours are too. */
int ninep_open(int server, uint32_t fid, int flags)
{
	struct rpc r = begin(server, TLOPEN, fid);

	put(&r, 4, (uint32_t)flags);
	return conclude(&r);
}

/* Tlcreate: fid name flags mode gid; Rlcreate: qid iounit. */
int ninep_create(int server, uint32_t fid, const char *name, int flags, uint32_t mode,
		 struct ninep_qid *qid)
{
	struct rpc r = begin(server, TLCREATE, fid);

	put_string(&r, name);
	put(&r, 4, (uint32_t)flags);
	put(&r, 4, mode);
	put(&r, 4, NOUID);
	exchange(&r);
	*qid = get_qid(&r);
	return finish(&r);
}

/* Tmkdir: dfid name mode gid; Rmkdir: qid. */
int ninep_mkdir(int server, uint32_t fid, const char *name, uint32_t mode)
{
	struct rpc r = begin(server, TMKDIR, fid);

	put_string(&r, name);
	put(&r, 4, mode);
	put(&r, 4, NOUID);
	return conclude(&r);
}

/* Whether data go to or come from the caller's memory directly. */
static bool goes_apart(const void *buf, size_t n)
{
	return n > SMALL && virtio_reaches(buf);
}

/* Return how much of n bytes one message can carry. */
static uint32_t in_one(const void *buf, size_t n)
{
	size_t most = goes_apart(buf, n) ? NINEP_IO : SMALL;

	return (uint32_t)(n < most ? n : most);
}

/*
 * Tread, Treaddir: fid offset(8) count; Rread, Rreaddir: count data. Data that go apart come
 * right after count, at NINEP_DATA.
 */
static ssize_t read_data(int server, enum type type, uint32_t fid, void *buf, size_t n,
			 uint64_t off)
{
	uint32_t want = in_one(buf, n), got;
	struct rpc r = begin(server, type, fid);

	put(&r, 8, off);
	put(&r, 4, want);
	if (!r.err && goes_apart(buf, n)) {
		r.m->recv = buf;
		r.m->nrecv = want;
	}
	exchange(&r);
	got = (uint32_t)get(&r, 4);
	expect(&r, got <= want && got == unread(&r));
	if (!r.err && !r.m->nrecv)
		memcpy(buf, r.m->in + r.at, got);
	return finish(&r) ? r.err : (ssize_t)got;
}

ssize_t ninep_read(int server, uint32_t fid, void *buf, size_t n, uint64_t off)
{
	return read_data(server, TREAD, fid, buf, n, off);
}

ssize_t ninep_readdir(int server, uint32_t fid, void *buf, size_t n, uint64_t off)
{
	return read_data(server, TREADDIR, fid, buf, n, off);
}

/* Twrite: fid offset(8) count data; Rwrite: count. */
ssize_t ninep_write(int server, uint32_t fid, const void *buf, size_t n, uint64_t off)
{
	uint32_t want = in_one(buf, n), written;
	struct rpc r = begin(server, TWRITE, fid);

	put(&r, 8, off);
	put(&r, 4, want);
	if (!goes_apart(buf, n)) {
		put_bytes(&r, buf, want);
	} else if (!r.err) {
		r.m->send = buf;
		r.m->nsend = want;
	}
	exchange(&r);
	written = (uint32_t)get(&r, 4);
	expect(&r, written <= want);
	return finish(&r) ? r.err : (ssize_t)written;
}

/*
 * Tgetattr: fid request_mask(8); Rgetattr: valid(8) qid mode uid gid nlink(8) rdev(8) size(8)
 * blksize(8) blocks(8) atime mtime ctime btime, each time as seconds (8) and nanoseconds (8).
 */
int ninep_getattr(int server, uint32_t fid, struct ninep_attr *a)
{
	struct rpc r = begin(server, TGETATTR, fid);

	put(&r, 8, GETATTR_BASIC);
	exchange(&r);
	skip(&r, 8 + 13); /* which fields are valid; the qid */
	a->mode = (uint32_t)get(&r, 4);
	skip(&r, 4 + 4 + 8 + 8); /* user, group, links, device */
	a->size = get(&r, 8);
	skip(&r, 8 + 8 + 16); /* block size, blocks, time of the last access */
	a->mtime = (int64_t)get(&r, 8);
	return finish(&r);
}

/* Tsetattr: fid valid mode uid gid size(8) atime mtime; Rsetattr. */
int ninep_setattr(int server, uint32_t fid, uint32_t which, const struct ninep_attr *a)
{
	struct rpc r = begin(server, TSETATTR, fid);

	put(&r, 4, which);
	put(&r, 4, a->mode);
	put(&r, 4, NOUID);
	put(&r, 4, NOUID);
	put(&r, 8, a->size);
	for (unsigned i = 0; i < 4; i++)
		put(&r, 8, 0); /* times, which are never among the fields to set */
	return conclude(&r);
}

/* An entry: qid (13 bytes), place of the next entry (8), type (1), name (length in 2 bytes). */
ssize_t ninep_entry(const uint8_t *p, size_t n, struct ninep_entry *e)
{
	uint32_t len;

	if (n < 24)
		return -EPROTO;
	len = le_get16(p + 22);
	if (len == 0 || len > NAME_MAX || len > n - 24)
		return -EPROTO;
	e->qid = (struct ninep_qid){.type = p[0], .path = le_get(p + 5, 8)};
	e->next = le_get(p + 13, 8);
	memcpy(e->name, p + 24, len);
	e->name[len] = 0;
	if (strlen(e->name) != len || strchr(e->name, '/'))
		return -EPROTO;
	return (ssize_t)(24 + len);
}

/* Tremove: fid; Rremove. */
int ninep_remove(int server, uint32_t fid)
{
	struct rpc r = begin(server, TREMOVE, fid);

	return conclude(&r);
}

/* Tclunk: fid; Rclunk. */
void ninep_clunk(int server, uint32_t fid)
{
	struct rpc r = begin(server, TCLUNK, fid);

	if (r.err)
		return;
	set_size(r.m);
	virtio9p_post(server, r.m);
}

/* Trename: fid dfid name; Rrename. */
int ninep_rename(int server, uint32_t fid, uint32_t dirfid, const char *name)
{
	struct rpc r = begin(server, TRENAME, fid);

	put(&r, 4, dirfid);
	put_string(&r, name);
	return conclude(&r);
}
