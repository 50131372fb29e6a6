/*
 * Pipes: a ring of one page between two channels. A write of at most PIPE_ATOMIC
 * bytes goes in whole, so that several writers' messages do not mix.
 */
#include "kernel/clock.h"
#include "kernel/dev.h"
#include "kernel/sys.h"

#define RING PAGE
#define PIPE_ATOMIC RING

struct pipe {
	struct spinlock l;
	unsigned ref;		   /* l; channels, open or not */
	unsigned readers, writers; /* l */
	uint32_t in, out;	   /* l; bytes ever put and taken, modulo 2^32; in - out are held */
	struct waitq data, room;   /* l */
	uint8_t *ring;		   /* constant; what is in it: l */
	int uid;		   /* constant; its maker */
	int64_t made;		   /* constant; seconds since 1970 */
};

/* Copy n bytes that are there out of the ring. The caller holds the lock. */
static void pipe_take(struct pipe *p, uint8_t *buf, uint32_t n)
{
	uint32_t at = p->out % RING, first = RING - at < n ? RING - at : n;

	memcpy(buf, p->ring + at, first);
	memcpy(buf + first, p->ring, n - first);
	p->out += n;
}

/* Copy n bytes, for which there is room, into the ring. The caller holds the lock. */
static void pipe_put(struct pipe *p, const uint8_t *buf, uint32_t n)
{
	uint32_t at = p->in % RING, first = RING - at < n ? RING - at : n;

	memcpy(p->ring + at, buf, first);
	memcpy(p->ring, buf + first, n - first);
	p->in += n;
}

/* Read what is there, at most n bytes; wait while there is nothing. 0 if no writer is left. */
static ssize_t pipe_read(struct chan *c, void *buf, size_t n, uint64_t)
{
	struct pipe *p = c->aux;
	int err = 0;

	spin_lock(&p->l);
	while (p->in == p->out && p->writers && !err)
		err = wait_on(&p->data, &p->l, NEVER);
	if (!err) {
		if (n > p->in - p->out)
			n = p->in - p->out;
		pipe_take(p, buf, n);
		if (p->room.head)
			wait_wake(&p->room);
	}
	spin_unlock(&p->l);
	return err ? err : (ssize_t)n;
}

/* Wait until some of n bytes may go in: how many, -EPIPE or -EINTR. The caller holds the lock. */
static ssize_t wait_room(struct pipe *p, size_t n, bool whole)
{
	while (p->readers) {
		size_t room = RING - (p->in - p->out);

		if (room >= n)
			return (ssize_t)n;
		if (room && !whole)
			return (ssize_t)room;
		int err = wait_on(&p->room, &p->l, NEVER);
		if (err)
			return err;
	}
	return -EPIPE;
}

/* Write n bytes as there is room; fewer after a signal. Without a reader SIGPIPE and -EPIPE. */
static ssize_t pipe_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	struct pipe *p = c->aux;
	size_t done = 0;
	ssize_t r = 0;

	spin_lock(&p->l);
	while (done < n) {
		r = wait_room(p, n - done, n <= PIPE_ATOMIC);
		if (r < 0)
			break;
		pipe_put(p, (const uint8_t *)buf + done, (uint32_t)r);
		done += (size_t)r;
		if (p->data.head)
			wait_wake(&p->data);
	}
	spin_unlock(&p->l);
	if (r == -EPIPE)
		sched_signal(proc_self(), SIGPIPE);
	return done ? (ssize_t)done : r;
}

/* Close an end for good and wake whoever waits at the other. */
static void pipe_close(struct chan *c)
{
	struct pipe *p = c->aux;

	HOLD_SPIN(&p->l);
	if ((c->flags & O_ACCMODE) == O_WRONLY) {
		p->writers--;
		wait_wake(&p->data);
	} else {
		p->readers--;
		wait_wake(&p->room);
	}
}

/* A reader is ready if there are bytes or no writers, a writer if there is room or no reader. */
static int pipe_ready(struct chan *c)
{
	struct pipe *p = c->aux;

	HOLD_SPIN(&p->l);
	if ((c->flags & O_ACCMODE) == O_WRONLY)
		return p->in - p->out < RING || !p->readers ? READY_WRITE : 0;
	return p->in != p->out || !p->writers ? READY_READ : 0;
}

/* Count one more channel that refers to the pipe; it need not be open. */
static void pipe_dup(struct chan *c)
{
	struct pipe *p = c->aux;

	HOLD_SPIN(&p->l);
	p->ref++;
}

/* Count one channel less, and free the pipe after the last. */
static void pipe_drop(struct chan *c)
{
	struct pipe *p = c->aux;

	if (!p)
		return;
	spin_lock(&p->l);
	unsigned left = --p->ref;
	spin_unlock(&p->l);
	if (left == 0) {
		kfree(p->ring);
		kfree(p);
	}
}

/* A pipe's size is what could be read now; it belongs to its maker. */
static int pipe_stat(struct chan *c, struct stat *st)
{
	struct pipe *p = c->aux;

	st->st_mode = S_IFIFO | 0600;
	st->st_uid = (uint32_t)p->uid;
	st->st_mtime = p->made;
	HOLD_SPIN(&p->l);
	st->st_size = p->in - p->out;
	return 0;
}

/* Pipes have no names: the table of devices does not have this one. */
static const struct dev pipedev = {
	.letter = '|',
	.name = "pipe",
	.stat = pipe_stat,
	.close = pipe_close,
	.dup = pipe_dup,
	.drop = pipe_drop,
	.read = pipe_read,
	.write = pipe_write,
	.ready = pipe_ready,
};

/* Make a pipe that counts both ends already; NULL: no memory. */
static struct pipe *pipe_new(void)
{
	struct pipe *p = kmalloc(sizeof(*p));
	uint8_t *ring = p ? kmalloc(RING) : NULL;

	if (!ring) {
		kfree(p);
		return NULL;
	}
	*p = (struct pipe){.l.name = "pipe", .ref = 2, .readers = 1, .writers = 1, .ring = ring,
			   .uid = proc_self()->uid, .made = time_unix()};
	return p;
}

/* Make c an open end of p; it is number id of all ends ever made. */
static void end_init(struct chan *c, struct pipe *p, uint64_t id, int flags)
{
	c->aux = p;
	c->type = S_IFIFO;
	c->qid = id;
	c->flags = flags;
	c->opened = true;
}

/* Make a pipe and its two open ends: [0] reads, [1] writes. -ENOMEM, -EMFILE. */
int pipe_make(struct chan *end[2])
{
	static uint32_t made; /* atomic */
	struct pipe *p = pipe_new();
	uint64_t id = 2ull * __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);

	end[0] = chan_new(&pipedev);
	end[1] = chan_new(&pipedev);
	int err = p && end[0] && end[1] ? chan_count(end[0]) : -ENOMEM;
	if (!err)
		err = chan_count(end[1]);
	if (err) {
		chan_put(end[0]);
		chan_put(end[1]);
		if (p)
			kfree(p->ring);
		kfree(p);
		return err;
	}
	end_init(end[0], p, id, O_RDONLY);
	end_init(end[1], p, id + 1, O_WRONLY);
	return 0;
}

/* Close the two numbers again. */
static int32_t pipe_undo(uint32_t a, uint32_t b, int32_t err)
{
	sys_close(&a);
	sys_close(&b);
	return err;
}

/* pipe(fd): -EMFILE, -ENOMEM, -EFAULT */
int32_t sys_pipe(const uint32_t *arg)
{
	struct chan *end[2];
	int fd[2], err = pipe_make(end);

	if (err)
		return err;
	fd[0] = fd_install(end[0], false);
	fd[1] = fd_install(end[1], false);
	if (fd[0] < 0 || fd[1] < 0)
		return pipe_undo((uint32_t)fd[0], (uint32_t)fd[1], -EMFILE);
	err = copyout(user_ptr(arg[0]), fd, sizeof(fd));
	return err ? pipe_undo((uint32_t)fd[0], (uint32_t)fd[1], err) : 0;
}
