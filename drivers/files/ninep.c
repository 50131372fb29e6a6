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
#include "kernel/machine/string.h"

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
static void ninep_expect(struct rpc *r, bool ok)
{
	if (!r->err && !ok)
		r->err = -EPROTO;
}

/* Append bytes as they are, if there is room. */
static void ninep_put_bytes(struct rpc *r, const void *p, size_t n)
{
	if (!r->err && n > sizeof(r->m->out) - r->m->nout)
		r->err = -ENAMETOOLONG;
	if (r->err)
		return;
	memcpy(r->m->out + r->m->nout, p, n);
	r->m->nout += n;
}

/* Append a number of n bytes. */
static void ninep_put(struct rpc *r, unsigned n, uint64_t v)
{
	uint8_t number[8];

	le_put(number, n, v);
	ninep_put_bytes(r, number, n);
}

/* Append fields: 2, 4 and 8 are numbers of as many bytes, s is a string, with its length. */
static void ninep_put_fields(struct rpc *r, const char *fields, va_list ap)
{
	for (; *fields; fields++) {
		if (*fields == '8') {
			ninep_put(r, 8, va_arg(ap, uint64_t));
		} else if (*fields != 's') {
			ninep_put(r, (unsigned)(*fields - '0'), va_arg(ap, uint32_t));
		} else {
			const char *s = va_arg(ap, const char *);

			ninep_put(r, 2, strlen(s));
			ninep_put_bytes(r, s, strlen(s));
		}
	}
}

/* Return how many bytes of the answer have not been read. */
static uint32_t ninep_unread(const struct rpc *r)
{
	return r->err ? 0 : r->m->answer - r->at;
}

/* Read past n bytes, which must be in the message itself, and return where they are, or NULL. */
static const uint8_t *ninep_skip(struct rpc *r, unsigned n)
{
	if (r->err)
		return NULL;
	uint32_t most = r->m->nrecv ? NINEP_DATA : NINEP_MSG;
	ninep_expect(r, n <= ninep_unread(r) && r->at + n <= most);
	if (r->err)
		return NULL;
	r->at += n;
	return r->m->in + r->at - n;
}

/* Read the next number, of n bytes. */
static uint64_t ninep_get(struct rpc *r, unsigned n)
{
	const uint8_t *p = ninep_skip(r, n);

	return p ? le_get(p, n) : 0;
}

/* Read a qid: type (1 byte), version (4), path (8). */
static struct ninep_qid ninep_get_qid(struct rpc *r)
{
	struct ninep_qid q = {.type = (uint8_t)ninep_get(r, 1)};

	ninep_skip(r, 4); /* the version is of use to caches only */
	q.path = ninep_get(r, 8);
	return q;
}

/*
 * Begin a message of that type: a fid, or a number in its place, and the fields that
 * ninep_put_fields() knows. Signals do not end the wait for a Tclunk.
 */
static struct rpc ninep_begin(int server, enum type type, uint32_t fid, const char *fields, ...)
{
	struct rpc r = {.server = server};
	uint16_t tag = NOTAG;
	va_list ap;

	r.err = virtio9p_begin(server, type == TCLUNK, &r.m);
	if (!r.err && type != TVERSION)
		tag = r.m->tag;
	ninep_put(&r, 4, 0); /* the size, which is put here when the message is complete */
	ninep_put(&r, 1, type);
	ninep_put(&r, 2, tag);
	ninep_put(&r, 4, fid);
	va_start(ap, fields);
	ninep_put_fields(&r, fields, ap);
	va_end(ap);
	return r;
}

/* Send the message, and check what all answers have in common. The server's errors are ours. */
static void ninep_exchange(struct rpc *r)
{
	struct ninep_msg *m = r->m;

	if (r->err)
		return;
	le_put(m->out, 4, m->nout + m->nsend);
	r->err = virtio9p_call(r->server, m);
	ninep_expect(r, ninep_get(r, 4) == m->answer);
	uint64_t type = ninep_get(r, 1);
	ninep_expect(r, ninep_get(r, 2) == le_get16(m->out + TAG_AT));
	if (type == RLERROR && !r->err) {
		uint64_t error = ninep_get(r, 4);

		r->err = -EPROTO;
		if (error - 1 < 4095)
			r->err = -(int)error;
	}
	ninep_expect(r, type == m->out[TYPE_AT] + 1u);
}

/* Release the message: 0, or the error. */
static int ninep_finish(struct rpc *r)
{
	if (r->m)
		virtio9p_end(r->server, r->m);
	return r->err;
}

/* Send a message whose answer holds nothing of interest. */
static int ninep_conclude(struct rpc r)
{
	ninep_exchange(&r);
	return ninep_finish(&r);
}

/* Tversion: msize version; Rversion: the same, where a server may ask for less of both. */
int ninep_version(int server)
{
	const unsigned n = sizeof(VERSION) - 1;
	struct rpc r = ninep_begin(server, TVERSION, MSIZE, "s", VERSION);

	ninep_exchange(&r);
	ninep_expect(&r, ninep_get(&r, 4) == MSIZE);
	ninep_expect(&r, ninep_get(&r, 2) == n);
	ninep_expect(&r, ninep_unread(&r) == n);
	const uint8_t *version = ninep_skip(&r, n);
	if (version)
		ninep_expect(&r, memcmp(version, VERSION, n) == 0);
	return ninep_finish(&r);
}

/* Tattach: fid afid uname aname n_uname; Rattach: qid. */
int ninep_attach(int server, uint32_t fid)
{
	/* Without authentication. */
	return ninep_conclude(
		ninep_begin(server, TATTACH, fid, "4ss4", NINEP_NOFID, "eve", "", NOUID));
}

/* Twalk: fid newfid nwname(2) wname...; Rwalk: nwqid(2) qid... */
int ninep_walk(int server, uint32_t fid, uint32_t newfid, const char *name, struct ninep_qid *qid)
{
	const char *fields = name ? "42s" : "42";
	struct rpc r = ninep_begin(server, TWALK, fid, fields, newfid, name != NULL, name);

	ninep_exchange(&r);
	ninep_expect(&r, ninep_get(&r, 2) == (name != NULL));
	if (name)
		*qid = ninep_get_qid(&r);
	return ninep_finish(&r);
}

/* Tlopen: fid flags; Rlopen: qid iounit. The flags are Linux's, which ours are too. */
int ninep_open(int server, uint32_t fid, int flags)
{
	return ninep_conclude(ninep_begin(server, TLOPEN, fid, "4", flags));
}

/* Tlcreate: fid name flags mode gid; Rlcreate: qid iounit. */
int ninep_create(int server, uint32_t fid, const char *name, int flags, uint32_t mode,
		 struct ninep_qid *qid)
{
	struct rpc r = ninep_begin(server, TLCREATE, fid, "s444", name, flags, mode, NOUID);

	ninep_exchange(&r);
	*qid = ninep_get_qid(&r);
	return ninep_finish(&r);
}

/* Tmkdir: dfid name mode gid; Rmkdir: qid. */
int ninep_mkdir(int server, uint32_t fid, const char *name, uint32_t mode)
{
	return ninep_conclude(ninep_begin(server, TMKDIR, fid, "s44", name, mode, NOUID));
}

/*
 * Tread, Treaddir: fid offset(8) count; Rread, Rreaddir: count data.
 * Twrite: fid offset(8) count data; Rwrite: count.
 * Move n bytes, or as many as one message can carry: from send or, if that is NULL, to recv. If
 * there are many, the device itself moves them, if it can; those of an answer begin at NINEP_DATA.
 */
static ssize_t ninep_transfer(int server, enum type type, uint32_t fid, const void *send,
			      void *recv, size_t n, uint64_t off)
{
	bool apart = n > SMALL && virtio_reaches(send ? send : recv);
	uint32_t want = min_size(n, apart ? NINEP_IO : SMALL), done;
	struct rpc r = ninep_begin(server, type, fid, "84", off, want);

	if (apart && !r.err) {
		r.m->send = send;
		r.m->recv = recv;
		if (send)
			r.m->nsend = want;
		else
			r.m->nrecv = want;
	} else if (send) {
		ninep_put_bytes(&r, send, want);
	}
	ninep_exchange(&r);
	done = (uint32_t)ninep_get(&r, 4);
	ninep_expect(&r, done <= want);
	ninep_expect(&r, send || done == ninep_unread(&r));
	if (r.err)
		return ninep_finish(&r);
	if (recv && !apart)
		memcpy(recv, r.m->in + r.at, done);
	ninep_finish(&r);
	return (ssize_t)done;
}

ssize_t ninep_read(int server, uint32_t fid, void *buf, size_t n, uint64_t off)
{
	return ninep_transfer(server, TREAD, fid, NULL, buf, n, off);
}

ssize_t ninep_readdir(int server, uint32_t fid, void *buf, size_t n, uint64_t off)
{
	return ninep_transfer(server, TREADDIR, fid, NULL, buf, n, off);
}

ssize_t ninep_write(int server, uint32_t fid, const void *buf, size_t n, uint64_t off)
{
	return ninep_transfer(server, TWRITE, fid, buf, NULL, n, off);
}

/*
 * Tgetattr: fid request_mask(8); Rgetattr: valid(8) qid mode uid gid nlink(8) rdev(8) size(8)
 * blksize(8) blocks(8) atime mtime ctime btime, each time as seconds (8) and nanoseconds (8).
 */
int ninep_getattr(int server, uint32_t fid, struct ninep_attr *a)
{
	struct rpc r = ninep_begin(server, TGETATTR, fid, "8", GETATTR_BASIC);

	ninep_exchange(&r);
	ninep_skip(&r, 8 + 13); /* which fields are valid; the qid */
	a->mode = (uint32_t)ninep_get(&r, 4);
	ninep_skip(&r, 4 + 4 + 8 + 8); /* user, group, links, device */
	a->size = ninep_get(&r, 8);
	ninep_skip(&r, 8 + 8 + 16); /* block size, blocks, time of the last access */
	a->mtime = (int64_t)ninep_get(&r, 8);
	return ninep_finish(&r);
}

/* Tsetattr: fid valid mode uid gid size(8) atime mtime; Rsetattr. */
int ninep_setattr(int server, uint32_t fid, uint32_t which, uint64_t value)
{
	const uint64_t unset = 0; /* the time of access, and parts of seconds */

	return ninep_conclude(ninep_begin(server, TSETATTR, fid, "444488888", which,
					  (uint32_t)value, NOUID, NOUID, value, unset, unset, value,
					  unset));
}

/* An entry: qid (13 bytes), place of the next entry (8), type (1), name (length in 2 bytes). */
ssize_t ninep_entry(const uint8_t *p, size_t n, struct ninep_entry *e)
{
	if (n < 24)
		return -EPROTO;
	uint32_t len = le_get16(p + 22);
	if (len == 0 || len > min_size(NAME_MAX, n - 24))
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
	return ninep_conclude(ninep_begin(server, TREMOVE, fid, ""));
}

/* Tclunk: fid; Rclunk. */
void ninep_clunk(int server, uint32_t fid)
{
	struct rpc r = ninep_begin(server, TCLUNK, fid, "");

	if (r.err)
		return;
	le_put(r.m->out, 4, r.m->nout);
	virtio9p_post(server, r.m);
}

/* Trename: fid dfid name; Rrename. */
int ninep_rename(int server, uint32_t fid, uint32_t dirfid, const char *name)
{
	return ninep_conclude(ninep_begin(server, TRENAME, fid, "4s", dirfid, name));
}
