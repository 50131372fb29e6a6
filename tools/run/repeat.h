/*
 * Several runs of the same commands, each in a folder of its own: DIR/1 to DIR/9, DIR/01 to ...
 * profile/repeats.h reads such folders.
 */
#ifndef TOOLS_RUN_REPEAT_H
#define TOOLS_RUN_REPEAT_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/complaint.h"
#include "tools/run/fetch.h"

/* Write the name of the i-th of n runs, from 1: as many digits as n has, so that they sort. */
void repeat_name(char *name, size_t size, unsigned i, unsigned n);

/*
 * Check that a folder, if it is there, holds no runs but these n, for what is made of a folder is
 * made of all runs in it. Return 0, or -1 and *why.
 */
int repeat_check(const char *dir, unsigned n, struct complaint *why);

/* Return whether all n runs brought back the same files, to the bit. */
bool repeat_alike(const char *dir, unsigned n, const struct fetch_file *file, unsigned nfile);

#endif
