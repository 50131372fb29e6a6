/* Waiting for locks that are not free; spin.h takes those that are. */
#include "kernel/lock.h"
#include "kernel/print.h"
#include "kernel/smp.h"

/* Take a lock that another CPU holds. */
void spin_wait(struct spinlock *l)
{
	struct cpu *c = cpu_self(), *none;

	if (__atomic_load_n(&l->holder, __ATOMIC_RELAXED) == c)
		panic("lock %s taken twice", l->name ? l->name : "?");
	do {
		smp_poll();
		cpu_relax();
		none = NULL;
	} while (!__atomic_compare_exchange_n(&l->holder, &none, c, false, __ATOMIC_ACQUIRE,
					      __ATOMIC_RELAXED));
}

/* Panic, for a lock was released that this CPU does not hold. */
_Noreturn void spin_stray(const struct spinlock *l)
{
	panic("lock %s released by another", l->name ? l->name : "?");
}

/* Sleep until m can be taken. While the state is WANTED, whoever releases m wakes us. */
void mutex_wait(struct mutex *m)
{
	spin_lock(&m->l);
	while (__atomic_exchange_n(&m->state, MUTEX_WANTED, __ATOMIC_ACQUIRE) != MUTEX_FREE)
		wait_uninterruptible(&m->q, &m->l, NEVER);
	spin_unlock(&m->l);
}

/* Let all who wait for m try again. */
void mutex_wake(struct mutex *m)
{
	spin_lock(&m->l);
	wait_wake(&m->q);
	spin_unlock(&m->l);
}
