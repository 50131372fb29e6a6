/* What the parts of gnomon-export(1) share: the profile, its paths as exports show them. */
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

/* What the command line says. */
struct export_options {
	const struct export_format *format;
	const char *output; /* the file to write; NULL or "-": the standard output */
	struct selection selection;
	struct images images;
	bool lines;	/* folded: steps say where they are */
	bool addresses; /* callgrind: instructions, too */
	bool inlined;	/* inlined functions are steps of their own */
};

struct export {
	struct export_options options;
	const char *file; /* of the profile */
	struct profdata prof;
	struct functions functions;
	struct progress progress; /* in samples */

	struct step *path; /* of export_path() */
	size_t room_path;
	struct export_origin *origin; /* by function */
	size_t room_origin;
};

/*
 * The formats: each writes the whole profile into a stream in memory, so no error of writing
 * can occur. 0, or -1 and why: the format cannot hold it.
 */
int export_callgrind(struct export *x, FILE *to, struct complaint *why);
int export_folded(struct export *x, FILE *to, struct complaint *why);
int export_gmon(struct export *x, FILE *to, struct complaint *why);
int export_pprof(struct export *x, FILE *to, struct complaint *why);
int export_speedscope(struct export *x, FILE *to, struct complaint *why);

/*
 * Let addresses be those of instructions: a bucket's is that of the first one in it, a caller's
 * that of its call, plus 1.
 */
void export_settle(struct profdata *p);

/*
 * A sample's path, outermost step first, at least one; *n of them, which last until the next
 * call. Functions that were inlined are left out unless options.inlined says otherwise.
 */
const struct step *export_path(struct export *x, const struct profdata_sample *s, size_t *n);

/*
 * What stands before a path in formats that only have paths: process and mode where the
 * profile tells processes apart, else the image, else nothing. How many; names last.
 */
size_t export_roots(const struct export *x, const struct profdata_sample *s,
		    const char *root[2]);

/* The address of a step's own instruction: of a call, that in which the call is. */
uint32_t export_address(const struct step *step, bool last);

/* A function's name; one that is not known has its image's in it. `buf` may hold it. */
const char *export_name(const struct export *x, uint32_t function, char *buf, size_t n);

/* Where a function is defined. An inlined one must have been met by export_path(). */
struct export_origin export_origin(struct export *x, uint32_t function);

/* Call say() with each of the facts about the run, as text. */
void export_facts(const struct export *x, void (*say)(void *arg, const char *fact), void *arg);

#endif
