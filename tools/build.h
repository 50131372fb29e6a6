/* Where `make` puts what it makes. */
#ifndef TOOLS_BUILD_H
#define TOOLS_BUILD_H

#include <stddef.h>
#include "tools/complaint.h"

/* The folder: GNOMON_BUILD, or that of the running program. 0, or -1 and why. */
int build_folder(char *path, size_t size, struct complaint *why);

/* The file that the user gave, or, where that is NULL, the built one of that name. 0, or -1. */
int build_file(char *path, size_t size, const char *given, const char *name,
	       struct complaint *why);

#endif
