/* The program's name, for messages. */
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

static const char *name;

/* From now on messages begin with the last part of s, which must stay. */
void setprogname(const char *s)
{
	const char *slash = strrchr(s, '/');

	name = slash ? slash + 1 : s;
}

/* The last part of argv[0], unless setprogname() said otherwise. */
const char *getprogname(void)
{
	if (!name)
		setprogname(__argv && __argv[0] ? __argv[0] : "?");
	return name;
}
