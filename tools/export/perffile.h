/*
 * perf's own file, perf.data: a head, then records of processes, files in memory and samples, and
 * after them what perf calls features. Layout: tools/perf/Documentation/perf.data-file-format.txt
 * of Linux, and of the records <linux/perf_event.h>. Numbers are in the byte order of this machine,
 * as perf's are, and readers find that out by the first one.
 */
#ifndef TOOLS_EXPORT_PERFFILE_H
#define TOOLS_EXPORT_PERFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/code/addr.h"
#include "tools/memory.h"

/* The most steps of a sample: a record has at most 64 KB. */
#define PERFFILE_STEPS 4000

/* The kernel's name in place of a path. */
#define PERFFILE_KERNEL "[kernel.kallsyms]"

/* What is counted. */
struct perffile_event {
	const char *name;
	uint32_t type;	 /* PERF_TYPE_... */
	uint64_t config; /* PERF_COUNT_... */
};

/* A file that is being made: its records, and its feature of build ids, which comes after them. */
struct perffile {
	bool cpus; /* it is known on which CPU samples were taken */
	uint32_t ncpu; /* how many there are at least */
	struct memory_stream records, buildids;
};

/* Where and when something was. */
struct perffile_moment {
	uint32_t pid; /* of a process with one thread, whose number it is, too */
	uint32_t cpu; /* where that is known */
	uint64_t ns;  /* since some moment; perf sorts records by it */
};

/* The text of an ELF file in memory. */
struct perffile_text {
	bool kernel;
	const char *path;
	code_addr start, size; /* bytes */
	uint64_t offset;     /* of its first byte in the file; of the kernel the symbol's address */
	const char *symbol;  /* of the kernel: that of a function; or "" */
};

/* A step of a path. */
struct perffile_step {
	code_addr pc;
	bool kernel;
};

/* Begin with no records. */
void perffile_open(struct perffile *f, bool cpus);

/* Begin a process, before anything else is told of it. */
void perffile_process(struct perffile *f, const struct perffile_moment *at);

/* From then on a process has this name: it has begun, or has executed another program. */
void perffile_name(struct perffile *f, const struct perffile_moment *at, const char *name);

/* From then on a process has a program in its memory; or all have the kernel. */
void perffile_text(struct perffile *f, const struct perffile_moment *at,
		   const struct perffile_text *text);

/* Tell a file's build id, of hexadecimal digits; "": it is not known. */
void perffile_buildid(struct perffile *f, const struct perffile_text *text, const char *buildid);

/*
 * Add a sample of `period` counts, with n steps, at most PERFFILE_STEPS, the innermost first; it
 * may have none.
 */
void perffile_sample(struct perffile *f, const struct perffile_moment *at, uint64_t period,
		     const struct perffile_step *step, size_t n);

/* Tell how many samples should have been taken, and were not. */
void perffile_lost(struct perffile *f, uint64_t lost);

/* Write the file, of a machine whose processor Linux gives this name, and free the records. */
void perffile_write(struct perffile *f, const struct perffile_event *event, const char *machine,
		    FILE *to);

#endif
