/* Spin locks and mutexes. */
#include "kernel.h"
#include "smp.h"

/*
 * Interrupts stay off while this CPU holds any lock; the flag from before the
 * first one is kept with the CPU, so that locks may be let go in any order.
 */
void spin_lock(struct spinlock *l)
{
	uint32_t flags = irq_save();
	struct cpu *c = cpu_self();

	if (l->holder == c)
		panic("lock %s taken twice", l->name ? l->name : "?");
	while (__atomic_exchange_n(&l->held, 1, __ATOMIC_ACQUIRE)) {
		smp_poll();
		cpu_relax();
	}
	l->holder = c;
	if (c->nlock++ == 0)
		c->irqs_before = flags;
}

void spin_unlock(struct spinlock *l)
{
	struct cpu *c = cpu_self();

	if (l->holder != c)
		panic("lock %s let go by another", l->name ? l->name : "?");
	l->holder = NULL;
	__atomic_store_n(&l->held, 0, __ATOMIC_RELEASE);
	if (--c->nlock == 0)
		irq_restore(c->irqs_before);
}

/* Take m, asleep if need be. */
void mutex_lock(struct mutex *m)
{
	spin_lock(&m->l);
	while (m->held)
		wait_uninterruptible(&m->q, &m->l, NEVER);
	m->held = true;
	spin_unlock(&m->l);
}

void mutex_unlock(struct mutex *m)
{
	spin_lock(&m->l);
	m->held = false;
	if (m->q.head)
		wait_wake(&m->q);
	spin_unlock(&m->l);
}
