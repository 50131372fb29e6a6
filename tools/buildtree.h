/*
 * The folder that has the kernel, its initrd and its programs: where make has put them and this
 * program, the build tree; or where `make install' has, which is lib/gnomon beside its bin.
 */
#ifndef TOOLS_BUILDTREE_H
#define TOOLS_BUILDTREE_H

#include <stddef.h>
#include "tools/complaint.h"

/*
 * Find the folder: GNOMON_BUILD; or that of the running program, if the kernel is there; or the
 * one that belongs to the program where it was installed. Return 0, or -1 and *why.
 */
int buildtree_folder(char *path, size_t size, struct complaint *why);

/*
 * Find the folder for what guests leave: out in the build tree, or in the working directory if the
 * program is installed. It need not be there yet. Return 0, or -1 and *why.
 */
int buildtree_output(char *path, size_t size, struct complaint *why);

/*
 * Take the file that the user gave, or the built one of that name if that is NULL. Whether it is
 * there is not looked at. 0, or -1 and *why: there is no telling where built ones are.
 */
int buildtree_file(char *path, size_t size, const char *given, const char *name,
		   struct complaint *why);

#endif
