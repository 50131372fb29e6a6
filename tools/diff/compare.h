/* Two profiles side by side, function by function: what gnomon-diff(1) works on. */
#ifndef TOOLS_DIFF_COMPARE_H
#define TOOLS_DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/functions.h"
#include "tools/profile/profdata.h"

/* A function, by its name: in two builds its address is another. Names are the profiles'. */
struct compare_row {
	const char *module; /* "" for what is in none, "[idle]" for example */
	const char *name;
	uint64_t a, b;
};

/* A path of functions, "sh;main;read" for example, which is the row's own. */
struct compare_path {
	char *path;
	uint64_t a, b;
};

/*
 * The functions that have a count in either, by module and name: *n of them, which the
 * caller frees. Functions of one module and one name are one. `all`: count the functions
 * that they called, too.
 */
struct compare_row *compare_functions(struct functions *a, struct functions *b, bool all,
				      size_t *n);

/*
 * The paths that have a count in either, in order of their text: *n of them. They begin
 * with the process, or the module where no process is known.
 */
struct compare_path *compare_paths(struct functions *a, struct functions *b, size_t *n);
void compare_paths_free(struct compare_path *path, size_t n);

#endif
