/* gnomon-report(1): why lines of the source are not known, and what can be done about it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/lines.h"
#include "tools/memory.h"
#include "tools/report/places.h"

#define NAMED 5 /* functions that are named at most */

/* What of an image has no lines. */
struct lack {
	uint64_t count;
	const char *function[NAMED]; /* those with the most counts: they are met in that order */
	size_t n;
};

/* Note a count without a line. */
static void add_lack(struct lack *l, const char *function, uint64_t count)
{
	size_t i;

	l->count += count;
	for (i = 0; i < l->n && i < NAMED; i++)
		if (strcmp(l->function[i], function) == 0)
			return;
	if (l->n < NAMED)
		l->function[l->n] = function;
	l->n++;
}

/* Return the functions' names, which the caller frees. */
static char *lack_names(const struct lack *l)
{
	struct memory_stream s;
	size_t i;

	memory_stream_open(&s);
	for (i = 0; i < l->n && i < NAMED; i++) {
		if (i > 0)
			fputs(", ", s.f);
		fputs(l->function[i], s.f);
	}
	if (l->n > NAMED)
		fputs(" and others", s.f);
	memory_stream_close(&s);
	return s.data;
}

/* Return whether nothing of it is in a function. */
static bool lack_is_nowhere(const struct lack *l)
{
	return l->n == 1 && strcmp(l->function[0], "?") == 0;
}

/* Return a sentence that says what an image lacks. */
static char *lack_note(const struct report *r, uint32_t image, const struct lack *l)
{
	const struct profdata_image *of = &r->prof.image[image];
	const char *unit = profdata_unit_name[r->prof.unit];
	char *functions, *text;

	if (!of->elf)
		return memory_format("no lines for %" PRIu64 " %s in %s: its file is not known; "
				     "give it with --image", l->count, unit, of->name);
	if (!of->elf->lines || of->elf->lines->nrow == 0)
		return memory_format("no lines for %" PRIu64 " %s in %s: %s has no DWARF line "
				     "table; compile it with -g, and do not strip it", l->count,
				     unit, of->name, of->elf->path);
	if (lack_is_nowhere(l))
		return memory_format("no lines for %" PRIu64 " %s in %s: they are where %s has no "
				     "function", l->count, unit, of->name, of->elf->path);
	functions = lack_names(l);
	text = memory_format("no lines for %" PRIu64 " %s in %s: the DWARF line table of %s does "
			     "not have %s; compile or assemble their source with -g", l->count,
			     unit, of->name, of->elf->path, functions);
	free(functions);
	return text;
}

void report_missing_free(struct report *r)
{
	while (r->nmissing > 0)
		free(r->missing[--r->nmissing].text);
	free(r->missing);
	r->missing = NULL;
}

void report_missing(struct report *r, const struct line_count *line, size_t n)
{
	struct lack *lack = memory_zeroed(r->prof.nimage, sizeof(*lack));
	size_t i;

	report_missing_free(r);
	for (i = 0; i < n; i++)
		if (!line[i].file)
			add_lack(&lack[line[i].image], line[i].function, line[i].count);
	r->missing = memory_zeroed(r->prof.nimage, sizeof(*r->missing));
	for (i = 0; i < r->prof.nimage; i++)
		if (lack[i].count)
			r->missing[r->nmissing++] = (struct report_lack){
				.text = lack_note(r, i, &lack[i]), .said = r->prof.image[i].told,
			};
	free(lack);
}
