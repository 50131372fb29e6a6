/*
 * What gnomon record has to know of the command that starts QEMU, and running it. Only the words of
 * the command are looked at: what a file of -readconfig says, or a script that stands in QEMU's
 * place adds, is not known.
 */
#ifndef TOOLS_RECORD_COMMAND_H
#define TOOLS_RECORD_COMMAND_H

#include <stdbool.h>
#include "tools/complaint.h"

/*
 * Look at QEMU's arguments, which end with NULL. *kernel becomes what follows -kernel, a word of
 * argv's own, or NULL. Return 0, or -1 and *why nothing can be counted so, or not exactly if that
 * is wanted.
 */
int command_look(char *const *argv, bool exact, const char **kernel, struct complaint *why);

/* Return what follows -bios, a word of argv's own, or NULL. */
const char *command_firmware(char *const *argv);

/*
 * Return whether processors run at the same time, each in a thread of the host's: QEMU does that
 * where -smp asks for several, unless -icount or thread=single makes them take turns.
 */
bool command_is_parallel(char *const *argv);

/*
 * Run the command with -plugin WHAT behind its first word, in this terminal. WHAT is a shared
 * object and the plugin's arguments, with commas between, as qemu(1) wants them. SIGINT, SIGTERM
 * and SIGHUP are passed on to it as SIGTERM. Return its exit status, 128 and the signal's number if
 * that ended it, or -1 and *why it cannot be run.
 */
int command_run(char *const *argv, const char *what, struct complaint *why);

/* When it is over: have these signals end us again, unless they were ignored from the start. */
void command_over(void);

#endif
