/*
 * Which version of QEMU a program is, for what depends on it: how processors take turns, and what
 * FILE.run tells of the machine.
 */
#ifndef TOOLS_RUN_VERSION_H
#define TOOLS_RUN_VERSION_H

#include <stddef.h>
#include "tools/profile/runinfo.h"
#include "tools/run/qemu.h"

/*
 * Write the version of QEMU that a program says it is to `to`, "8.1.3", of at most n bytes with
 * its NUL; nothing if it does not say so soon. A program without a slash is looked for in PATH.
 */
void qemu_version(const char *program, char *to, size_t n);

/*
 * Say on the standard error when the machine's processors will not run side by side: until QEMU
 * 8.1, with icount each in turn ran until the next timer was due.
 */
void version_mention_turns(const struct machine *m);

/* Note the machine, for what stands beside files. QEMU's version takes a while to learn. */
void version_note_machine(struct runinfo *run, const struct machine *m);

#endif
