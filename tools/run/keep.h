/*
 * Keeping what ran beside the profiles of it: gnomon.elf, and the programs that they name in bin. A
 * report finds them there when the tree has long been built again.
 */
#ifndef TOOLS_RUN_KEEP_H
#define TOOLS_RUN_KEEP_H

#include "tools/complaint.h"
#include "tools/profile/programs.h"
#include "tools/run/workdir.h"

/*
 * Copy the kernel in the work directory, and the programs that profiles have named, to a folder.
 * The build tree has them with their lines of source; what is no longer there comes from the
 * archives. Return 0, or -1 and *why.
 */
int keep_files(const char *dir, const struct workdir *work, const char *build,
	       const struct programs *programs, struct complaint *why);

#endif
