/* Which version of Gnomon a program of the host's is, and the options that every one has. */
#ifndef TOOLS_VERSION_H
#define TOOLS_VERSION_H

#include <stdbool.h>

/*
 * Print "NAME (Gnomon) 0.1, commit 0123456789ab", or without the commit where the build does not
 * know it. Return 0, or 1 if it cannot be printed.
 */
int version_print(const char *program);

/*
 * For a program without a table of options: if its first argument is --version, -h or --help,
 * print the version or the usage to the standard output. Return the exit status, or -1: it is
 * another one.
 */
int version_asked(const char *program, const char *usage, int argc, char **argv);

/* Return whether there are from `least` to `most` operands, and no option before them. */
bool version_operands(int argc, char **argv, int least, int most);

#endif
