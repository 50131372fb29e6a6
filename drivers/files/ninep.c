/*
 * 9P2000.L messages: see ninep.h. A message is its size (4 bytes, its own included), its type
 * (1), a tag (2), and fields; numbers begin with the lowest byte, a string with its length in
 * two bytes. The answer's type is the request's and 1, or RLERROR. What a server says is
 * believed only as far as it fits what was asked.
 */
#include "drivers/files/ninep.h"
#include "drivers/bus/virtio.h"
#include "drivers/bus/virtio9p.h"
#include "kernel/lib.h"

enum type {
	RLERROR = 7, TLOPEN = 12, TLCREATE = 14, TRENAME = 20, TGETATTR = 24, TSETATTR = 26,
	TREADDIR = 40, TMKDIR = 72, TVERSION = 100, TATTACH = 104, TWALK = 110, TREAD = 116,
	TWRITE = 118, TCLUNK = 120, TREMOVE = 122,
};

#define NOTAG 0xffff
#define NOUID 0xffffffffu /* files belong to whom the server runs as */
#define VERSION "9P2000.L"
#define MSIZE (NINEP_IO + 24) /* a Twrite's fields before its data: 23 bytes */
#define SMALL 512	      /* data up to this are copied into the message */
#define GETATTR_BASIC 0x7ffull

/* Append a number of n bytes. */
static void put(struct ninep_msg *m, unsigned n, uint64_t v)
{
	if (n > sizeof(m->out) - m->nout) {
		m->damaged = true;
		return;
	}
	for (; n > 0; n--, v >>= 8)
		m->out[m->nout++] = (uint8_t)v;
}

/* Append n bytes. */
static void put_bytes(struct ninep_msg *m, const void *p, size_t n)
{
	if (n > sizeof(m->out) - m->nout) {
		m->damaged = true;
		return;
	}
	memcpy(m->out + m->nout, p, n);
	m->nout += n;
}

static void put_string(struct ninep_msg *m, const char *s)
{
	size_t n = strlen(s);

	put(m, 2, n);
	put_bytes(m, s, n);
}

/* Bytes of the answer that are in the message itself. */
static uint32_t in_message(const struct ninep_msg *m)
{
	uint32_t most = m->nrecv ? NINEP_DATA : NINEP_MSG;

	return m->answer < most ? m->answer : most;
}

/* The number of n bytes that is next in the answer. */
static uint64_t get(struct ninep_msg *m, unsigned n)
{
	uint64_t v = 0;

	if (n > in_message(m) - m->at) {
		m->damaged = true;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)m->in[m->at++] << 8 * i;
	return v;
}

/* Read past n bytes. */
static void skip(struct ninep_msg *m, unsigned n)
{
	if (n > in_message(m) - m->at)
		m->damaged = true;
	else
		m->at += n;
}

static struct ninep_qid get_qid(struct ninep_msg *m)
{
	struct ninep_qid q = {.type = (uint8_t)get(m, 1)};

	skip(m, 4); /* a version, for caches */
	q.path = get(m, 8);
	return q;
}

/* A message of that type, with its first field. A Tclunk is deaf to signals. */
static int begin(int server, enum type type, uint32_t fid, struct ninep_msg **out)
{
	struct ninep_msg *m;
	int err = virtio9p_begin(server, type == TCLUNK, &m);

	if (err)
		return err;
	put(m, 4, 0);
	put(m, 1, type);
	put(m, 2, type == TVERSION ? NOTAG : m->tag);
	put(m, 4, fid);
	*out = m;
	return 0;
}

/* The server's error, which is numbered as ours are. */
static int server_error(struct ninep_msg *m)
{
	uint64_t e = get(m, 4);

	return !m->damaged && e > 0 && e < 4096 ? -(int)e : -EPROTO;
}

/* The message is complete. */
static void set_size(struct ninep_msg *m)
{
	uint32_t all = m->nout + m->nsend;

	for (unsigned i = 0; i < 4; i++)
		m->out[i] = (uint8_t)(all >> 8 * i);
}

/* Send the message, and check what all answers have in common. */
static int exchange(int server, struct ninep_msg *m)
{
	uint8_t type = m->out[4];
	uint32_t tag = m->out[5] | (uint32_t)m->out[6] << 8;
	uint64_t size;
	int err;

	if (m->damaged)
		return -ENAMETOOLONG;
	set_size(m);
	err = virtio9p_call(server, m);
	if (err)
		return err;
	size = get(m, 4);
	err = (int)get(m, 1);
	if (get(m, 2) != tag || size != m->answer || m->damaged)
		return -EPROTO;
	if (err == RLERROR)
		return server_error(m);
	return err == type + 1 ? 0 : -EPROTO;
}

/* Done with the message: the result, unless the answer was too short for what was read of it. */
static int finish(int server, struct ninep_msg *m, int result)
{
	if (result >= 0 && m->damaged)
		result = -EPROTO;
	virtio9p_end(server, m);
	return result;
}

/* Send a message whose answer holds nothing more. */
static int conclude(int server, struct ninep_msg *m)
{
	return finish(server, m, exchange(server, m));
}

/* Agree on the protocol. A server that offers less than was asked for is of no use here. */
int ninep_version(int server)
{
	struct ninep_msg *m;
	int err = begin(server, TVERSION, MSIZE, &m);

	if (err)
		return err;
	put_string(m, VERSION);
	err = exchange(server, m);
	if (!err && (get(m, 4) != MSIZE || get(m, 2) != strlen(VERSION) ||
		     in_message(m) - m->at != strlen(VERSION) ||
		     memcmp(m->in + m->at, VERSION, strlen(VERSION)) != 0))
		err = -EPROTO;
	return finish(server, m, err);
}

int ninep_attach(int server, uint32_t fid)
{
	struct ninep_msg *m;
	int err = begin(server, TATTACH, fid, &m);

	if (err)
		return err;
	put(m, 4, NINEP_NOFID); /* nobody asks who we are */
	put_string(m, "eve");
	put_string(m, "");
	put(m, 4, NOUID);
	return conclude(server, m);
}

int ninep_walk(int server, uint32_t fid, uint32_t newfid, const char *name, struct ninep_qid *qid)
{
	struct ninep_msg *m;
	int err = begin(server, TWALK, fid, &m);

	if (err)
		return err;
	put(m, 4, newfid);
	put(m, 2, name != NULL);
	if (name)
		put_string(m, name);
	err = exchange(server, m);
	if (!err && get(m, 2) != (name != NULL))
		err = -EPROTO;
	if (!err && name)
		*qid = get_qid(m);
	return finish(server, m, err);
}

int ninep_open(int server, uint32_t fid, int flags)
{
	struct ninep_msg *m;
	int err = begin(server, TLOPEN, fid, &m);

	if (err)
		return err;
	put(m, 4, (uint32_t)flags);
	return conclude(server, m);
}

int ninep_create(int server, uint32_t fid, const char *name, int flags, uint32_t mode,
		 struct ninep_qid *qid)
{
	struct ninep_msg *m;
	int err = begin(server, TLCREATE, fid, &m);

	if (err)
		return err;
	put_string(m, name);
	put(m, 4, (uint32_t)flags);
	put(m, 4, mode);
	put(m, 4, NOUID);
	err = exchange(server, m);
	if (!err)
		*qid = get_qid(m);
	return finish(server, m, err);
}

int ninep_mkdir(int server, uint32_t fid, const char *name, uint32_t mode)
{
	struct ninep_msg *m;
	int err = begin(server, TMKDIR, fid, &m);

	if (err)
		return err;
	put_string(m, name);
	put(m, 4, mode);
	put(m, 4, NOUID);
	return conclude(server, m);
}

/* Whether data go to or come from the caller's memory directly. */
static bool goes_apart(const void *buf, size_t n)
{
	return n > SMALL && virtio_reaches(buf);
}

/* How much of n bytes one message can bring. */
static uint32_t in_one(const void *buf, size_t n)
{
	size_t most = goes_apart(buf, n) ? NINEP_IO : SMALL;

	return (uint32_t)(n < most ? n : most);
}

/* Tread and Treaddir: a place and a length, answered by a length and data. */
static ssize_t read_data(int server, enum type type, uint32_t fid, void *buf, size_t n,
			 uint64_t off)
{
	uint32_t want = in_one(buf, n), got = 0;
	struct ninep_msg *m;
	int err = begin(server, type, fid, &m);

	if (err)
		return err;
	put(m, 8, off);
	put(m, 4, want);
	if (goes_apart(buf, n)) {
		m->recv = buf;
		m->nrecv = want;
	}
	err = exchange(server, m);
	if (!err)
		got = (uint32_t)get(m, 4);
	if (!err && (got > want || got != m->answer - m->at))
		err = -EPROTO;
	if (!err && !m->nrecv)
		memcpy(buf, m->in + m->at, got);
	err = finish(server, m, err);
	return err ? err : (ssize_t)got;
}

ssize_t ninep_read(int server, uint32_t fid, void *buf, size_t n, uint64_t off)
{
	return read_data(server, TREAD, fid, buf, n, off);
}

ssize_t ninep_readdir(int server, uint32_t fid, void *buf, size_t n, uint64_t off)
{
	return read_data(server, TREADDIR, fid, buf, n, off);
}

ssize_t ninep_write(int server, uint32_t fid, const void *buf, size_t n, uint64_t off)
{
	uint32_t want = in_one(buf, n), put_there = 0;
	struct ninep_msg *m;
	int err = begin(server, TWRITE, fid, &m);

	if (err)
		return err;
	put(m, 8, off);
	put(m, 4, want);
	if (goes_apart(buf, n)) {
		m->send = buf;
		m->nsend = want;
	} else {
		put_bytes(m, buf, want);
	}
	err = exchange(server, m);
	if (!err)
		put_there = (uint32_t)get(m, 4);
	if (!err && put_there > want)
		err = -EPROTO;
	err = finish(server, m, err);
	return err ? err : (ssize_t)put_there;
}

int ninep_getattr(int server, uint32_t fid, struct ninep_attr *a)
{
	struct ninep_msg *m;
	int err = begin(server, TGETATTR, fid, &m);

	if (err)
		return err;
	put(m, 8, GETATTR_BASIC);
	err = exchange(server, m);
	if (!err) {
		skip(m, 8 + 13); /* which fields are valid; the qid */
		a->mode = (uint32_t)get(m, 4);
		skip(m, 4 + 4 + 8 + 8); /* user, group, links, device */
		a->size = get(m, 8);
		skip(m, 8 + 8 + 16); /* block size, blocks, time of the last access */
		a->mtime = (int64_t)get(m, 8);
	}
	return finish(server, m, err);
}

int ninep_setattr(int server, uint32_t fid, uint32_t which, const struct ninep_attr *a)
{
	struct ninep_msg *m;
	int err = begin(server, TSETATTR, fid, &m);

	if (err)
		return err;
	put(m, 4, which);
	put(m, 4, a->mode);
	put(m, 4, NOUID);
	put(m, 4, NOUID);
	put(m, 8, a->size);
	for (unsigned i = 0; i < 4; i++)
		put(m, 8, 0); /* times, which are not among the fields to set */
	return conclude(server, m);
}

ssize_t ninep_entry(const uint8_t *p, size_t n, struct ninep_entry *e)
{
	uint32_t len;

	if (n < 24)
		return -EPROTO;
	len = p[22] | (uint32_t)p[23] << 8;
	if (len == 0 || len > NAME_MAX || len > n - 24)
		return -EPROTO;
	e->qid = (struct ninep_qid){.type = p[0]};
	e->next = 0;
	for (unsigned i = 0; i < 8; i++) {
		e->qid.path |= (uint64_t)p[5 + i] << 8 * i;
		e->next |= (uint64_t)p[13 + i] << 8 * i;
	}
	memcpy(e->name, p + 24, len);
	e->name[len] = 0;
	if (strlen(e->name) != len || strchr(e->name, '/'))
		return -EPROTO;
	return (ssize_t)(24 + len);
}

int ninep_remove(int server, uint32_t fid)
{
	struct ninep_msg *m;
	int err = begin(server, TREMOVE, fid, &m);

	return err ? err : conclude(server, m);
}

void ninep_clunk(int server, uint32_t fid)
{
	struct ninep_msg *m;

	if (begin(server, TCLUNK, fid, &m))
		return;
	set_size(m);
	virtio9p_post(server, m);
}

int ninep_rename(int server, uint32_t fid, uint32_t dirfid, const char *name)
{
	struct ninep_msg *m;
	int err = begin(server, TRENAME, fid, &m);

	if (err)
		return err;
	put(m, 4, dirfid);
	put_string(m, name);
	return conclude(server, m);
}
