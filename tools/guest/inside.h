/*
 * The profilers' counts inside a guest, read from its memory as its described block tells: for
 * gnomon-top(1), while it runs, and gnomon-extract(1), of a dump, too. What the guest's own files
 * have, such as /dev/kpdata, is made anew here of the same tables.
 */
#ifndef TOOLS_GUEST_INSIDE_H
#define TOOLS_GUEST_INSIDE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/guest/block.h"
#include "tools/guest/layout.h"
#include "tools/profile/runinfo.h"

/* A guest's memory, and the kernel in there. */
struct inside {
	struct ram *ram;
	struct block block;
	char build[41];		/* its build id, as hexadecimal digits; empty: unknown */
	const char *kernel;	/* its image; NULL: there is none */
	struct symbols symbols; /* of that */
	struct layout layout;	/* of Gnomon's own variables, if the image tells of them */
	bool has_layout;
};

/*
 * Return the image of the kernel in a guest: the one that the user gave, NULL if that is "none", or
 * the built one if there is one. `path` has room for its name.
 */
const char *inside_kernel(const char *given, char *path, size_t size);

/*
 * Look into the memory. `kernel` is the image of the kernel in there, and must be; or NULL. Return
 * 0, or -1 and *why. The memory is closed by inside_close(), or when this fails.
 */
int inside_open(struct inside *in, const char *kernel, struct ram *ram, struct complaint *why);
void inside_close(struct inside *in);

/* kprof's tables, in numbers of the host's. */
struct inside_kprof {
	code_addr first; /* the lowest address that is counted */
	uint32_t size;	 /* bytes of text from there on */
	uint32_t nbucket; /* with those in whose place the special counts are: kpdata(5) */
	unsigned shift, ncpu; /* log2 of a bucket's bytes of text; processors */
	struct prof_pace pace; /* how long its ticks are */
	uint32_t *cell[BLOCK_MAXCPU]; /* by processor: nbucket counts */
};

/*
 * Copy kprof's tables as they are now into k, which is zeroed before its first use and may be
 * filled again and again; inside_free() frees its memory. Return 0, or -1 and *why.
 */
int inside_kprof(struct inside *in, struct inside_kprof *k, struct complaint *why);
void inside_free(struct inside_kprof *k);

/* A process in the guest, and the time it has had: cycles of its processor. */
struct inside_process {
	uint32_t pid;
	uint64_t time;
	char name[128]; /* as printable() shows it */
};

/*
 * Read the list of processes, at most max of them, while it may be changing. Return how many
 * there are, or -1 and *why: other kernels' processes than Gnomon's are not known, for example.
 */
int inside_processes(struct inside *in, struct inside_process *list, int max,
		     struct complaint *why);

/* Read how fast Gnomon's cycle counters go. Return 0, or -1 and *why. */
int inside_khz(struct inside *in, uint32_t *khz, struct complaint *why);

/* Read the guest's time since it started, some 10 ms more or less. Return 0, or -1 and *why. */
int inside_time(struct inside *in, uint64_t *ns, struct complaint *why);

/*
 * Read the state of the profiling clock, and the ticks that there were for a profiler, kprof or
 * gmon, or since the start for any. Return 0, or -1 and *why.
 */
int inside_clock(struct inside *in, const char *profiler, struct runinfo *r,
		 struct complaint *why);

/* Write kpdata(5) to a file. Return 0, or -1 and *why. */
int inside_kpdata(struct inside *in, FILE *to, struct complaint *why);

/* Write gmon.out, all CPUs together, to a file. Return 0, or -1 and *why. */
int inside_gmon(struct inside *in, FILE *to, struct complaint *why);

/* Write kpstack(5) to a file. Return 0; -1 and *why; or 1 and *why if stacks are off. */
int inside_stacks(struct inside *in, FILE *to, struct complaint *why);

/*
 * Write kptrace(5) to a file, without marks: what a flight recorder had when the machine crashed.
 * Return 0; -1 and *why; or 1 and *why if nothing was to be recorded. While the machine runs, the
 * last records may be half new.
 */
int inside_trace(struct inside *in, FILE *to, struct complaint *why);

/*
 * Return the path of an entry of such a table, whose words have that many bytes and are all there;
 * or its name alone. To be freed.
 */
char *inside_path(const uint8_t *entry, unsigned width);
char *inside_name(const uint8_t *entry, unsigned width);

/* Write the end of what Gnomon has printed. Return 0; -1 and *why; or 1 and *why: not Gnomon. */
int inside_log(struct inside *in, FILE *to, struct complaint *why);

#endif
