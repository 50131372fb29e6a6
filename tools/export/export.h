/* What the parts of gnomon-export(1) share: the profile, and its paths as exports show them. */
#ifndef TOOLS_EXPORT_EXPORT_H
#define TOOLS_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/code/image.h"
#include "tools/complaint.h"
#include "tools/profile/functions.h"
#include "tools/profile/profdata.h"
#include "tools/profile/selection.h"
#include "tools/progress.h"

/* Where a function is defined, once it is known. */
struct export_origin {
	bool known;
	const char *file; /* NULL: unknown */
	unsigned line;	  /* 0: unknown */
};

struct export_format;

/* The options on the command line. */
struct export_options {
	const struct export_format *format;
	const char *output; /* the file to write; "-": the standard output */
	struct selection selection;
	struct images images;
	bool lines;	/* folded: steps say where they are */
	bool addresses; /* callgrind: instructions, too */
	bool inlined;	/* inlined functions are steps of their own */
	double limit;	/* dot: per cent of all counts; what has less is left out */
};

struct export {
	struct export_options options;
	const char *file; /* of the profile */
	struct profdata prof;
	struct functions functions; /* of prof; export_path() numbers those that it meets */
	struct progress progress; /* in samples */

	struct step *path; /* what export_path() returned last */
	size_t room_path;
	struct export_origin *origin; /* by function */
	size_t room_origin;
};

/*
 * The formats: each writes the whole profile into a stream in memory, so that writing cannot
 * fail. Return 0, or -1 and *why: the format cannot hold the profile. What it leaves out it tells
 * on the standard error. The first comment of each one's file tells of the format.
 */
int export_callgrind(struct export *x, FILE *to, struct complaint *why);
int export_chrome(struct export *x, FILE *to, struct complaint *why);
int export_dot(struct export *x, FILE *to, struct complaint *why);
int export_folded(struct export *x, FILE *to, struct complaint *why);
int export_gcov(struct export *x, FILE *to, struct complaint *why);
int export_gmon(struct export *x, FILE *to, struct complaint *why);
int export_lcov(struct export *x, FILE *to, struct complaint *why);
int export_massif(struct export *x, FILE *to, struct complaint *why);
int export_otlp(struct export *x, FILE *to, struct complaint *why);
int export_perf(struct export *x, FILE *to, struct complaint *why);
int export_perfdata(struct export *x, FILE *to, struct complaint *why);
int export_pprof(struct export *x, FILE *to, struct complaint *why);
int export_speedscope(struct export *x, FILE *to, struct complaint *why);
int export_tracedat(struct export *x, FILE *to, struct complaint *why);

/* Bytes that folded and chrome write at most: paths may be very deep, and their names long. */
#define EXPORT_MOST 500000000u

/* Fill a new folder. 0, or -1 and *why: the same, or a file in it cannot be written. */
int export_uftrace(struct export *x, const char *folder, struct complaint *why);

/*
 * Make addresses those of instructions: that of a bucket becomes the first one in it, a return
 * address that of the call, plus 1.
 */
void export_settle(struct profdata *p);

/*
 * Return a sample's path, the outermost step first: *n of them, at least one, which last until
 * the next call. Inlined functions are left out unless options.inlined is set.
 */
const struct step *export_path(struct export *x, const struct profdata_sample *s, size_t *n);

/*
 * Find the names that stand before a path in formats that have nothing but paths: process and
 * mode if the profile tells processes apart, else the image, if any. Return how many; they
 * last as long as the profile.
 */
size_t export_roots(const struct export *x, const struct profdata_sample *s,
		    const char *root[2]);

/* Return a number for the process of a sample, of which only the name is known; 0: not that. */
uint32_t export_pid(const struct profdata_sample *s);

/*
 * Do the same for a program, where processes are not told apart; 0: idle, or neither. So it is at
 * most the number of process names, or of images.
 */
uint32_t export_thread(const struct profdata *p, const struct profdata_sample *s);

/* Return an address in a step's own instruction; for all but the last that is the call. */
code_addr export_address(const struct step *step, bool last);

/* Return a function's name, or IMAGE:? if it is not known; `buf` may hold it. */
const char *export_name(const struct export *x, uint32_t function, char *buf, size_t n);

/* Return where a function is defined. An inlined one must have been in an export_path(). */
struct export_origin export_origin(struct export *x, uint32_t function);

/* Return an image's file, which the caller frees: the host's if that is known, else the guest's. */
char *export_image_file(const struct profdata_image *image);

/*
 * Call say() with each of the facts about the run, as text that lasts until it returns: for formats
 * that have room for comments.
 */
void export_facts(const struct export *x, void (*say)(void *arg, const char *fact), void *arg);

#endif
