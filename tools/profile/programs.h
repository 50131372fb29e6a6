/*
 * The programs of a machine, and what tells each from others of its name: FILE.run has a line
 *
 *	program=/tmp/mine id=HEX file=/src/mine
 *
 * for each that FILE may be of. The guest knows them by name alone, so that a profile of call paths
 * does not say whether a file that is called so is the program that ran.
 */
#ifndef TOOLS_PROFILE_PROGRAMS_H
#define TOOLS_PROFILE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/code/buildid.h"
#include "tools/texts.h"

struct program {
	char *path;	       /* in the guest */
	char id[BUILDID_SIZE]; /* build id, or what stands in its place */
	char *file;	       /* the host's that it was; NULL: one of the tree's */
	bool named;	       /* by a profile that programs_print() has looked at */
};

/* All zero to begin with; programs_free() gives back what it holds. */
struct programs {
	struct program *program;
	size_t n, room;
	struct texts key; /* those by which programs_find() knows the first ones */
	size_t *last;	  /* of each key: the number of its last program, from 1; 0: it has none */
	size_t nknown, room_last;
};

/* Add a program; one of that path is no longer there. The texts are copied; `file` may be NULL. */
void programs_add(struct programs *p, const char *path, const char *id, const char *file);

/* The same of a program whose path none of those there has. */
void programs_append(struct programs *p, const char *path, const char *id, const char *file);
void programs_free(struct programs *p);

/*
 * Return the program of that name, the last part of its path, and of that build; with "" of any. Of
 * several it is the last; NULL: there is none.
 */
const struct program *programs_find(struct programs *p, const char *name, const char *id);

/*
 * Write lines for those that a profile, the n bytes at data, names, and note that it does; without
 * data for all.
 */
void programs_print(struct programs *p, const uint8_t *data, size_t n, FILE *to);

/* Add what FILE.run tells, if it is there. What makes no sense is passed over. */
void programs_beside(struct programs *p, const char *file);

#endif
