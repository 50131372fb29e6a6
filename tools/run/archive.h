/*
 * The archive that the guest gets besides its initrd: what to run, to send back, and to have. The
 * kernel unpacks one after the other; in the guest agent(8) reads what there is to do.
 */
#ifndef TOOLS_RUN_ARCHIVE_H
#define TOOLS_RUN_ARCHIVE_H

#include <stdint.h>
#include <stdio.h>
#include "tools/run/runopts.h"

/* A script for the guest's shell. */
struct script {
	uint8_t *text;
	size_t size;
};

/*
 * Read the file of commands, or join the words of the command line, which the guest's shell takes
 * apart again. Return 0, or -1 and *why. The caller frees the text, after success only.
 */
int script_read(struct script *s, const struct runopts *o, struct complaint *why);

/* Write the archive and close its file. Return 0, or -1 and *why. */
int archive_write(FILE *f, const struct script *s, const struct runopts *o,
		  struct complaint *why);

#endif
