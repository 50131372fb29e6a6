/*
 * The checking kernel (make CHECK=1): zones behind heap objects, and poison in free memory. What
 * is wrong is named in a panic. In the usual kernel all of this is empty.
 */
#ifndef KERNEL_CHECK_H
#define KERNEL_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef KERNEL_CHECKED
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

#else

struct check_frame {};

static inline size_t check_room(size_t n) { return n; }
static inline void check_given(void *, size_t) {}
static inline void check_freed(void *) {}
static inline void check_frames_given(const void *, size_t) {}
static inline void check_frames_freed(void *, size_t) {}

#endif
#endif
