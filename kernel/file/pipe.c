/*
 * Pipes: a ring of pages between two channels. A write of at most PIPE_ATOMIC bytes goes in whole,
 * so that several writers' messages do not mix. Bytes move between the ring and a program's memory
 * without the lock, for that may fault; meanwhile nobody else reads, or writes.
 *
 * A pipe that is empty has one page, and starts at its beginning again. The others are made as a
 * writer comes to them. If there is no memory, it waits until the pipe is empty.
 */
#include "kernel/abi/signal.h"
#include "kernel/file/fd.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/time.h"
#include "kernel/memory/heap.h"
#include "kernel/process/syscall.h"

#define NPAGE 4
#define RING (NPAGE * PAGE)
#define PIPE_ATOMIC PAGE

struct pipe {
	struct spinlock l;
	bool readers, writers;	   /* l, to change them; atomic; there is such an end */
	uint32_t first;		   /* l; where in the ring the bytes begin */
	uint32_t held;		   /* l, to change it; atomic; how many there are */
	bool reading, writing;	   /* l; a process copies out of the ring, or into it, without l */
	struct waitq data, room;   /* l; readers wait for bytes, writers for room */
	struct waitq turn;	   /* l; both wait here while another copies */
	uint8_t *page[NPAGE];	   /* l; the first is constant */
	unsigned npage;		   /* l; if fewer than NPAGE, no bytes are before `first` */
	int uid;		   /* constant; its maker */
	int64_t made;		   /* constant; seconds since 1970 */
};

/*
 * Copy n bytes at place `at` of the ring to or from a buffer; the other is NULL. Return how many:
 * fewer after a fault, but none of up to PIPE_ATOMIC. The caller holds the lock, which is released
 * meanwhile, but *copying is set.
 */
static INLINED size_t pipe_copy(struct pipe *p, uint32_t at, uint8_t *to, const uint8_t *from,
				size_t n, bool *copying)
{
	size_t done = 0, k;

	*copying = true;
	spin_unlock(&p->l);
	do {
		uint8_t *ring = p->page[at / PAGE % NPAGE] + at % PAGE;
		k = min_size(PAGE - at % PAGE, n - done);
		size_t copied;
		if (copying == &p->reading) /* unlike `to`, known at compile time */
			copied = copy_bytes(to + done, ring, k);
		else
			copied = copy_bytes(ring, from + done, k);
		if (copied != k)
			break;
		done += k;
		at += k;
	} while (done < n);
	spin_lock(&p->l);
	*copying = false;
	if (p->turn.head)
		wait_wake(&p->turn);
	if (done < n && n <= PIPE_ATOMIC)
		return 0;
	return done;
}

/* If the pipe is empty, start at the ring's beginning again, where one page will do. Lock held. */
static inline void pipe_restart(struct pipe *p)
{
	if (p->held || p->reading | p->writing)
		return;
	p->first = 0;
	while (p->npage > 1)
		kfree(p->page[--p->npage]);
}

/*
 * Read what is there, at most n bytes; wait while there is nothing. 0 if no writer is left. A write
 * wakes one reader, who wakes the next if it leaves bytes.
 */
static ssize_t pipe_read(struct chan *c, void *buf, size_t n, uint64_t)
{
	struct pipe *p = c->aux;

	HOLD_SPIN(&p->l);
	for (;;) {
		struct waitq *q = &p->data;
		if (p->reading)
			q = &p->turn;
		else if (p->held || !p->writers)
			break;
		int err = wait_on(q, &p->l, NEVER);
		if (err)
			return err;
	}
	if (!p->held)
		return 0;
	n = min_size(n, p->held);
	size_t got = pipe_copy(p, p->first, buf, NULL, n, &p->reading);
	p->first = (p->first + got) % RING;
	p->held -= got;
	pipe_restart(p);
	if (p->room.head)
		wait_wake(&p->room);
	if (p->held && p->data.head)
		wait_wake_one(&p->data);
	return got ? (ssize_t)got : -EFAULT;
}

/* Return how many of n bytes may go in now. Pages that they need are made. Lock held. */
static size_t pipe_room(struct pipe *p, size_t n)
{
	uint32_t at = p->first + p->held;

	n = min_size(n, RING - p->held);
	while (p->npage < NPAGE && at + n > p->npage * PAGE) {
		p->page[p->npage] = kmalloc(PAGE);
		if (!p->page[p->npage])
			return p->npage * PAGE - at;
		p->npage++;
	}
	return n;
}

/*
 * Wait until `least` of n bytes, or more, may go in: how many, -EPIPE or -EINTR. The caller holds
 * the lock.
 */
static ssize_t pipe_wait_room(struct pipe *p, size_t n, size_t least)
{
	while (p->readers) {
		struct waitq *q = &p->turn;

		if (!p->writing) {
			size_t room = pipe_room(p, n);
			if (room >= least)
				return (ssize_t)room;
			q = &p->room;
		}
		int err = wait_on(q, &p->l, NEVER);
		if (err)
			return err;
	}
	return -EPIPE;
}

/* Write n bytes as there is room; fewer after a signal. Without a reader SIGPIPE and -EPIPE. */
static ssize_t pipe_write(struct chan *c, const void *buf, size_t n, uint64_t)
{
	const uint8_t *from = buf, *end = from + n;
	struct pipe *p = c->aux;
	ssize_t r;

	HOLD_SPIN(&p->l);
	do {
		size_t left = (size_t)(end - from);
		r = pipe_wait_room(p, left, n <= PIPE_ATOMIC ? left : 1);
		if (r < 0)
			break;
		size_t got = pipe_copy(p, p->first + p->held, NULL, from, (size_t)r, &p->writing);
		p->held += got;
		pipe_restart(p);
		if (got == 0) {
			r = -EFAULT;
			break;
		}
		if (p->data.head)
			wait_wake_one(&p->data);
		from += got;
	} while (from < end);
	if (r == -EPIPE)
		sched_signal(proc_self(), SIGPIPE);
	ssize_t done = from - (const uint8_t *)buf;
	return done ? done : r;
}

/* Free the pipe, which has no ends. */
static void pipe_free(struct pipe *p)
{
	while (p->npage > 0)
		kfree(p->page[--p->npage]);
	kfree(p);
}

/* Return whether c is the end that is written to. */
static bool pipe_writes(const struct chan *c)
{
	return (c->flags & O_ACCMODE) == O_WRONLY;
}

/* Close an end for good and wake whoever waits at the other; the second end frees the pipe. */
static void pipe_close(struct chan *c)
{
	struct pipe *p = c->aux;

	spin_lock(&p->l);
	if (pipe_writes(c))
		p->writers = false;
	else
		p->readers = false;
	wait_wake(&p->data);
	wait_wake(&p->room);
	bool last = !(p->readers | p->writers);
	spin_unlock(&p->l);
	if (last)
		pipe_free(p);
}

/* A reader is ready if there are bytes or no writers, a writer if there is room or no reader. */
static int pipe_ready(struct chan *c)
{
	const volatile struct pipe *p = c->aux;

	if (pipe_writes(c))
		return p->held < RING || !p->readers ? READY_WRITE : 0;
	return p->held || !p->writers ? READY_READ : 0;
}

static void pipe_watch(struct chan *c, struct watcher *w)
{
	struct pipe *p = c->aux;
	struct waitq *q = &p->data;

	if (pipe_writes(c))
		q = &p->room;
	wait_watch(w, q, &p->l);
}

/* A pipe's size is what could be read now; it belongs to its maker. */
static int pipe_stat(struct chan *c, struct stat *st)
{
	struct pipe *p = c->aux;

	st->st_mode = S_IFIFO | 0600;
	st->st_uid = (uint32_t)p->uid;
	st->st_mtime = p->made;
	HOLD_SPIN(&p->l);
	st->st_size = p->held;
	return 0;
}

/* Pipes have no names: the table of devices does not have this one. */
static const struct dev pipedev = {
	.letter = '|', .name = "pipe", .stat = pipe_stat, .close = pipe_close,
	.read = pipe_read, .write = pipe_write, .ready = pipe_ready, .watch = pipe_watch,
	.direct = true,
};

/* Make a pipe without ends; NULL: no memory. */
static struct pipe *pipe_new(void)
{
	struct pipe *p = kmalloc(sizeof(*p));

	if (!p)
		return NULL;
	*p = (struct pipe){
		.l.name = "pipe", .readers = true, .writers = true, .page[0] = kmalloc(PAGE),
		.npage = 1, .uid = proc_self()->uid, .made = time_unix(),
		.data.cause = PROF_PIPE, .room.cause = PROF_PIPE, .turn.cause = PROF_PIPE,
	};
	if (p->page[0])
		return p;
	kfree(p);
	return NULL;
}

/* Make a channel for an end of p, which is counted as an open file, but not open yet. */
static int pipe_end(struct pipe *p, uint64_t qid, int flags, struct chan **out)
{
	struct chan *end = *out = chan_new(&pipedev);

	if (!end)
		return -ENOMEM;
	end->aux = p;
	end->type = S_IFIFO;
	end->qid = qid;
	end->flags = flags;
	return chan_count(end);
}

/* Make a pipe and its two open ends: [0] reads, [1] writes. -ENOMEM, -EMFILE. */
static int pipe_make(struct chan *end[2])
{
	static uint32_t made; /* atomic */
	struct pipe *p = pipe_new();
	uint64_t qid = 2ull * __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);

	if (!p)
		return -ENOMEM;
	end[1] = NULL;
	int err = pipe_end(p, qid, O_RDONLY, &end[0]);
	if (!err)
		err = pipe_end(p, qid + 1, O_WRONLY, &end[1]);
	if (err) {
		chan_put(end[0]);
		chan_put(end[1]);
		pipe_free(p);
		return err;
	}
	end[0]->opened = end[1]->opened = true;
	return 0;
}

/* pipe(fd): -EMFILE, -ENOMEM, -EFAULT */
int32_t sys_pipe(const uint32_t arg[5])
{
	struct chan *end[2];
	uint32_t fd[2];
	int err = pipe_make(end);

	if (err)
		return err;
	fd[0] = (uint32_t)fd_install(end[0], 0, false);
	fd[1] = (uint32_t)fd_install(end[1], 0, false);
	err = -EMFILE;
	if (fd[0] < NFD && fd[1] < NFD)
		err = copyout(user_ptr(arg[0]), fd, sizeof(fd));
	if (err) {
		sys_close((uint32_t[5]){fd[0]});
		sys_close((uint32_t[5]){fd[1]});
	}
	return err;
}
