/*
 * The counts of two profiles by function, or by path: what gnomon-diff(1) compares. Whether their
 * units can be compared at all the caller has found out before.
 */
#ifndef TOOLS_DIFF_COMPARE_H
#define TOOLS_DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/functions.h"
#include "tools/profile/profdata.h"
#include "tools/texts.h"

/*
 * A function by its name, for its address differs from build to build. The names last as long
 * as the profiles.
 */
struct compare_row {
	const char *module; /* "" for what is in no module, such as "[idle]" */
	const char *name;
	uint64_t a, b;
};

/* A path of functions, such as "sh;main;read". */
struct compare_path {
	const uint32_t *step; /* numbers, the outermost step first */
	size_t n;
	uint64_t a, b;
};

/* Paths. Names may be long and paths deep, so each name is there once. */
struct compare_paths {
	struct compare_path *path;
	size_t n;
	uint32_t *step; /* of all */
	struct texts names;
	uint32_t *sorted; /* by a step's number: twice that of its name, and 1 if it is the last */
};

/*
 * Return the functions that have a count in either profile, by module and name: *n of them,
 * which the caller frees. Functions of the same module and name are one. With `all`, what was
 * counted in the functions that they called is in their counts.
 */
struct compare_row *compare_functions(struct functions *a, struct functions *b, bool all,
				      size_t *n);

/*
 * Find the paths that have a count in either profile, in the order of their texts. They begin with
 * the process, or with the module if no process is known.
 */
void compare_paths(struct compare_paths *p, struct functions *a, struct functions *b);
void compare_paths_free(struct compare_paths *p);

/* Return the name of a step, in which there is no separator. */
const struct text *compare_step(const struct compare_paths *p, uint32_t step);

#endif
