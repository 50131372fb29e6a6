/* What gnomon record has to know of the command that starts QEMU. */
#ifndef TOOLS_RECORD_COMMAND_H
#define TOOLS_RECORD_COMMAND_H

#include <stdbool.h>
#include "tools/complaint.h"

/*
 * Look at QEMU's arguments. *kernel becomes what follows -kernel, or NULL. Return 0, or -1 and *why
 * nothing can be counted so, or not exactly if that is wanted.
 */
int command_look(char *const *argv, bool exact, const char **kernel, struct complaint *why);

/* Return what follows -bios, or NULL. */
const char *command_firmware(char *const *argv);

/* Return whether processors run at the same time, each in a thread of the host's. */
bool command_is_parallel(char *const *argv);

/*
 * Run the command with -plugin WHAT behind its first word, in this terminal. SIGINT, SIGTERM and
 * SIGHUP are passed on to it as SIGTERM. Return its exit status, 128 and the signal's number if
 * that ended it, or -1 and *why it cannot be run.
 */
int command_run(char *const *argv, const char *what, struct complaint *why);

#endif
