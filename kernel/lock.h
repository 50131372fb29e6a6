/* Locks: spin locks, taken with interrupts off, and mutexes, which sleep. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/abi/errno.h"

struct cpu;
struct proc;

struct spinlock {
	struct cpu *holder; /* atomic; NULL when free */
	const char *name;   /* for messages; may be NULL */
};

/* What processes wait for, as profiles tell it; a queue's is for a device if nothing is said. */
enum wait_cause { WAIT_DEVICE, WAIT_PIPE, WAIT_SLEEP, WAIT_CHILD, WAIT_LOCK };

/* Processes that wait for something, in order of arrival. */
struct waitq {
	struct proc *head, *tail; /* the lock that those who wait hand to wait_on() */
	enum wait_cause cause;	  /* constant */
};

#define NEVER UINT64_MAX

/*
 * Sleep on q until wait_wake() or the time deadline (ns since boot, NEVER). The
 * caller holds l and has checked its condition; l is released during the sleep and
 * held again on return. Return 0, -ETIMEDOUT, or -EINTR if a signal came.
 */
int wait_on(struct waitq *q, struct spinlock *l, uint64_t deadline);
/* The same, but signals do not end the wait, which must be short. Return 0 or -ETIMEDOUT. */
int wait_uninterruptible(struct waitq *q, struct spinlock *l, uint64_t deadline);
/* Wake all, with that lock held; from interrupt handlers too, never from NMI. */
void wait_wake(struct waitq *q);
/*
 * If the calling process is a user's, wake the first of the owner's on q, whose wait returns
 * WAIT_HANDED. False: that is not so. A user who gives up something, and takes it again and again,
 * has it back before a process that is only awake could run.
 */
bool wait_hand(struct waitq *q);
#define WAIT_HANDED 1

enum mutex_state { MUTEX_FREE, MUTEX_HELD, MUTEX_WANTED };

struct mutex {
	enum mutex_state state; /* atomic */
	struct spinlock l;	/* also held when MUTEX_WANTED is stored */
	struct waitq q;		/* l; the waiting processes */
};

#include "kernel/spin.h" /* spin_lock(), spin_unlock(), mutex_lock(), mutex_unlock() */

/* Hold the lock from here to the end of the block, whichever way leads out of it. */
#define HOLD_MUTEX(m) \
	struct mutex *held_mutex __attribute__((cleanup(mutex_drop))) = (m); \
	mutex_lock(held_mutex)
#define HOLD_SPIN(l) \
	struct spinlock *held_spin __attribute__((cleanup(spin_drop))) = (l); \
	spin_lock(held_spin)

static inline __attribute__((always_inline)) void mutex_drop(struct mutex **m)
{
	mutex_unlock(*m);
}

static inline __attribute__((always_inline)) void spin_drop(struct spinlock **l)
{
	spin_unlock(*l);
}
