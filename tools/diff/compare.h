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

/*
 * A function by its name, for its address differs from build to build. The names last as long
 * as the profiles.
 */
struct compare_row {
	const char *module; /* "" for what is in no module, such as "[idle]" */
	const char *name;
	uint64_t a, b;
};

/* A path of functions, such as "sh;main;read", which the row owns. */
struct compare_path {
	char *path;
	uint64_t a, b;
};

/*
 * Return the functions that have a count in either profile, by module and name: *n of them,
 * which the caller frees. Functions of the same module and name are one. With `all`, what was
 * counted in the functions that they called is in their counts.
 */
struct compare_row *compare_functions(struct functions *a, struct functions *b, bool all,
				      size_t *n);

/*
 * Return the paths that have a count in either profile, in the order of their texts: *n of
 * them. They begin with the process, or with the module if no process is known.
 */
struct compare_path *compare_paths(struct functions *a, struct functions *b, size_t *n);
void compare_paths_free(struct compare_path *path, size_t n);

#endif
