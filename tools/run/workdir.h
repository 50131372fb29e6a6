/* A private directory for the files of one run. */
#ifndef TOOLS_RUN_WORKDIR_H
#define TOOLS_RUN_WORKDIR_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

struct workdir {
	char path[4096]; /* empty: there is none */
};

/* Make one under TMPDIR or /tmp, readable by the user alone. */
int workdir_make(struct workdir *w, struct complaint *why);

/* In it, a symbolic link called name to a file of the caller's. */
int workdir_link(const struct workdir *w, const char *name, const char *target,
		 struct complaint *why);

/* In it, open a file with the flags of open(2), made if it is not there; -1 and why. */
int workdir_open(const struct workdir *w, const char *name, int flags, struct complaint *why);

/* Remove it and the files in it; fine where there is none. */
void workdir_remove(struct workdir *w);

#endif
