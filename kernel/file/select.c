/*
 * select(2): which of several open files can be read or written without waiting.
 *
 * A caller that waits is in a wait queue of each file, and has a reference to that: others may
 * close it meanwhile.
 */
#include "kernel/abi/select.h"
#include "kernel/file/fd.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/time.h"
#include "kernel/process/syscall.h"

_Static_assert(FD_SETSIZE == NFD && NFD == 64, "two words have a bit for each file number");

#define NSET 3 /* for reading, for writing, and for exceptions, which no device has */
#define WORDS (NFD / 32)

/* Copy a set in; there may be none. Bits from nfds on do not matter. */
static int set_in(uint32_t set[WORDS], uint32_t user, unsigned nfds)
{
	uint64_t below = (1ull << nfds % NFD) - 1;

	set[0] = set[1] = 0;
	if (user && copyin(set, user_ptr(user), sizeof(fd_set)) != 0)
		return -EFAULT;
	if (nfds == NFD)
		return 0;
	set[0] &= (uint32_t)below;
	set[1] &= (uint32_t)(below >> 32);
	return 0;
}

/* Get the time when the timeout at user ends: NEVER without one, 0 if it is 0. -EFAULT, -EINVAL. */
static int deadline_in(uint32_t user, uint64_t *deadline)
{
	struct timeval tv;

	*deadline = NEVER;
	if (!user)
		return 0;
	if (copyin(&tv, user_ptr(user), sizeof(tv)) != 0)
		return -EFAULT;
	*deadline = 0;
	if (tv.tv_sec == 0 && tv.tv_usec == 0)
		return 0;
	return time_after(tv.tv_sec, tv.tv_usec, 1000000, deadline);
}

/* A file that the calling process watches. */
struct watched {
	struct watcher w;
	struct chan *c;
};

/* Get the files of the sets that are not always ready. Return where the list ends. */
static struct watched *watched_begin(struct watched *f, const uint32_t want[NSET][WORDS])
{
	for (uint32_t fd = 0; fd < NFD; fd++) {
		if (!((want[0][fd / 32] | want[1][fd / 32]) & 1u << fd % 32))
			continue;
		struct chan *c = fd_chan(fd);
		f->w.w.q = NULL;
		f->c = c;
		if (c && c->dev->watch)
			f++;
		else
			chan_put(c);
	}
	return f;
}

/* Watch the files. Return the queue of the first; NULL: there is none, or it was woken already. */
static const struct waitq *watched_watch(struct watched *f, const struct watched *end)
{
	const struct watched *first = f;

	proc_self()->nudged = false;
	for (; f < end; f++)
		f->c->dev->watch(f->c, &f->w);
	return first < end ? __atomic_load_n(&first->w.w.q, __ATOMIC_RELAXED) : NULL;
}

/* Wait until something is ready or the time is over: how many, 0, or an error, -EINTR too. */
static int select_wait(const uint32_t want[NSET][WORDS], uint64_t deadline,
		       uint32_t is[NSET][WORDS])
{
	struct watched f[NFD], *end = watched_begin(f, want);
	int ready = 0, err = 0;

	while (!ready && !err) {
		const struct waitq *q = watched_watch(f, end);

		ready = fds_ready(want, is);
		if (ready)
			break;
		err = wait_for_nudge(q, deadline);
		ready = fds_ready(want, is);
	}
	for (struct watched *w = f; w < end; w++) {
		wait_unwatch(&w->w);
		chan_put(w->c);
	}
	if (ready || err == -ETIMEDOUT)
		return ready;
	return err;
}

/* select(nfds, read, write, except, timeout): -EINVAL, -EBADF, -EINTR, -EFAULT */
int32_t sys_select(const uint32_t arg[5])
{
	uint32_t want[NSET][WORDS], is[NSET][WORDS];
	uint64_t deadline;
	int n, err = 0;

	if (arg[0] > NFD)
		return -EINVAL;
	for (int i = 0; i < NSET && !err; i++)
		err = set_in(want[i], arg[1 + i], arg[0]);
	if (!err)
		err = deadline_in(arg[4], &deadline);
	if (err)
		return err;
	is[2][0] = is[2][1] = 0;
	n = fds_ready(want, is);
	if (n == 0 && deadline)
		n = select_wait(want, deadline, is);
	if (n < 0)
		return n;
	for (int i = 0; i < NSET; i++) {
		err = copyout_wanted(user_ptr(arg[1 + i]), is[i], sizeof(is[i]));
		if (err)
			return err;
	}
	return n;
}
