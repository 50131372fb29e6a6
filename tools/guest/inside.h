/*
 * The profilers' counts inside a guest, read from its memory. prof/ itself makes the files from
 * the copied tables, as it does in the guest's kernel.
 */
#ifndef TOOLS_GUEST_INSIDE_H
#define TOOLS_GUEST_INSIDE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/guest/layout.h"
#include "tools/profile/runinfo.h"
#include "prof/prof.h"

/* The kernel's image and a guest's memory, in which that kernel runs or ran. */
struct inside {
	struct layout layout;
	struct ram *ram;
};

/*
 * Look into the memory with the kernel's image, which must be that of the kernel in there.
 * Return 0, or -1 and *why. The memory is closed by inside_close(), or when this fails.
 */
int inside_open(struct inside *in, const char *kernel, struct ram *ram, struct complaint *why);
void inside_close(struct inside *in);

/*
 * Copy kprof's tables as they are now into p, which is zeroed before its first use and may be
 * filled again and again; inside_free() frees its memory. Return 0, or -1 and *why.
 */
int inside_kprof(struct inside *in, struct prof *p, struct complaint *why);
void inside_free(struct prof *p);

/* A process in the guest, and the time it has had: cycles of its processor. */
struct inside_process {
	uint32_t pid;
	uint64_t time;
	char name[32];
};

/*
 * Read the list of processes, at most max of them, while it may be changing. Return how many
 * there are, or -1 and *why.
 */
int inside_processes(struct inside *in, struct inside_process *list, int max,
		     struct complaint *why);

/* Read how fast the guest's cycle counters go. Return 0, or -1 and *why. */
int inside_khz(struct inside *in, uint32_t *khz, struct complaint *why);

/* Read the guest's time since it started, some 10 ms more or less. Return 0, or -1 and *why. */
int inside_time(struct inside *in, uint64_t *ns, struct complaint *why);

/*
 * Read the state of the profiling clock, and the ticks that there were for a profiler, kprof or
 * gmon, or since the start for any. Return 0, or -1 and *why.
 */
int inside_clock(struct inside *in, const char *profiler, struct runinfo *r,
		 struct complaint *why);

/* Return the kernel's build id as hexadecimal digits in buf; empty if it has none. */
const char *inside_build(const struct inside *in, char buf[static RUNINFO_TEXT]);

/* Write kpdata(5) to a file. Return 0, or -1 and *why. */
int inside_kpdata(struct inside *in, FILE *to, struct complaint *why);

/* Write gmon.out, all CPUs together, to a file. Return 0, or -1 and *why. */
int inside_gmon(struct inside *in, FILE *to, struct complaint *why);

/* Write kpstack(5) to a file. Return 0; -1 and *why; or 1 and *why if stacks are off. */
int inside_stacks(struct inside *in, FILE *to, struct complaint *why);

/* Write the end of what the kernel has printed to a file. Return 0, or -1 and *why. */
int inside_log(struct inside *in, FILE *to, struct complaint *why);

#endif
