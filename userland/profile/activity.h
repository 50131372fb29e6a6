/* What the machine has done since it booted: its processors, the kernel's text, its processes. */
#ifndef USERLAND_PROFILE_ACTIVITY_H
#define USERLAND_PROFILE_ACTIVITY_H

#include <stddef.h>
#include <stdint.h>

#include "userland/files/process.h"
#include "userland/profile/loss.h"

#define ACTIVITY_MAXCPU 64

/* A processor. */
struct activity_cpu {
	uint64_t ticks;	      /* of the profiling clock */
	uint64_t outside;     /* ticks that interrupted a program */
	uint64_t idle_ms;
};

/* All of it, as it was at one moment. */
struct activity {
	uint64_t ms; /* since boot */
	unsigned ncpu;
	struct activity_cpu cpu[ACTIVITY_MAXCPU];
	struct loss loss; /* of kprof */
	uint32_t ticks;	   /* in all buckets and outside, on all processors */
	uint32_t period_us; /* of a tick */
	unsigned log2;	   /* of the bytes of kernel text in a bucket */
	uint32_t *bucket;  /* ticks, from the symbol ktzero on */
	size_t nbucket;
	struct process *process;
	size_t nprocess;
};

/* Read it as it is now; end the program with a message when the kernel's files cannot be read. */
void activity_read(struct activity *a);
void activity_free(struct activity *a);

/* Return the milliseconds since boot. */
uint64_t activity_clock(void);

/* Return how much a count has grown; counts that were zeroed meanwhile are all new. */
static inline uint64_t activity_grown(uint64_t now, uint64_t before)
{
	return now < before ? now : now - before;
}

#endif
