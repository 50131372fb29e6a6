/* The guest's programs that gnomon record is told of: ELF files, with commas between. */
#ifndef TOOLS_RECORD_PROGRAM_H
#define TOOLS_RECORD_PROGRAM_H

#include <stdio.h>
#include "tools/complaint.h"

/* Print where their code lies, for the plugin: see plugin/programs.h. 0, or -1 and *why. */
int program_print(const char *files, FILE *to, struct complaint *why);

/* The names of processes. */
struct program_names {
	char **name;
	size_t n, room;
};

/* Add the n characters of a name, unless it is there. */
void program_names_add(struct program_names *names, const char *name, size_t n);
void program_names_free(struct program_names *names);

/* Say for each of these files on stderr if no process has its name. */
void program_tell_unrun(const char *files, const struct program_names *names);

/* Print a line "# program=NAME FILE" for each, after program_print() has found them good. */
void program_print_names(const char *files, FILE *to);

#endif
