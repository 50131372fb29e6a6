/*
 * select(2): which of several open files can be read or written without waiting.
 *
 * A caller that waits looks again with each tick of the system clock, for a device
 * wakes only those who wait for nothing but one of its files.
 */
#include "kernel/abi/select.h"
#include "kernel/clock.h"
#include "kernel/dev.h"
#include "kernel/memory.h"
#include "kernel/proc.h"
#include "kernel/sys.h"

_Static_assert(FD_SETSIZE == NFD, "a bit for each file number");

#define LOOK_NS (1000000000u / HZ)

/* There is no set of exceptional conditions, for no device has any. */
struct sets {
	fd_set read, write;
};

/* Copies a set in; there may be none. Bits from nfds on do not matter. */
static int set_in(fd_set *set, uint32_t user, unsigned nfds)
{
	*set = (fd_set){{0}};
	if (user && copyin(set, (const void *)(uintptr_t)user, sizeof(*set)) != 0)
		return -EFAULT;
	for (unsigned fd = nfds; fd < NFD; fd++)
		FD_CLR(fd, set);
	return 0;
}

/* The READY_ bits that were asked for fd. */
static int wanted(const struct sets *s, unsigned fd)
{
	return (FD_ISSET(fd, &s->read) ? READY_READ : 0) |
	       (FD_ISSET(fd, &s->write) ? READY_WRITE : 0);
}

/* Those of fd's that hold now, or -EBADF. */
static int ready_now(unsigned fd)
{
	struct chan *c;
	int r = fd_chan((int)fd, &c);

	if (r)
		return r;
	r = c->dev->ready ? c->dev->ready(c) : READY_READ | READY_WRITE;
	chan_put(c);
	return r;
}

/* Looks at each file once: how many bits of want are true, which are those of *is; -EBADF. */
static int look(const struct sets *want, unsigned nfds, struct sets *is)
{
	int n = 0;

	*is = (struct sets){{{0}}, {{0}}};
	for (unsigned fd = 0; fd < nfds; fd++) {
		int bits = wanted(want, fd), ready = bits ? ready_now(fd) : 0;

		if (ready < 0)
			return ready;
		bits &= ready;
		if (bits & READY_READ)
			FD_SET(fd, &is->read);
		if (bits & READY_WRITE)
			FD_SET(fd, &is->write);
		n += !!(bits & READY_READ) + !!(bits & READY_WRITE);
	}
	return n;
}

/* When the timeout at user ends: NEVER without one. -EFAULT, -EINVAL. */
static int deadline_in(uint32_t user, uint64_t *deadline)
{
	struct timeval tv;

	*deadline = NEVER;
	if (!user)
		return 0;
	if (copyin(&tv, (const void *)(uintptr_t)user, sizeof(tv)) != 0)
		return -EFAULT;
	if (tv.tv_sec < 0 || tv.tv_usec < 0 || tv.tv_usec > 999999)
		return -EINVAL;
	if (tv.tv_sec > INT32_MAX)
		tv.tv_sec = INT32_MAX;
	*deadline = time_ns() + (uint64_t)tv.tv_sec * 1000000000u + (uint32_t)tv.tv_usec * 1000u;
	return 0;
}

/* Looks until something holds or the time is over: how many, 0, or an error, -EINTR too. */
static int look_until(const struct sets *want, unsigned nfds, uint64_t deadline, struct sets *is)
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

/* Copies a set out, where there is one. */
static int set_out(uint32_t user, const fd_set *set)
{
	return user ? copyout((void *)(uintptr_t)user, set, sizeof(*set)) : 0;
}

/* select(nfds, read, write, except, timeout): -EINVAL, -EBADF, -EINTR, -EFAULT */
int32_t sys_select(const uint32_t *arg)
{
	const fd_set none = {{0}};
	struct sets want, is;
	uint64_t deadline;
	int n, err;

	if (arg[0] > NFD)
		return -EINVAL;
	err = set_in(&want.read, arg[1], arg[0]);
	if (!err)
		err = set_in(&want.write, arg[2], arg[0]);
	if (!err)
		err = deadline_in(arg[4], &deadline);
	if (err)
		return err;
	n = look_until(&want, arg[0], deadline, &is);
	if (n < 0)
		return n;
	err = set_out(arg[1], &is.read);
	if (!err)
		err = set_out(arg[2], &is.write);
	if (!err)
		err = set_out(arg[3], &none);
	return err ? err : n;
}
