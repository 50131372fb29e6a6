/*
 * What the parts of gnomon-import(1) share: the paths of a profile that other tools have made, by
 * names of functions. They are written as call paths, kpstack(5), in which each function has an
 * address of its own, and as lists of functions, one for each program, that belong to these.
 */
#ifndef TOOLS_IMPORT_IMPORT_H
#define TOOLS_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "tools/complaint.h"
#include "tools/memory.h"
#include "tools/texts.h"

#define IMPORT_KERNEL 0 /* the number of the kernel, which counts as a program here */

struct import {
	struct texts programs;	/* by name; a process has the one of its name */
	struct texts *functions; /* of each program */
	size_t room_functions;
	struct texts paths; /* as kpstack(5) has them, without counts */
	uint64_t *count;    /* of the paths */
	size_t room_count;
	uint64_t total; /* of all counts */
	size_t deepest; /* the most steps of a path */
	bool periods; /* a sample stands for as many counts as it says; else for one */

	/* the path being made, the outermost step first */
	size_t program;
	uint32_t *step; /* addresses */
	size_t n, room_step;
	const char *mode; /* "[kernel]" ...; NULL: as the steps are */
	bool kernel;	  /* the last step is the kernel's */
	bool idle;	  /* one is of waiting for something to do */
};

/* Begin with no paths. */
void import_init(struct import *im);

/* Begin a path of the process whose name has n characters; one that was not counted is dropped. */
void import_begin(struct import *im, const char *process, size_t n);

/* If a word of n characters is a mode, as gnomon export writes it, it is the path's. */
bool import_mode(struct import *im, const char *word, size_t n);

/* Add a step, of n characters, to the path: the name of a function. */
void import_step(struct import *im, const char *name, size_t n, bool kernel);

/* Count the path. Return 0, or -1 and *why: the counts are too many. */
int import_count(struct import *im, uint64_t count, struct complaint *why);

/* Write the functions of a program as nm prints them, which symbols_load() reads. */
void import_functions(const struct import *im, size_t program, struct memory_stream *to);

/* Write the paths, and that the functions are in files of that folder, named as their programs. */
void import_paths(const struct import *im, const char *folder, struct memory_stream *to);

void import_free(struct import *im);

/*
 * The forms. Each reads a whole file. Return 0, or -1 and *why; of a text with the number of the
 * line that is not as it should be. Folded is a line "NAME;NAME... COUNT" for each path, as
 * flamegraph.pl takes it; perf is the text of perf script; pprof is the message Profile of pprof's
 * profile.proto, compressed by gzip or not.
 */
int import_folded(struct import *im, const char *text, size_t n, struct complaint *why);
int import_perf(struct import *im, const char *text, size_t n, struct complaint *why);
int import_pprof(struct import *im, const char *text, size_t n, struct complaint *why);

/* Return whether data are compressed. */
static inline bool import_is_gzip(const void *data, size_t n)
{
	return n > 2 && memcmp(data, "\x1f\x8b", 2) == 0;
}

/* Return whether a line says nothing: it is empty, or a comment. */
static inline bool import_skips(const char *line, size_t n)
{
	if (n == 0)
		return true;
	return *line == '#';
}

/* Return whether a line is one with which samples of perf script begin. */
bool import_is_perf(const char *line, size_t n);

#endif
