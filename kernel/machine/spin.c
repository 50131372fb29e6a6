/* Waiting for spin locks that are not free; spin.h takes those that are. */
#include "kernel/machine/spin.h"
#include "kernel/machine/smp.h"

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
