/*
 * Pipes: a ring of pages between two channels. A write of at most PIPE_ATOMIC bytes goes in whole,
 * so that several writers' messages do not mix. Bytes move between the ring and a program's memory
 * without the lock, for that may fault; meanwhile nobody else reads, or writes.
 *
 * A pipe that is empty has one page, and starts at its beginning again. The others are made as a
 * writer comes to them. If there is no memory, it waits until the pipe is empty.
 */
#include "kernel/clock.h"
#include "kernel/dev.h"
#include "kernel/memory.h"
#include "kernel/sys.h"

#define NPAGE 4
#define RING (NPAGE * PAGE)
#define PIPE_ATOMIC PAGE

struct pipe {
	struct spinlock l;
	bool readers, writers;	   /* l, to change them; atomic; there is such an end */
	uint32_t first;		   /* l; where in the ring the bytes begin */
	uint32_t held;		   /* l, to change it; atomic; how many there are */
	bool reading, writing;	   /* l; a process copies out of the ring, or into it, without l */
	struct waitq data, room, turn; /* l; for what others wait: turn is for these two */
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
static inline __attribute__((always_inline)) size_t
ring_copy(struct pipe *p, uint32_t at, uint8_t *to, const uint8_t *from, size_t n, bool *copying)
{
	size_t done = 0, k;

	*copying = true;
	spin_unlock(&p->l);
	do {
		uint8_t *ring = p->page[at / PAGE % NPAGE] + at % PAGE;
		k = PAGE - at % PAGE < n - done ? PAGE - at % PAGE : n - done;
		/* Unlike `to`, this is known when it is compiled. */
		bool out = copying == &p->reading;
		if ((out ? copy_bytes(to + done, ring, k) : copy_bytes(ring, from + done, k)) != k)
			break;
		done += k;
		at += k;
	} while (done < n);
	spin_lock(&p->l);
	*copying = false;
	if (p->turn.head)
		wait_wake(&p->turn);
	return done == n || n > PIPE_ATOMIC ? done : 0;
}

/* Start at the ring's beginning, where one page will do, if the pipe is empty. Lock held. */
static inline void start_over(struct pipe *p)
{
	if (p->held || p->reading || p->writing)
		return;
	p->first = 0;
	while (p->npage > 1)
		kfree(p->page[--p->npage]);
}

/* Read what is there, at most n bytes; wait while there is nothing. 0 if no writer is left. */
static ssize_t pipe_read(struct chan *c, void *buf, size_t n, uint64_t)
{
	struct pipe *p = c->aux;
	int err = 0;

	HOLD_SPIN(&p->l);
	while ((p->reading || (!p->held && p->writers)) && !err)
		err = wait_on(p->reading ? &p->turn : &p->data, &p->l, NEVER);
	if (err || !p->held)
		return err;
	if (n > p->held)
		n = p->held;
	size_t got = ring_copy(p, p->first, buf, NULL, n, &p->reading);
	p->first = (p->first + got) % RING;
	p->held -= got;
	start_over(p);
	if (p->room.head)
		wait_wake(&p->room);
	return got ? (ssize_t)got : -EFAULT;
}

/* Return how many of n bytes may go in now. Pages that they need are made. Lock held. */
static size_t make_room(struct pipe *p, size_t n)
{
	uint32_t at = p->first + p->held;

	if (n > RING - p->held)
		n = RING - p->held;
	while (p->npage < NPAGE && at + n > p->npage * PAGE) {
		p->page[p->npage] = kmalloc(PAGE);
		if (!p->page[p->npage])
			return p->npage * PAGE - at;
		p->npage++;
	}
	return n;
}

/* Wait until some of n bytes may go in: how many, -EPIPE or -EINTR. The caller holds the lock. */
static ssize_t wait_room(struct pipe *p, size_t n, bool whole)
{
	while (p->readers) {
		size_t room = p->writing ? 0 : make_room(p, n);

		if (room == n || (room && !whole))
			return (ssize_t)room;
		int err = wait_on(p->writing ? &p->turn : &p->room, &p->l, NEVER);
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

	spin_lock(&p->l);
	do {
		r = wait_room(p, (size_t)(end - from), n <= PIPE_ATOMIC);
		if (r < 0)
			break;
		size_t got = ring_copy(p, p->first + p->held, NULL, from, (size_t)r, &p->writing);
		p->held += got;
		start_over(p);
		if (got == 0) {
			r = -EFAULT;
			break;
		}
		if (p->data.head)
			wait_wake(&p->data);
		from += got;
	} while (from < end);
	spin_unlock(&p->l);
	if (r == -EPIPE)
		sched_signal(proc_self(), SIGPIPE);
	return from > (const uint8_t *)buf ? from - (const uint8_t *)buf : r;
}

/* Free the pipe, which has no ends. */
static void pipe_free(struct pipe *p)
{
	while (p->npage > 0)
		kfree(p->page[--p->npage]);
	kfree(p);
}

/* Close an end for good and wake whoever waits at the other; the second end frees the pipe. */
static void pipe_close(struct chan *c)
{
	struct pipe *p = c->aux;

	spin_lock(&p->l);
	*((c->flags & O_ACCMODE) == O_WRONLY ? &p->writers : &p->readers) = 0;
	wait_wake(&p->data);
	wait_wake(&p->room);
	bool last = !p->readers && !p->writers;
	spin_unlock(&p->l);
	if (last)
		pipe_free(p);
}

/* A reader is ready if there are bytes or no writers, a writer if there is room or no reader. */
static int pipe_ready(struct chan *c)
{
	const volatile struct pipe *p = c->aux;

	if ((c->flags & O_ACCMODE) == O_WRONLY)
		return p->held < RING || !p->readers ? READY_WRITE : 0;
	return p->held || !p->writers ? READY_READ : 0;
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
	.letter = '|',
	.name = "pipe",
	.stat = pipe_stat,
	.close = pipe_close,
	.read = pipe_read,
	.write = pipe_write,
	.ready = pipe_ready,
	.direct = true,
};

/* Make a pipe and its two open ends: [0] reads, [1] writes. -ENOMEM, -EMFILE. */
int pipe_make(struct chan *end[2])
{
	static uint32_t made; /* atomic */
	struct pipe *p = kzalloc(sizeof(*p));
	uint64_t id = 2ull * __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);

	if (p) {
		p->l.name = "pipe";
		p->data.cause = p->room.cause = p->turn.cause = WAIT_PIPE;
		p->readers = p->writers = true;
		p->page[0] = kmalloc(PAGE);
		p->npage = p->page[0] != NULL;
		p->uid = proc_self()->uid;
		p->made = time_unix();
	}
	end[0] = chan_new(&pipedev);
	end[1] = chan_new(&pipedev);
	int err = p && p->npage && end[0] && end[1] ? chan_count(end[0]) : -ENOMEM;
	if (!err)
		err = chan_count(end[1]);
	if (err) {
		chan_put(end[0]);
		chan_put(end[1]);
		if (p)
			pipe_free(p);
		return err;
	}
	for (int i = 0; i < 2; i++) {
		end[i]->aux = p;
		end[i]->type = S_IFIFO;
		end[i]->qid = id++;
		end[i]->flags = i == 0 ? O_RDONLY : O_WRONLY;
		end[i]->opened = true;
	}
	return 0;
}

/* pipe(fd): -EMFILE, -ENOMEM, -EFAULT */
int32_t sys_pipe(const uint32_t *arg)
{
	struct chan *end[2];
	uint32_t fd[2];
	int err = pipe_make(end);

	if (err)
		return err;
	fd[0] = (uint32_t)fd_install(end[0], false);
	fd[1] = (uint32_t)fd_install(end[1], false);
	err = fd[0] < NFD && fd[1] < NFD ? copyout(user_ptr(arg[0]), fd, sizeof(fd)) : -EMFILE;
	if (err) {
		sys_close(&fd[0]);
		sys_close(&fd[1]);
	}
	return err;
}
