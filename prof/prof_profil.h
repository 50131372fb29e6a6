/*
 * profil: a process's own histogram. A tick only queues samples; code that may write user
 * memory counts them. profil(2) and sprofil(2) have the whole of it.
 */
#pragma once

#include "prof/prof_sample.h"

/* A buffer, by address and length in the program's memory, and the text that it counts. */
struct prof_profil_region {
	prof_addr base, size;
	prof_addr offset; /* the lowest address that is counted */
	uint32_t scale;	 /* bytes of buffer to a byte of text, 16.16 fixed point */
};

/* A process's samples that are not counted yet. Only a tick in user mode adds to them. */
struct prof_profil {
	struct prof_beat beat;
	uint32_t queued; /* entries in use; each holds n samples at one address */
	struct {
		prof_addr pc;
		uint32_t n;
	} queue[PROF_PROFIL_QUEUE];
};

void prof_profil_start(struct prof *p); /* some process is profiled */
void prof_profil_stop(struct prof *p);	/* none is */

/*
 * Empty the queue, and have a sample taken every us microseconds of the process's own time. Its
 * beat, zero at first, is to be kept between one window of profiling and the next.
 */
void prof_profil_begin(struct prof_profil *f, uint32_t us, uint32_t seed);

/*
 * Set *addr to the cell, of `cell` bytes, that counts pc: in that of the n regions holding pc
 * that begins last. Return false if none holds it.
 */
bool prof_profil_find(const struct prof_profil_region *r, uint32_t n, uint32_t cell, prof_addr pc,
		      prof_addr *addr);

/*
 * Queue a tick's sample, or drop it if the queue is full. It never is if the queue is emptied
 * at every entry to the kernel, of which the system clock makes enough.
 */
void prof_profil_tick(struct prof *p, const struct prof_sample *s);
