/* mprof: shows where programs and the kernel get memory, by function or source line. */
#include <stdio.h>

#include "userland/profile/present.h"

static void columns(const struct counts *c, const struct counts *whole)
{
	printf("%10llu ", (unsigned long long)c->total);
	present_percent(c->total, whole->total);
	printf(" %10llu", (unsigned long long)c->peak);
}

static void margin(const struct counts *c, const struct counts *whole)
{
	(void)whole;
	if (parts_has(c))
		printf("%7llu %7llu ", (unsigned long long)c->total, (unsigned long long)c->peak);
	else
		printf("%16s", "");
}

/* What cannot be told of lines: how much there was of all of them together. */
static void sums(const struct module *m)
{
	printf("%s: at most %llu at a time; %llu blocks allocated, %llu freed", m->path,
	       (unsigned long long)m->memory.peak, (unsigned long long)m->memory.allocated,
	       (unsigned long long)m->memory.freed);
	if (m->memory.lost > 0)
		printf(", %llu lost", (unsigned long long)m->memory.lost);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const struct present mprof = {
		.kind = "memory",
		.unit = "bytes not freed",
		.start = "startmp",
		.usage = "",
		.options = "",
		.columns = columns,
		.margin = margin,
		.sums = sums,
	};

	return present(&mprof, argc, argv);
}
