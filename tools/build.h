/* Where `make` puts what it makes. */
#ifndef TOOLS_BUILD_H
#define TOOLS_BUILD_H

#include <stddef.h>
#include "tools/complaint.h"

/* Find the folder: GNOMON_BUILD, or that of the running program. 0, or -1 and why. */
int build_folder(char *path, size_t size, struct complaint *why);

/* Copy the path that the user gave, or, if NULL, that of the built file. 0, or -1 and why. */
int build_file(char *path, size_t size, const char *given, const char *name,
	       struct complaint *why);

#endif
