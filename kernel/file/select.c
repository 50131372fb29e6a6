/*
 * select(2): which of several open files can be read or written without waiting.
 *
 * A caller that waits looks again at each tick of the system clock, since a process can be in
 * only one wait queue and each device has its own.
 */
#include "kernel/file/select.h"
#include "kernel/abi/select.h"
#include "kernel/file/fd.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/time.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/wait.h"

_Static_assert(FD_SETSIZE == NFD && NFD == 64, "two words have a bit for each file number");

#define LOOK_NS (1000000000u / HZ)

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

/* Get the time when the timeout at user ends: NEVER without one. -EFAULT, -EINVAL. */
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

/* Look until something is ready or the time is over: how many, 0, or an error, -EINTR too. */
static int select_look(const uint32_t want[NSET][WORDS], uint64_t deadline,
		       uint32_t is[NSET][WORDS])
{
	for (int err = 0;;) {
		int n = fds_ready(want, is);
		if (n != 0)
			return n;
		uint64_t now = time_ns(), next = now + LOOK_NS;
		if (err || now >= deadline)
			return err;
		if (next > deadline)
			next = deadline;
		err = sleep_until(next);
	}
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
	n = select_look(want, deadline, is);
	if (n < 0)
		return n;
	for (int i = 0; i < NSET; i++) {
		err = copyout_wanted(user_ptr(arg[1 + i]), is[i], sizeof(is[i]));
		if (err)
			return err;
	}
	return n;
}
