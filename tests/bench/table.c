/* A run as a table for the terminal. */
#include <string.h>
#include "tests/bench/results.h"

/* Print a number as its record had it: an integer, or with two decimals. */
static void put_number(char *s, size_t size, const json_t *v)
{
	if (json_is_integer(v))
		snprintf(s, size, "%lld", (long long)json_integer_value(v));
	else if (json_is_real(v))
		snprintf(s, size, "%.2f", json_real_value(v));
	else
		s[0] = 0;
}

static void put_peers(FILE *to, json_t *peers)
{
	const char *name, *comma = "";
	char number[32];
	json_t *v;

	json_object_foreach(peers, name, v) {
		put_number(number, sizeof(number), v);
		fprintf(to, "%s%s %s", comma, name, number);
		comma = ", ";
	}
}

static void put_row(FILE *to, const json_t *row)
{
	const json_t *ok = json_object_get(row, "ok");
	char value[32], target[32];

	put_number(value, sizeof(value), json_object_get(row, "value"));
	put_number(target, sizeof(target), json_object_get(row, "target"));
	fprintf(to, "%-45s %8s %-12s %2s %-6s", text_of(row, "name"), value, text_of(row, "unit"),
		text_of(row, "relation"), target);
	fprintf(to, " %-6s ", json_is_false(ok) ? "MISSED" : ok ? "ok" : "");
	put_peers(to, json_object_get(row, "peers"));
	putc('\n', to);
}

int table_print(FILE *to, const json_t *run)
{
	json_t *rows = json_object_get(run, "rows"), *row;
	const char *group = "";
	int missed = 0;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(group, text_of(row, "group")) != 0)
			fprintf(to, "%s%s\n", i ? "\n" : "", text_of(row, "group"));
		group = text_of(row, "group");
		put_row(to, row);
		missed += json_is_false(json_object_get(row, "ok"));
	}
	if (missed)
		fprintf(to, "\n%d target%s missed\n", missed, missed == 1 ? "" : "s");
	return missed;
}
