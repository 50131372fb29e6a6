/* Reading from standard input. */
#include <stdio.h>

int getchar(void)
{
	return fgetc(stdin);
}
