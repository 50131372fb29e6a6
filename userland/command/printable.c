/* Text that comes from others, for somebody's terminal: see printable.h. */
#include "userland/command/printable.h"

char *printable(char *text)
{
	for (char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~')
			*c = '?';
	return text;
}
