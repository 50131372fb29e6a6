/* gnomon-report(1): in what a profile's counts are not what one takes them for. */
#include <string.h>
#include "tools/profile/nothing.h"
#include "tools/report/report.h"

/* Note what counts of instructions are of. Return how many notes that are. */
static size_t note_executed(struct report *r, bool lines)
{
	size_t n = 0;

	if (r->prof.period)
		r->caution[n++] = "samples: each counts for the instructions between two of them";
	if (lines && strcmp(r->prof.format, "stacks") == 0)
		r->caution[n++] = "a count is of all instructions up to the next jump or call; "
				  "gnomon record -c counts each line's";
	return n;
}

/* docs/accuracy.md has the figures. */
void report_cautions(struct report *r, bool lines, bool freed)
{
	const struct runinfo *run = &r->prof.run;
	const char *nothing = nothing_why(&r->prof);
	size_t n = 0;

	if (r->prof.unit == PROFDATA_EXECUTED)
		n = note_executed(r, lines);
	if (r->prof.ambiguous)
		r->caution[n++] = r->prof.ambiguous;
	if (r->prof.unit == PROFDATA_NANOSECONDS)
		r->caution[n++] = "of calls: the time in functions that were measured; "
				  "ticks are left out";
	if (r->prof.nmemory > 0 && freed)
		r->caution[n++] = "bytes and blocks that were not freed, and all that were ever "
				  "allocated";
	else if (r->prof.unit == PROFDATA_BYTES && strcmp(r->prof.format, "modules") == 0)
		r->caution[n++] = "bytes allocated and not freed";
	if (nothing)
		r->caution[n++] = nothing;
	else if (strcmp(r->prof.format, "memory") == 0)
		r->caution[n++] = "bytes ever allocated on each path: in use, and freed";
	if (r->prof.unit != PROFDATA_TICKS)
		return;
	if (strcmp(run->delivery, "irq") == 0)
		r->caution[n++] = "by vector: ticks that fell where interrupts were off are in the "
				  "function that turned them on";
	if (strcmp(run->icount, "off") == 0 && strncmp(run->accel, "tcg", 3) == 0)
		r->caution[n++] = "without -icount: ticks are where blocks of QEMU begin: few are "
				  "in wrong functions, many at wrong instructions";
	if (run->weighed)
		r->caution[n++] = "weighed: the ticks of each CPU count for those that it lost, "
				  "too; they are no numbers of samples";
	r->loss = profdata_loss(&r->prof);
}
