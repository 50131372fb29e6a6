/*
 * The instructions of one of the kernel's functions, with what kprof has counted in each: a page of
 * gnomon top. A bucket has 8 bytes of text, so the instruction that shows its count is the first in
 * it, and `~' marks one whose bucket has another line of the source, too.
 */
#ifndef TOOLS_GUEST_TOPCODE_H
#define TOOLS_GUEST_TOPCODE_H

#include <stdio.h>
#include "tools/code/image.h"
#include "tools/guest/toptable.h"

/*
 * Print about that number of lines: the counts of all CPUs since kprof was started. *first is the
 * first instruction that is shown, made to fit; if it is negative, the one with the most ticks is
 * in the middle. 0, or -1 and *why: the code cannot be read.
 */
int topcode_print(FILE *to, struct image *kernel, const struct symbol *symbol, const struct look *l,
		  int lines, int *first, struct complaint *why);

#endif
