/*
 * The checking kernel (make CHECK=1): zones after heap objects, poison in free memory, the order
 * of locks, and what a place in the code promises of its context. Each of these panics and names
 * what is wrong. In the usual kernel all of them are empty, and so are the structs.
 */
#pragma once

#include <stdbool.h>
#include "kernel/machine/panic.h"

struct mutex;
struct spinlock;
struct vm;

#ifdef KERNEL_CHECKED
#define CHECKED true
#define CHECK_HELD 8

/* In struct cpu and in struct proc: the locks held, in the order in which they were taken. */
struct check_cpu {
	const struct spinlock *held[CHECK_HELD];
	unsigned n;
	unsigned nmi; /* how many are being handled */
	uint32_t views; /* atomic; the page directories that CR3 was loaded with: a bit each */
};
struct check_proc {
	const struct mutex *held[CHECK_HELD];
	unsigned n;
	uint32_t asked; /* allocations since check_fail(); its own */
	uint32_t fails; /* which of them fails; 0: none */
	uint32_t charged, refused; /* the same for charges, since check_refuse() */
	int faulting;	/* page faults being handled */
};

/* In struct frame: what was asked for of a large object. */
struct check_frame {
	uint32_t asked;
};

size_t check_room(size_t n); /* heap.c: what to look for so that a zone fits after n bytes */
bool check_fails(void);	     /* heap.c, frame.c: this allocation is the one that is to fail */
bool check_refuses(void);    /* account.h: this charge is the one that is to be refused */
#define CHECK(function) function; /* the others */

#else
#define CHECKED false

struct check_cpu {};
struct check_proc {};
struct check_frame {};

static inline size_t check_room(size_t n) { return n; }
static inline bool check_fails(void) { return false; }
static inline bool check_refuses(void) { return false; }
#define CHECK(function) static inline function {}

#endif

/* heap.c: an object of n bytes was given out, or one is about to be freed. */
CHECK(void check_given(void *, size_t))
CHECK(void check_freed(void *))

/* frame.c: n frames are given out, or were freed; one that should be all zeros is about to be. */
CHECK(void check_frames_given(const void *, size_t))
CHECK(void check_frames_freed(void *, size_t))
CHECK(void check_frame_zeroed(const void *))

/* spin.h: the lock is about to be taken, or released. */
CHECK(void check_lock(const struct spinlock *))
CHECK(void check_unlock(const struct spinlock *))
/* What the lock guards, which has that number of users, is touched: it is held, or there is one. */
CHECK(void check_guarded(const struct spinlock *, uint32_t))
CHECK(void check_mutex_lock(const struct mutex *))
CHECK(void check_mutex_unlock(const struct mutex *))

/* paging.h, smp.c: this CPU loaded CR3, with what vm has; NULL: it will, or that is constant. */
CHECK(void check_loaded(const struct vm *))
/* table.c: a page directory of vm is new, and all CPUs that run on vm have loaded CR3 since. */
CHECK(void check_views(const struct vm *))

CHECK(void check_irqs_off(void))
CHECK(void check_may_sleep(void)) /* interrupts are on, and no spin lock is held */
CHECK(void check_may_fault(void)) /* no spin lock is held */
CHECK(void check_leave(void)) /* the calling process ends or leaves the kernel: it has no lock */
CHECK(void check_trap(uint32_t, int)) /* that vector's handler begins, 1, or is over, -1 */
#undef CHECK

/*
 * For tests, and in the checking kernel alone: the n-th allocation from now on of the calling
 * process, of frames or from the heap, fails; none if n is 0. Pages that a fault brings in do not
 * count. Return how many there were since the last call.
 */
uint32_t check_fail(uint32_t n);
uint32_t check_refuse(uint32_t n); /* the same for what an account is to pay for */
extern size_t check_objects;		/* in use, of the heap */
void check_object(void *p);		/* panics unless the zone after it is whole */
void check_free_object(const void *p); /* panics unless all of it is poison */
