/* The guest's programs that gnomon record is told of: ELF files, with commas between. */
#ifndef TOOLS_RECORD_PROGRAM_H
#define TOOLS_RECORD_PROGRAM_H

#include <stdio.h>
#include "tools/complaint.h"

/* Print where their code lies, for the plugin: see plugin/programs.h. 0, or -1 and *why. */
int program_print(const char *files, FILE *to, struct complaint *why);

/* Print a line "# program=NAME FILE" for each, after program_print() has found them good. */
void program_print_names(const char *files, FILE *to);

#endif
