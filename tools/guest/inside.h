/*
 * What the profilers have counted inside a guest, out of its memory. The tables are read
 * from there, and the files made of them by prof/ itself, as the guest's own kernel does.
 */
#ifndef TOOLS_GUEST_INSIDE_H
#define TOOLS_GUEST_INSIDE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/guest/layout.h"
#include "prof/prof.h"

struct inside {
	struct layout layout;
	struct ram *ram;
};

/*
 * Look into the memory with the kernel's image; both are let go of by inside_close(). 0, or
 * -1 and why: then the memory is let go of. The kernel in memory must be that image.
 */
int inside_open(struct inside *in, const char *kernel, struct ram *ram, struct complaint *why);
void inside_close(struct inside *in);

/*
 * kprof as it is now, into p, whose memory inside_free() gives back. Zero p at first; then
 * the same p may be filled again and again. 0, or -1 and why.
 */
int inside_kprof(struct inside *in, struct prof *p, struct complaint *why);
void inside_free(struct prof *p);

/* A process in the guest, and the time it had: cycles of its processor. */
struct inside_process {
	uint32_t pid;
	uint64_t time;
	char name[32];
};

/* At most max processes, of a list that may be changing: how many there are. -1 and why. */
int inside_processes(struct inside *in, struct inside_process *list, int max,
		     struct complaint *why);

/* How fast the guest's cycle counters go. 0, or -1 and why. */
int inside_khz(struct inside *in, uint32_t *khz, struct complaint *why);

/* kpdata(5), which the caller frees, and its size. 0, or -1 and why. */
int inside_kpdata(struct inside *in, uint8_t **data, size_t *size, struct complaint *why);

/* gmon.out, all CPUs together, to a file. 0, or -1 and why. */
int inside_gmon(struct inside *in, FILE *to, struct complaint *why);

/* kpstack(5), to a file. 0, -1 and why, or 1 and why: stacks are off. */
int inside_stacks(struct inside *in, FILE *to, struct complaint *why);

/* The last that the kernel printed, which the caller frees; a NUL follows. 0, or -1 and why. */
int inside_log(struct inside *in, uint8_t **text, size_t *size, struct complaint *why);

#endif
