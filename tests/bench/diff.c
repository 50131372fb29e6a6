/*
 * Two runs beside each other. Counts of instructions are the same each time, so every change
 * of one is shown; of what is measured in seconds, those of more than a quarter.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "results.h"

#define NOISE 0.25

/* The row of that name; NULL: there is none. */
static json_t *find(const json_t *run, const char *name)
{
	json_t *rows = json_object_get(run, "rows"), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(text_of(row, "name"), name) == 0)
			return row;
	}
	return NULL;
}

/* Better, worse or the same, by what is wanted of it; less is more unless a row says so. */
static const char *verdict(const json_t *row, double before, double after)
{
	bool more = strcmp(text_of(row, "relation"), ">=") == 0;
	bool noise = !json_is_true(json_object_get(row, "exact")) &&
		     fabs(after - before) <= NOISE * fabs(before);

	if (noise || after == before)
		return NULL;
	return (after > before) == more ? "better" : "worse";
}

static bool put_change(FILE *to, const json_t *old, const json_t *row)
{
	double before = number_of(old, "value"), after = number_of(row, "value");
	const char *how = verdict(row, before, after);

	if (!how)
		return false;
	fprintf(to, "%-45s %12.10g %12.10g %-12s ", text_of(row, "name"), before, after,
		text_of(row, "unit"));
	if (before != 0)
		fprintf(to, "%+8.2f %% ", 100 * (after - before) / before);
	else
		fprintf(to, "%10s ", "");
	fprintf(to, "%s%s\n", how,
		json_is_false(json_object_get(row, "ok")) ? ", its target missed" : "");
	return true;
}

/* The rows of one run that the other has not. */
static int put_missing(FILE *to, const json_t *run, const json_t *other, const char *word)
{
	json_t *rows = json_object_get(run, "rows"), *row;
	int n = 0;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (find(other, text_of(row, "name")))
			continue;
		fprintf(to, "%-45s %s\n", text_of(row, "name"), word);
		n++;
	}
	return n;
}

static void put_facts(FILE *to, const json_t *before, const json_t *after)
{
	json_t *facts = json_object_get(after, "facts"), *v;
	const char *name, *old;

	json_object_foreach(facts, name, v) {
		old = text_of(json_object_get(before, "facts"), name);
		fprintf(to, "%s: %s%s%s\n", name, old,
			strcmp(old, json_string_value(v)) == 0 ? "" : " -> ",
			strcmp(old, json_string_value(v)) == 0 ? "" : json_string_value(v));
	}
	putc('\n', to);
}

void diff_print(FILE *to, const json_t *before, const json_t *after)
{
	json_t *rows = json_object_get(after, "rows"), *row, *old;
	int changed = 0;
	size_t i;

	put_facts(to, before, after);
	json_array_foreach(rows, i, row) {
		old = find(before, text_of(row, "name"));
		if (old)
			changed += put_change(to, old, row);
	}
	changed += put_missing(to, after, before, "new");
	changed += put_missing(to, before, after, "gone");
	fprintf(to, changed ? "\n%d of %zu rows differ\n" : "no row differs\n", changed,
		json_array_size(rows));
}
