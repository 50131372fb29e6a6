/*
 * gnomon-merge(1): files of single CPUs, each weighed by the ticks that were due there for each
 * one that was taken: a CPU that lost half of its ticks has as large a part in the sum as others.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "tools/merge/merge.h"
#include "tools/profile/textline.h"

#define MOST_LOST 1000 /* ticks lost for one that was taken: more tells nothing any more */

/* Return the last number in a file's name, or UINT64_MAX. */
static uint64_t last_number(const char *path)
{
	const char *name = basename(path), *end = name + strlen(name), *at;
	uint64_t n = UINT64_MAX;

	while (end > name && !isdigit((unsigned char)end[-1]))
		end--;
	for (at = end; at > name && isdigit((unsigned char)at[-1]);)
		at--;
	textline_number(&at, end, 10, UINT64_MAX - 1, &n);
	return n;
}

int merge_find_weight(struct merge_file *f, char *const *path, size_t before, struct complaint *why)
{
	uint64_t cpu = last_number(f->path);
	size_t i;

	if (strcmp(f->prof.format, "gmon.out") != 0)
		return complain(why, "%s: it is %s, and only gmon.out can be of a single CPU",
				f->path, f->prof.format);
	if (cpu >= TICKS_MAXCPU)
		return complain(why, "%s: its name should end in the number of its CPU, as in "
				"gmon-3.out", f->path);
	for (i = 0; i < before; i++)
		if (last_number(path[i]) == cpu)
			return complain(why, "%s: of the same CPU as %s, by their names", f->path,
					path[i]);
	f->weight = f->prof.run.cpu[cpu];
	if (f->weight.taken == 0)
		return complain(why, "%s%s: it does not tell what CPU %d took and lost", f->path,
				RUNINFO_SUFFIX, (int)cpu);
	if (f->weight.lost / MOST_LOST > f->weight.taken)
		return complain(why, "%s: CPU %d lost nearly all of its ticks", f->path, (int)cpu);
	return 0;
}

/* What is left of a count goes to the next one, so that the sum is right to one. */
uint64_t merge_weighed(struct merge_file *f, uint64_t count)
{
	double due = (double)f->weight.taken + (double)f->weight.lost, n;

	if (f->weight.taken == 0)
		return count;
	if (count == 0)
		return count;
	n = (double)count * due / (double)f->weight.taken + f->rest;
	f->rest = n - floor(n);
	return (uint64_t)n;
}
