/*
 * Mutexes: locks whose waiting takers sleep. As with spin locks, only waiting is a call, and hosted
 * tests have functions instead.
 */
#pragma once

#include "kernel/machine/spin.h"
#include "kernel/sched/wait.h"

enum mutex_state { MUTEX_FREE, MUTEX_HELD, MUTEX_WANTED };

struct mutex {
	enum mutex_state state; /* atomic */
	struct spinlock l;	/* also held when MUTEX_WANTED is stored */
	struct waitq q;		/* l; the waiting processes */
};

#ifndef KERNEL_SPIN_H

void mutex_wait(struct mutex *m);
void mutex_wake(struct mutex *m);

/* Take m; may sleep. m must exist until the call of mutex_unlock() has returned. */
static INLINED void mutex_lock(struct mutex *m)
{
	enum mutex_state was = MUTEX_FREE;

	check_mutex_lock(m);
	if (!__atomic_compare_exchange_n(&m->state, &was, MUTEX_HELD, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		mutex_wait(m);
}

static INLINED void mutex_unlock(struct mutex *m)
{
	enum mutex_state was = MUTEX_HELD;

	check_mutex_unlock(m);
	if (!__atomic_compare_exchange_n(&m->state, &was, MUTEX_FREE, false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED))
		mutex_wake(m);
}

#endif

/* Hold the lock from here to the end of the block, whichever way leads out of it. */
#define HOLD_MUTEX(m) \
	struct mutex *held_mutex __attribute__((cleanup(mutex_drop))) = (m); \
	mutex_lock(held_mutex)

static INLINED void mutex_drop(struct mutex **m)
{
	mutex_unlock(*m);
}
