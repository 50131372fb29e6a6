/*
 * The profiles that gnomon record writes, from what its plugin left (plugin/counts.h). The plugin
 * tells addresses as the kernel ran; all that is written here has those of the kernel's file. What
 * they are the addresses of is found later, by who reads the profile.
 */
#ifndef TOOLS_RECORD_COUNTED_H
#define TOOLS_RECORD_COUNTED_H

#include "tools/record/kernel.h"

/* What is to be written, paths on the host, and what the heads of these files tell. */
struct counted_files {
	const char *paths;	      /* kpstack(5) */
	const char *arcs, *coverage, *trace; /* gmon.out, modules(5), kptrace(5); NULL: none */
	const char *programs; /* ELF files of the guest's, with commas between; NULL: none */
	const char *firmware; /* an ELF file of what runs before the kernel; NULL: none */
	unsigned period; /* instructions that each sample stands for; 0: all are counted */
};

/* What was counted, in numbers: what gnomon record tells the user in the end. */
struct counted_sums {
	uint64_t instructions, kernel, calls, returns; /* those of its text are the kernel's */
	/* Returns that are none: a new stack begins, a jump, and what remains. */
	uint64_t begun, jumps, unmatched;
	bool late; /* a call has taken longer than it was to */
	uint64_t kept; /* how many paths were kept if there were more, or 0 */
	/* By which the kernel was found to run above its place, and functions of it; or 0. */
	uint64_t moved, elsewhere;
};

/*
 * Write the files from the one at `raw`. 0, or -1 and *why: the plugin's file is missing, is not
 * whole or has a line that is not known, or a file cannot be written. Each appears whole or not at
 * all, in the order above but for the trace, which is last; what was written before a failure
 * stays. *sums are what was read so far. Programs that never ran are told of on the standard error.
 */
int counted_write(const char *raw, const struct kernel *kernel, const struct counted_files *files,
		  struct counted_sums *sums, struct complaint *why);

#endif
