/* Waiting until something happens, a deadline passes or a signal arrives. */
#pragma once

#include "kernel/abi/errno.h"
#include "kernel/prof/state.h"

struct spinlock;

/* A place in a queue, whose lock guards it: a process's own, or a watcher's. */
struct waiter {
	struct waiter *next, *prev;
	struct waitq *q; /* NULL: in none */
	struct proc *p;
};

/* Those who wait for something, in order of arrival; profiles tell what that is. */
struct waitq {
	struct waiter *head, *tail; /* the lock that those who wait hand to wait_on() */
	enum prof_cause cause;	    /* constant, of prof/prof_cause.h; 0 counts as PROF_DEVICE */
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
 * The same, but of those in wait_on() wake only the first that still waits. What it was woken for
 * is then its own to use, or to pass on by the same call.
 */
void wait_wake_one(struct waitq *q);
/*
 * For a mutex: if the calling process is a user's, wake the owner's first process on q, whose wait
 * returns WAIT_HANDED. All on q are in wait_uninterruptible(), without a deadline. Return false if
 * there is none, or if the caller is the owner's. Otherwise a user who releases and retakes a thing
 * in a loop would have it back before a process that was merely woken could run.
 */
bool wait_hand(struct waitq *q);
#define WAIT_HANDED 1

/*
 * To wait for any of several things a process clears its `nudged', watches the queue of each,
 * looks, and calls wait_for_nudge(). That returns 0 when one of the queues was woken, even before,
 * or what wait_on() returns; in profiles it has the cause of q, or, without one, sleeps. What is
 * woken leaves its queue; to watch again while in it is nothing.
 */
struct watcher {
	struct waiter w;
	struct spinlock *l; /* of the queue */
};
void wait_watch(struct watcher *w, struct waitq *q, struct spinlock *l); /* both take that lock */
void wait_unwatch(struct watcher *w); /* which has watched */
int wait_for_nudge(const struct waitq *q, uint64_t deadline);

int sleep_until(uint64_t deadline);
void sched_wake(uint64_t now); /* wakes sleepers of this CPU, and notes when the next is to wake */
void sched_tick(uint64_t now); /* wakes sleepers of all CPUs */
extern void (*sched_alarm)(uint64_t now); /* called at each tick; NULL until there are alarms */
void sched_signal(struct proc *p, int sig); /* pending; wakes it if need be */
uint32_t sched_forget(struct proc *p, uint32_t set); /* returns what of that was pending */
