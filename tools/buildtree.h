/* The folder into which make puts the kernel, the programs and this one: the build tree. */
#ifndef TOOLS_BUILDTREE_H
#define TOOLS_BUILDTREE_H

#include <stddef.h>
#include "tools/complaint.h"

/* Find the folder: GNOMON_BUILD, or that of the running program. Return 0, or -1 and *why. */
int buildtree_folder(char *path, size_t size, struct complaint *why);

/* Take the file that the user gave, or the built one of that name if that is NULL. 0 or -1. */
int buildtree_file(char *path, size_t size, const char *given, const char *name,
		   struct complaint *why);

#endif
