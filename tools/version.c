/* The version of the host's programs: see version.h. */
#include <stdio.h>
#include <string.h>
#include "tools/outfile.h"
#include "tools/version.h"

/*
 * Programs that are for users are linked with it; the address is NULL in others, which need not be
 * linked again after each commit.
 */
extern const char version_commit[] __attribute__((weak));

int version_print(const char *program)
{
	if (strcmp(program, "gnomon") == 0)
		printf("gnomon " GNOMON_VERSION);
	else
		printf("%s (Gnomon) " GNOMON_VERSION, program);
	if (version_commit && *version_commit)
		printf(", commit %s", version_commit);
	return putchar('\n') == EOF;
}

bool version_operands(int argc, char **argv, int least, int most)
{
	if (argc - 1 < least || argc - 1 > most)
		return false;
	return argc == 1 || argv[1][0] != '-';
}

int version_asked(const char *program, const char *usage, int argc, char **argv)
{
	if (argc < 2)
		return -1;
	if (strcmp(argv[1], "--version") == 0)
		return outfile_standard(program, version_print(program));
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
		return outfile_standard(program, fputs(usage, stdout) < 0);
	return -1;
}
