/* A process's open files, by their numbers. */
#pragma once

#include "kernel/file/dev.h"
#include "kernel/process/proc.h"

#define NFD 64

struct fdtable {
	uint32_t ref;	   /* atomic */
	struct spinlock l;
	struct chan *chan[NFD]; /* l; NULL: free */
	bool cloexec[NFD];	/* l */
	int end;		/* l; no number from here on was ever used */
};

/* Add a user. */
static inline struct fdtable *fds_ref(struct fdtable *t)
{
	__atomic_add_fetch(&t->ref, 1, __ATOMIC_RELAXED);
	return t;
}

struct fdtable *fds_new(void);
struct fdtable *fds_copy(struct fdtable *t);
void fds_put(struct fdtable *t);
void fds_exec(struct fdtable *t); /* closes what has O_CLOEXEC */
int fd_install(struct chan *c, int from, bool cloexec); /* takes c, even if -EMFILE */
/*
 * Look which of the files in `want`, sets of bits, can be read (the first) or written (the second)
 * without waiting. Return how many bits are set in both of `is`, or -EBADF.
 */
int fds_ready(const uint32_t want[2][NFD / 32], uint32_t is[2][NFD / 32]);

/* Do fd_chan()'s work in a table that is locked, or has one user. */
static inline struct chan *fd_ref(struct fdtable *t, uint32_t fd)
{
	check_guarded(&t->l, t->ref);
	return t->chan[fd] ? chan_ref(t->chan[fd]) : NULL;
}

/* The same in a table with several users, which may change meanwhile. */
struct chan *fd_chan_shared(struct fdtable *t, uint32_t fd);

/* Return the channel of an open file, with a reference of the caller's own; NULL: there is none. */
static inline struct chan *fd_chan(uint32_t fd)
{
	struct fdtable *t = proc_self()->fds;

	if (fd >= NFD)
		return NULL;
	if (__builtin_expect(__atomic_load_n(&t->ref, __ATOMIC_ACQUIRE) > 1, 0))
		return fd_chan_shared(t, fd);
	return fd_ref(t, fd);
}
