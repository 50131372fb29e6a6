/* Waiting for mutexes that are not free; mutex.h takes those that are. */
#include "kernel/sched/mutex.h"

/* Sleep until m can be taken, or is handed over. Whoever releases it while WANTED wakes us. */
void mutex_wait(struct mutex *m)
{
	int err = 0;

	HOLD_SPIN(&m->l);
	m->q.cause = PROF_LOCK;
	while (err != WAIT_HANDED &&
	       __atomic_exchange_n(&m->state, MUTEX_WANTED, __ATOMIC_ACQUIRE) != MUTEX_FREE)
		err = wait_uninterruptible(&m->q, &m->l, NEVER);
}

/* Release m, which is WANTED: hand it to the owner, or let the first who waits try again. */
void mutex_wake(struct mutex *m)
{
	HOLD_SPIN(&m->l);
	if (wait_hand(&m->q))
		return;
	__atomic_store_n(&m->state, MUTEX_FREE, __ATOMIC_RELEASE);
	wait_wake_one(&m->q); /* who takes it leaves it WANTED */
}
