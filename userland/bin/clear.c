/* clear: empties the screen, and puts the cursor at its top. The sequences are those of ECMA-48. */
#include <stdio.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "clear";

int main(int argc, char **argv)
{
	no_options(argc, argv, synopsis);
	if (optind < argc)
		usage('?', synopsis);
	printf("\033[H\033[2J");
	return 0;
}
