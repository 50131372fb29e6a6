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

_Static_assert(FD_SETSIZE == NFD && NFD == 64, "two words have a bit for each file number");

#define LOOK_NS (1000000000u / HZ)

#define NSET 3 /* for reading, for writing, and for exceptions, which no device has */
#define WORDS (NFD / 32)

/* Copy a set in; there may be none. Bits from nfds on do not matter. */
static int set_in(uint32_t set[WORDS], uint32_t user, unsigned nfds)
{
	set[0] = set[1] = 0;
	if (user && copyin(set, user_ptr(user), sizeof(fd_set)) != 0)
		return -EFAULT;
	for (unsigned i = 0; i < WORDS; i++)
		if (nfds < 32 * (i + 1))
			set[i] &= nfds > 32 * i ? (1u << nfds % 32) - 1 : 0;
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
	return tv.tv_sec || tv.tv_usec ? time_after(tv.tv_sec, tv.tv_usec, 1000000, deadline) : 0;
}

/* Look until something is ready or the time is over: how many, 0, or an error, -EINTR too. */
static int look_until(const uint32_t want[NSET][WORDS], uint64_t deadline, uint32_t is[NSET][WORDS])
{
	int n, err = 0;

	while ((n = fds_ready(want, is)) == 0 && !err) {
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
	n = look_until(want, deadline, is);
	if (n < 0)
		return n;
	for (int i = 0; i < NSET && !err; i++)
		err = arg[1 + i] ? copyout(user_ptr(arg[1 + i]), is[i], sizeof(is[i])) : 0;
	return err ? err : n;
}
