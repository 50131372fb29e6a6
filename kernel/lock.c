/* Waiting for locks that are not free; spin.h takes those that are. */
#include "kernel/lock.h"
#include "kernel/print.h"
#include "kernel/smp.h"

#define MAXPAUSES 16 /* between two looks at a lock */

/*
 * Take a lock that another CPU holds. The longer that takes, the less often this CPU looks: T. E.
 * Anderson, The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors, 1990.
 */
void spin_wait(struct spinlock *l)
{
	struct cpu *c = cpu_self(), *none;
	int pauses = 1;

	if (__atomic_load_n(&l->holder, __ATOMIC_RELAXED) == c)
		panic("lock %s taken twice", l->name ? l->name : "?");
	do {
		smp_poll();
		for (int i = 0; i < pauses; i++)
			cpu_relax();
		if (pauses < MAXPAUSES)
			pauses *= 2;
		none = NULL;
	} while (__atomic_load_n(&l->holder, __ATOMIC_RELAXED) ||
		 !__atomic_compare_exchange_n(&l->holder, &none, c, false, __ATOMIC_ACQUIRE,
					      __ATOMIC_RELAXED));
}

/* Panic, for a lock was released that this CPU does not hold. */
_Noreturn void spin_stray(const struct spinlock *l)
{
	panic("lock %s released by another", l->name ? l->name : "?");
}

/* Sleep until m can be taken, or is handed over. Whoever releases it while WANTED wakes us. */
void mutex_wait(struct mutex *m)
{
	int err = 0;

	spin_lock(&m->l);
	m->q.cause = WAIT_LOCK;
	while (err != WAIT_HANDED &&
	       __atomic_exchange_n(&m->state, MUTEX_WANTED, __ATOMIC_ACQUIRE) != MUTEX_FREE)
		err = wait_uninterruptible(&m->q, &m->l, NEVER);
	spin_unlock(&m->l);
}

/* Release m, which is WANTED: hand it to the owner, or let all who wait for it try again. */
void mutex_wake(struct mutex *m)
{
	spin_lock(&m->l);
	if (!wait_hand(&m->q)) {
		__atomic_store_n(&m->state, MUTEX_FREE, __ATOMIC_RELEASE);
		wait_wake(&m->q);
	}
	spin_unlock(&m->l);
}
