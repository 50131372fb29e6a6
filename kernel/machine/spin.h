/*
 * Spin locks. Taking one that is free, and releasing it, is done without a call: otherwise every
 * third call in the kernel would be one of these, and an entry that is counted costs more than the
 * lock. Waiting for a lock is in spin.c, where a profile shows it.
 *
 * Hosted tests declare functions instead, and define KERNEL_SPIN_H.
 */
#pragma once

#include "kernel/machine/lib.h"

struct spinlock {
	struct cpu *holder; /* atomic; NULL when free */
	const char *name;   /* for messages; may be NULL */
};

#ifndef KERNEL_SPIN_H

#include "kernel/machine/cpu.h"

void spin_wait(struct spinlock *l);
_Noreturn void spin_stray(const struct spinlock *l);

/*
 * Take l, not from NMI. A lock is never held across a sleep.
 *
 * Interrupts stay off while this CPU holds any lock; the flag from before the first one, which
 * alone can be set, is kept with the CPU, so that locks may be released in any order. Who knows
 * that this CPU is c says so.
 */
static INLINED void spin_lock_on(struct cpu *c, struct spinlock *l)
{
	uint32_t flags = irq_save();
	struct cpu *none = NULL;

	check_lock(l);
	if (!__atomic_compare_exchange_n(&l->holder, &none, c, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		spin_wait(l);
	c->nlock++;
	c->irqs_before |= flags;
}

static INLINED void spin_unlock_on(struct cpu *c, struct spinlock *l)
{
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

static INLINED void spin_lock(struct spinlock *l)
{
	spin_lock_on(cpu_self(), l);
}

static INLINED void spin_unlock(struct spinlock *l)
{
	spin_unlock_on(cpu_self(), l);
}

#endif

/* Hold the lock from here to the end of the block, whichever way leads out of it. */
#define HOLD_SPIN(l) \
	struct spinlock *held_spin __attribute__((cleanup(spin_drop))) = (l); \
	spin_lock(held_spin)

static INLINED void spin_drop(struct spinlock **l)
{
	spin_unlock(*l);
}
