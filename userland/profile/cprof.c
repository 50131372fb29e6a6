/*
 * cprof: shows how often instructions of programs ran, and which, by function or source line. In
 * the kernel it is calls of functions that are counted. present.c does the rest.
 * Host: no
 */
#include <stdio.h>

#include "userland/profile/columns.h"
#include "userland/profile/present.h"

/* How often it was reached, and how much of it ran. */
static char *cprof_columns(char *to, const struct counts *c)
{
	*to++ = ' ';
	to = columns_number(to, c->times, 9);
	*to++ = ' ';
	return columns_percent(to, c->ran, c->of);
}

/* Mark a line all of whose instructions ran, none of them, or some. */
static void cprof_margin(const struct counts *c)
{
	char mark = c->ran == c->of ? '+' : c->ran == 0 ? '-' : '~';

	printf("%c %12llu  ", mark, (unsigned long long)c->times);
}

const struct present cprof = {
	.kind = "coverage",
	.unit = "instructions",
	.start = "startcp",
	.usage = "",
	.options = "",
	.width = 12,
	.columns = cprof_columns,
	.margin = cprof_margin,
	.covers = true,
};
