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
#include <stdio.h>
#include <string.h>
#include "tools/complaint.h"
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/texts.h"

#define IMPORT_KERNEL 0 /* the number of the kernel, which counts as a program here */

/* Programs from this number on have one list of functions together: a list is a file. */
#define IMPORT_LISTS 10000

/* A function of a list; numbers are in the order in which functions came. */
struct import_function {
	uint32_t list, name; /* what tells it from others */
	uint32_t number;     /* in its list */
	uint32_t next;	     /* of the list, its index plus 1; 0: it is the last one */
};

/* The functions of a program. */
struct import_list {
	uint32_t n;
	uint32_t first, last; /* indices plus 1 */
};

struct import {
	struct texts programs;	/* by name; a process has the one of its name */
	struct texts names;	/* of functions */
	bool *idle_name;	/* by name: it is of waiting for something to do */
	struct import_function *function;
	size_t nfunction, room_idle, room_function;
	struct distinct known; /* functions */
	struct import_list *list;
	size_t nlist, room_list;
	struct texts paths; /* the numbers of a program and a mode, and the steps: 32 bits each */
	uint64_t *count;    /* of the paths */
	size_t room_count;
	uint64_t total; /* of all counts */
	size_t deepest; /* the most steps of a path */
	bool periods; /* a sample stands for as many counts as it says; else for one */
	size_t written, most; /* characters of names that will be written, and may be */

	/* the path being made, the outermost step first */
	uint32_t *step; /* as in paths */
	size_t n, room_step;
	bool kernel;	  /* the last step is the kernel's */
	bool idle;	  /* one is of waiting for something to do */
};

/* Begin with no paths; what is read is of a file of so many bytes. */
void import_init(struct import *im, size_t bytes);

/* Return the number of the program of a process, whose name has n characters. */
uint32_t import_program(struct import *im, const char *process, size_t n);

/* Return the number of a function's name, which has n characters; of one that is "", it is none. */
uint32_t import_name(struct import *im, const char *name, size_t n);

/* Begin a path of a process of that program; one that was not counted is dropped. */
void import_begin(struct import *im, uint32_t program);

/* If a word of n characters is a mode, as gnomon export writes it, it is the path's. */
bool import_mode(struct import *im, const char *word, size_t n);

/* Add a step to the path: the function of that name. */
void import_step(struct import *im, uint32_t name, bool kernel);

/* Count the path. Return 0, or -1 and *why: the counts, or the names, are too many. */
int import_count(struct import *im, uint64_t count, struct complaint *why);

/* Return the name of a list's file: that of its program. */
const char *import_list_name(const struct import *im, size_t list);

/* Write the functions of a list as nm prints them, which symbols_load() reads. */
void import_functions(const struct import *im, size_t list, struct memory_stream *to);

/* Write the paths, and that the functions are in files of that folder, named as their programs. */
void import_paths(const struct import *im, const char *folder, FILE *to);

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
