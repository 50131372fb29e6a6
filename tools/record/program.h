/*
 * The guest's programs that gnomon record is told of: ELF files, with commas between. They are the
 * host's copies; the guest is not asked. A path with a comma in it cannot be given.
 */
#ifndef TOOLS_RECORD_PROGRAM_H
#define TOOLS_RECORD_PROGRAM_H

#include <stdio.h>
#include "tools/complaint.h"
#include "tools/texts.h"

/*
 * Print where their code lies, for the plugin: see plugin/programs.h. 0, or -1 and *why: a file is
 * none of ELF's, has no code or more parts of it than the plugin keeps, or may be loaded anywhere
 * (ET_DYN), so that its addresses say nothing.
 */
int program_print(const char *files, FILE *to, struct complaint *why);

/*
 * Say for each of these files on stderr if no process has its name; then it is added. A program
 * that ran can still be unknown, if all that it ran is in another file at the same addresses, too.
 */
void program_tell_unrun(const char *files, struct texts *processes);

/* Print a line "# program=NAME FILE" for each, after program_print() has found them good. */
void program_print_names(const char *files, FILE *to);

#endif
