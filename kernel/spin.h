/*
 * Taking locks that are free, and releasing them, without a call: otherwise every third call
 * in the kernel would be one of these, and an entry that is counted costs more than the lock.
 * Waiting for a lock is in lock.c, where a profile shows it.
 *
 * Hosted tests declare functions instead, and define KERNEL_SPIN_H.
 */
#include "kernel/lock.h" /* first, for what is at its end needs all of this */

#ifndef KERNEL_SPIN_H
#define KERNEL_SPIN_H

#include "kernel/check.h"
#include "kernel/cpu.h"

void spin_wait(struct spinlock *l);
_Noreturn void spin_stray(const struct spinlock *l);
void mutex_wait(struct mutex *m);
void mutex_wake(struct mutex *m);

/*
 * Take l, not from NMI. A lock is never held across a sleep.
 *
 * Interrupts stay off while this CPU holds any lock; the flag from before the first one, which
 * alone can be set, is kept with the CPU, so that locks may be released in any order.
 */
static inline __attribute__((always_inline)) void spin_lock(struct spinlock *l)
{
	uint32_t flags = irq_save();
	struct cpu *c = cpu_self(), *none = NULL;

	check_lock(l);
	if (!__atomic_compare_exchange_n(&l->holder, &none, c, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		spin_wait(l);
	c->nlock++;
	c->irqs_before |= flags;
}

static inline __attribute__((always_inline)) void spin_unlock(struct spinlock *l)
{
	struct cpu *c = cpu_self();

	if (__atomic_load_n(&l->holder, __ATOMIC_RELAXED) != c)
		spin_stray(l);
	check_unlock(l);
	__atomic_store_n(&l->holder, NULL, __ATOMIC_RELEASE);
	if (__builtin_expect(--c->nlock == 0, 1)) {
		uint32_t flags = c->irqs_before;
		c->irqs_before = 0;
		irq_restore(flags);
	}
}

/* Take m; may sleep. m must exist until the call of mutex_unlock() has returned. */
static inline __attribute__((always_inline)) void mutex_lock(struct mutex *m)
{
	enum mutex_state was = MUTEX_FREE;

	check_mutex_lock(m);
	if (!__atomic_compare_exchange_n(&m->state, &was, MUTEX_HELD, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		mutex_wait(m);
}

static inline __attribute__((always_inline)) void mutex_unlock(struct mutex *m)
{
	enum mutex_state was = MUTEX_HELD;

	check_mutex_unlock(m);
	if (!__atomic_compare_exchange_n(&m->state, &was, MUTEX_FREE, false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED))
		mutex_wake(m);
}

#endif
