/* Folders for what comes out of a guest. */
#ifndef TOOLS_FOLDER_H
#define TOOLS_FOLDER_H

#include "tools/complaint.h"

/* Make a folder, and those that lead to it, unless it is there. Return 0, or -1 and *why. */
int folder_make(const char *path, struct complaint *why);

/* Try whether a folder has room for some 8 KB more, by writing them. Return 0, or -1 and *why. */
int folder_room(const char *path, struct complaint *why);

#endif
