/*
 * results: turns what make bench has measured from records into JSON, a table or a page.
 *
 * usage: results json RECORDS >RUN
 *        results table RUN	exits 1 if a target is missed
 *        results truth RUN	the same for what make truth finds, and each profile
 *        results page RUN >HTML
 *        results diff RUN RUN
 * World: host
 * Links: tests/bench/records.c tests/bench/table.c tests/bench/diff.c tests/bench/page.c
 * Links: tests/bench/truth.c tests/bench/truthpage.c
 */
#include <stdlib.h>
#include <string.h>
#include "tests/bench/results.h"

void die(const char *file, const char *why)
{
	fprintf(stderr, "results: %s: %s\n", file, why);
	exit(2);
}

const char *text_of(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s ? s : "";
}

double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* Read a run. It only has to have rows, so that other programs may write one too. */
static json_t *run_read(const char *path)
{
	json_error_t error;
	json_t *run = json_load_file(path, 0, &error);

	if (!run)
		die(path, error.text);
	if (!json_is_array(json_object_get(run, "rows")))
		die(path, "not a run of make bench: it has no rows");
	return run;
}

static int usage(void)
{
	fputs("usage: results json RECORDS | table RUN | truth RUN | page RUN | diff RUN RUN\n",
	      stderr);
	return 2;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	json_t *run, *other = NULL;
	int missed = 0;

	if (argc != (strcmp(what, "diff") == 0 ? 4 : 3))
		return usage();
	run = strcmp(what, "json") == 0 ? records_read(argv[2]) : run_read(argv[2]);
	if (strcmp(what, "json") == 0) {
		json_dumpf(run, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putchar('\n');
	} else if (strcmp(what, "table") == 0 || strcmp(what, "truth") == 0) {
		if (strcmp(what, "truth") == 0)
			truth_print(stdout, run);
		missed = table_print(stdout, run);
	} else if (strcmp(what, "page") == 0) {
		page_print(stdout, run);
	} else if (strcmp(what, "diff") == 0) {
		other = run_read(argv[3]);
		diff_print(stdout, run, other);
	} else {
		return usage();
	}
	json_decref(run);
	json_decref(other);
	return missed > 0;
}
