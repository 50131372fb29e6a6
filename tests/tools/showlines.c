/*
 * showlines: prints the table of source lines on its standard input: the address and the source
 * line of each instruction that does not just fill a gap.
 *
 * usage: showlines TEXTADDRESS
 * Links: userland/profile/lines.c
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "userland/profile/lines.h"

int main(int argc, char **argv)
{
	static char table[1 << 20];
	size_t n = fread(table, 1, sizeof(table), stdin);
	uint32_t text = argc == 2 ? (uint32_t)strtoul(argv[1], NULL, 16) : 0;
	struct lines l;
	const char *bad = lines_read(&l, table, n, false);

	if (bad) {
		fprintf(stderr, "showlines: %s\n", bad);
		return 1;
	}
	for (size_t i = 0; i < l.n; i++)
		if (!l.in[i].fill)
			printf("%08" PRIx32 " %s:%" PRIu32 "\n", text + l.in[i].pc,
			       l.in[i].line ? l.file[l.in[i].file] : "?", l.in[i].line);
	lines_free(&l);
	return 0;
}
