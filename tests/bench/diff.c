/*
 * Two runs compared. Counts of instructions are the same each time, so every change of one is
 * shown; what is measured in seconds must change by more than a quarter. Profiles are other
 * samples after any change of the kernel, so a difference that chance can make is none.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "tests/bench/results.h"

#define NOISE 0.25
#define CHANCE 1.2 /* ratios up to this are, and those that are not so rare */
#define RARE 0.01

/* A list of a run that is compared, and the number by which its rows are. */
struct list {
	const char *name, *number;
};

/* Return the row of that name, or NULL. */
static json_t *find(const json_t *run, const char *list, const char *name)
{
	json_t *rows = json_object_get(run, list), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(text_of(row, "name"), name) == 0)
			return row;
	}
	return NULL;
}

/* Say whether a change is better or worse: less is better unless the row's relation is >=. */
static const char *verdict(const json_t *row, double before, double after)
{
	bool more = strcmp(text_of(row, "relation"), ">=") == 0;
	bool noise = !json_is_true(json_object_get(row, "exact")) &&
		     fabs(after - before) <= NOISE * fabs(before);

	if (noise || after == before)
		return NULL;
	return (after > before) == more ? "better" : "worse";
}

/* Whether a profile is farther off than chance is likely to make it. */
static bool is_far(const json_t *profile)
{
	return number_of(profile, "ratio") > CHANCE && number_of(profile, "p") < RARE;
}

static bool put_change(FILE *to, const struct list *list, const json_t *old, const json_t *row)
{
	double before = number_of(old, list->number), after = number_of(row, list->number);
	const char *how = verdict(row, before, after), *unit = text_of(row, "unit");
	bool profile = strcmp(list->number, "ratio") == 0;
	int digits = profile ? 3 : 10;

	if (!how || (profile && !is_far(old) && !is_far(row)))
		return false;
	fprintf(to, "%-45s %12.*g %12.*g %-12s ", text_of(row, "name"), digits, before, digits,
		after, profile ? list->number : unit);
	if (before != 0)
		fprintf(to, "%+8.2f %% ", 100 * (after - before) / before);
	else
		fprintf(to, "%10s ", "");
	fprintf(to, "%s%s\n", how,
		json_is_false(json_object_get(row, "ok")) ? ", its target missed" : "");
	return true;
}

/* Print the rows of one run that the other does not have. */
static int put_missing(FILE *to, const char *list, const json_t *run, const json_t *other,
		       const char *word)
{
	json_t *rows = json_object_get(run, list), *row;
	int n = 0;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (find(other, list, text_of(row, "name")))
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

/* Print the rows of a list that differ. Return how many there are. */
static int put_list(FILE *to, const struct list *list, const json_t *before, const json_t *after)
{
	json_t *rows = json_object_get(after, list->name), *row, *old;
	int changed = 0;
	size_t i;

	json_array_foreach(rows, i, row) {
		old = find(before, list->name, text_of(row, "name"));
		if (old)
			changed += put_change(to, list, old, row);
	}
	changed += put_missing(to, list->name, after, before, "new");
	return changed + put_missing(to, list->name, before, after, "gone");
}

void diff_print(FILE *to, const json_t *before, const json_t *after)
{
	static const struct list lists[] = {{"rows", "value"}, {"profiles", "ratio"}};
	int changed = 0;
	size_t rows = 0, i;

	put_facts(to, before, after);
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		changed += put_list(to, &lists[i], before, after);
		rows += json_array_size(json_object_get(after, lists[i].name));
	}
	fprintf(to, changed ? "\n%d of %zu rows differ\n" : "no row differs\n", changed, rows);
}
