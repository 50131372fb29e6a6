/*
 * The checking kernel (make CHECK=1): zones behind heap objects, poison in free memory, the order
 * of locks, and what a place in the code promises of its context. Each of these panics and names
 * what is wrong. In the usual kernel all of them are empty, and so are the structs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mutex;
struct spinlock;

#ifdef KERNEL_CHECKED
#define CHECKED true
#define CHECK_HELD 8

/* In struct cpu and in struct proc: the locks held, in the order in which they were taken. */
struct check_cpu {
	const struct spinlock *held[CHECK_HELD];
	unsigned n;
	unsigned nmi; /* how many are being handled */
};
struct check_proc {
	const struct mutex *held[CHECK_HELD];
	unsigned n;
	uint32_t asked; /* allocations since check_fail(); its own */
	uint32_t fails; /* which of them fails; 0: none */
	int faulting;	/* page faults being handled */
};

/* In struct frame: what was asked for of a large object. */
struct check_frame {
	uint32_t asked;
};

/* heap.c: how much to look for so that a zone fits behind n bytes; then p was given for them. */
size_t check_room(size_t n);
void check_given(void *p, size_t n);
void check_freed(void *p); /* p is about to be */

/* frame.c: n frames are given out, or were freed; one that should be all zeros is about to be. */
void check_frames_given(const void *va, size_t n);
void check_frames_freed(void *va, size_t n);
void check_frame_zeroed(const void *va);

/* spin.h: the lock is about to be taken, or released. */
void check_lock(const struct spinlock *l);
void check_unlock(const struct spinlock *l);
void check_mutex_lock(const struct mutex *m);
void check_mutex_unlock(const struct mutex *m);

void check_irqs_off(void);
void check_may_sleep(void); /* interrupts are on, and no spin lock is held */
void check_may_fault(void); /* no spin lock is held */
void check_leave(void);	    /* the calling process, which ends or leaves the kernel, has no lock */
void check_trap(uint32_t vector, int by); /* its handler begins, 1, or is over, -1 */

/*
 * For tests: the n-th allocation from now on of the calling process, of frames or from the heap,
 * fails; none if n is 0. Pages that a fault brings in do not count. Return how many there were
 * since the last call.
 */
uint32_t check_fail(uint32_t n);
bool check_fails(void); /* heap.c, frame.c: it is this one */

extern size_t check_objects;		/* in use, of the heap */
void check_object(void *p);		/* panics unless the zone behind it is whole */
void check_free_object(const void *p); /* panics unless all of it is poison */

#else
#define CHECKED false

struct check_cpu {};
struct check_proc {};
struct check_frame {};

static inline size_t check_room(size_t n) { return n; }
static inline void check_given(void *, size_t) {}
static inline void check_freed(void *) {}
static inline void check_frames_given(const void *, size_t) {}
static inline void check_frames_freed(void *, size_t) {}
static inline void check_frame_zeroed(const void *) {}
static inline void check_lock(const struct spinlock *) {}
static inline void check_unlock(const struct spinlock *) {}
static inline void check_mutex_lock(const struct mutex *) {}
static inline void check_mutex_unlock(const struct mutex *) {}
static inline void check_irqs_off(void) {}
static inline void check_may_sleep(void) {}
static inline void check_may_fault(void) {}
static inline void check_leave(void) {}
static inline void check_trap(uint32_t, int) {}
static inline uint32_t check_fail(uint32_t) { return 0; }
static inline bool check_fails(void) { return false; }
extern size_t check_objects; /* never looked at */

#endif
