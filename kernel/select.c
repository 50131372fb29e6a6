/*
 * select(2): which of several open files can be read or written without waiting.
 *
 * A caller that waits looks again at each tick of the system clock, for a device
 * wakes only those who wait for nothing but one of its files.
 */
#include "kernel/abi/select.h"
#include "kernel/clock.h"
#include "kernel/dev.h"
#include "kernel/sys.h"

_Static_assert(FD_SETSIZE == NFD, "a bit for each file number");

#define LOOK_NS (1000000000u / HZ)

/* The sets in the order of select's arguments, and the READY_ bit that each is about. */
#define NSET 3
static const int bit_of[NSET] = {READY_READ, READY_WRITE, 0}; /* exceptions: no device has any */

/* Copy a set in; there may be none. Bits from nfds on do not matter. */
static int set_in(fd_set *set, uint32_t user, unsigned nfds)
{
	*set = (fd_set){{0}};
	if (user && copyin(set, user_ptr(user), sizeof(*set)) != 0)
		return -EFAULT;
	for (unsigned fd = nfds; fd < NFD; fd++)
		FD_CLR(fd, set);
	return 0;
}

/* Return which READY_ bits are true of fd now, or -EBADF. */
static int ready_now(unsigned fd)
{
	DROPPED struct chan *c = fd_chan(fd);

	if (!c)
		return -EBADF;
	return c->dev->ready ? c->dev->ready(c) : READY_READ | READY_WRITE;
}

/* Look at each file once, and leave in is what is true of want: how many bits, or -EBADF. */
static int look(const fd_set want[NSET], unsigned nfds, fd_set is[NSET])
{
	int n = 0;

	memset(is, 0, NSET * sizeof(is[0]));
	for (unsigned fd = 0; fd < nfds; fd++) {
		int wanted = 0, ready;

		for (int i = 0; i < NSET; i++)
			wanted |= FD_ISSET(fd, &want[i]) ? bit_of[i] : 0;
		ready = wanted ? ready_now(fd) : 0;
		if (ready < 0)
			return ready;
		for (int i = 0; i < NSET; i++) {
			if (FD_ISSET(fd, &want[i]) && (ready & bit_of[i])) {
				FD_SET(fd, &is[i]);
				n++;
			}
		}
	}
	return n;
}

/* Get the time when the timeout at user ends: NEVER without one. -EFAULT, -EINVAL. */
static int deadline_in(uint32_t user, uint64_t *deadline)
{
	struct timeval tv;

	*deadline = NEVER;
	if (!user)
		return 0;
	if (copyin(&tv, user_ptr(user), sizeof(tv)) != 0)
		return -EFAULT;
	return time_after(tv.tv_sec, tv.tv_usec, 1000000, deadline);
}

/* Look until something is ready or the time is over: how many, 0, or an error, -EINTR too. */
static int look_until(const fd_set want[NSET], unsigned nfds, uint64_t deadline, fd_set is[NSET])
{
	int n, err = 0;

	while ((n = look(want, nfds, is)) == 0 && !err) {
		uint64_t now = time_ns();

		if (now >= deadline)
			break;
		err = sleep_until(deadline - now < LOOK_NS ? deadline : now + LOOK_NS);
	}
	return n ? n : err;
}

/* select(nfds, read, write, except, timeout): -EINVAL, -EBADF, -EINTR, -EFAULT */
int32_t sys_select(const uint32_t *arg)
{
	fd_set want[NSET], is[NSET];
	uint64_t deadline;
	int n, err = 0;

	if (arg[0] > NFD)
		return -EINVAL;
	for (int i = 0; i < NSET && !err; i++)
		err = set_in(&want[i], arg[1 + i], arg[0]);
	if (!err)
		err = deadline_in(arg[4], &deadline);
	if (err)
		return err;
	n = look_until(want, arg[0], deadline, is);
	if (n < 0)
		return n;
	for (int i = 0; i < NSET && !err; i++)
		err = arg[1 + i] ? copyout(user_ptr(arg[1 + i]), &is[i], sizeof(is[i])) : 0;
	return err ? err : n;
}
