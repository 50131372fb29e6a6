/* cprof: shows how often instructions of programs ran, and which, by function or source line. */
#include <stdio.h>

#include "userland/profile/present.h"

static void columns(const struct counts *c, const struct counts *whole)
{
	printf("%12llu ", (unsigned long long)c->total);
	present_percent(c->total, whole->total);
	printf(" %9llu ", (unsigned long long)c->times);
	present_percent(c->ran, c->of);
}

/* Whether a line with code ran: all its instructions, none or some. */
static char mark(const struct counts *c)
{
	return c->ran == c->of ? '+' : c->ran == 0 ? '-' : '~';
}

static void margin(const struct counts *c, const struct counts *whole)
{
	(void)whole;
	if (c->of > 0 || c->total > 0)
		printf("%c %12llu  ", mark(c), (unsigned long long)c->times);
	else
		printf("%16s", "");
}

int main(int argc, char **argv)
{
	static const struct present cprof = {
		.kind = "coverage",
		.unit = "instructions",
		.start = "startcp",
		.usage = "",
		.options = "",
		.columns = columns,
		.margin = margin,
		.covers = true,
	};

	return present(&cprof, argc, argv);
}
