/*
 * The checking kernel (make CHECK=1): zones behind heap objects, poison in free memory, the order
 * of locks, and what a place in the code promises of its context. Each of these panics and names
 * what is wrong. In the usual kernel all of them are empty, and so are the structs.
 */
#ifndef KERNEL_CHECK_H
#define KERNEL_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mutex;
struct spinlock;

#ifdef KERNEL_CHECKED
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
};

/* In struct frame: what was asked for of a large object. */
struct check_frame {
	uint32_t asked;
};

/* heap.c: how much to look for so that a zone fits behind n bytes; then p was given for them. */
size_t check_room(size_t n);
void check_given(void *p, size_t n);
void check_freed(void *p); /* p is about to be */

/* frame.c: n frames are given out, or were freed. */
void check_frames_given(const void *va, size_t n);
void check_frames_freed(void *va, size_t n);

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

#else

struct check_cpu {};
struct check_proc {};
struct check_frame {};

static inline size_t check_room(size_t n) { return n; }
static inline void check_given(void *, size_t) {}
static inline void check_freed(void *) {}
static inline void check_frames_given(const void *, size_t) {}
static inline void check_frames_freed(void *, size_t) {}
static inline void check_lock(const struct spinlock *) {}
static inline void check_unlock(const struct spinlock *) {}
static inline void check_mutex_lock(const struct mutex *) {}
static inline void check_mutex_unlock(const struct mutex *) {}
static inline void check_irqs_off(void) {}
static inline void check_may_sleep(void) {}
static inline void check_may_fault(void) {}
static inline void check_leave(void) {}
static inline void check_trap(uint32_t, int) {}

#endif
#endif
