/*
 * A private directory for the files of one run: what QEMU finds there, and what it writes. It goes
 * with the run; what the user wants of it is copied out before.
 */
#ifndef TOOLS_RUN_WORKDIR_H
#define TOOLS_RUN_WORKDIR_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/outfile.h"

struct workdir {
	char path[4096]; /* empty when there is none */
};

/* Make one under TMPDIR or /tmp, which only the user may enter. Return 0, or -1 and *why. */
int workdir_make(struct workdir *w, struct complaint *why);

/* Make a symbolic link in it to a file of the user's, which exists. Return 0, or -1 and *why. */
int workdir_link(const struct workdir *w, const char *name, const char *target,
		 struct complaint *why);

/* Open a file in it, made if need be, with open(2)'s flags. Return its number, or -1 and *why. */
int workdir_open(const struct workdir *w, const char *name, int flags, struct complaint *why);

/* Append a file in it to one that is open. Return 0, or -1 and *why. */
int workdir_copy(const struct workdir *w, const char *name, struct outfile *o,
		 struct complaint *why);

/*
 * Tell whether what QEMU writes there still fits, for QEMU itself drops silently what does not.
 * Return 0, or -1 and *why.
 */
int workdir_room(const struct workdir *w, struct complaint *why);

/* Remove it and the files in it; harmless when there is none. */
void workdir_remove(struct workdir *w);

#endif
