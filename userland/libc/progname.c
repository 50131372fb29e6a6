/* The program's name, for messages. */
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

static const char *name;

/* Begin messages with the last part of s from now on. The string must stay. */
void setprogname(const char *s)
{
	const char *slash = strrchr(s, '/');

	name = slash ? slash + 1 : s;
}

/* Return the last part of argv[0], or what setprogname() was given. */
const char *getprogname(void)
{
	if (!name)
		setprogname(__argv && __argv[0] ? __argv[0] : "?");
	return name;
}
