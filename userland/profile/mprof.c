/*
 * mprof: shows where programs and the kernel get memory, by function or source line: the bytes that
 * were not freed, the most that there were at a time, and all. present.c does the rest.
 * Host: no
 */
#include <stdio.h>

#include "userland/profile/columns.h"
#include "userland/profile/present.h"

/* The most bytes at a time, each instruction's for itself, and all that were ever allocated. */
static char *mprof_columns(char *to, const struct counts *c)
{
	*to++ = ' ';
	to = columns_number(to, c->peak, 10);
	*to++ = ' ';
	return columns_number(to, c->ever, 10);
}

/* Both numbers, for a source line. */
static void mprof_margin(const struct counts *c)
{
	printf("%7llu %7llu ", (unsigned long long)c->total, (unsigned long long)c->peak);
}

/* Print what lines cannot tell: how much there was of all of them together. */
static void mprof_sums(const struct module *m)
{
	printf("%s: at most %llu at a time, %llu in all", m->title,
	       (unsigned long long)m->memory.peak, (unsigned long long)m->memory.total);
	printf("; %llu blocks allocated, %llu freed", (unsigned long long)m->memory.allocated,
	       (unsigned long long)m->memory.freed);
	if (m->memory.lost > 0)
		printf(", %llu lost", (unsigned long long)m->memory.lost);
	putchar('\n');
}

const struct present mprof = {
	.kind = "memory",
	.unit = "bytes not freed",
	.start = "startmp",
	.usage = "",
	.options = "",
	.width = 10,
	.columns = mprof_columns,
	.titles = " not freed      %    at most     in all",
	.margin = mprof_margin,
	.sums = mprof_sums,
};
