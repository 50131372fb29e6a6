/* A run as a table for the terminal, of 100 columns. */
#include <stdbool.h>
#include <string.h>
#include "tests/bench/results.h"

/* Widths: of what is before the peers' columns, and of those. */
#define BEFORE 84
#define LINUX 6
#define XV6 7

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

/* Whether a peer's figures have a column. */
static bool has_column(const char *name)
{
	return strcmp(name, "Linux") == 0 || strcmp(name, "xv6") == 0;
}

/* How many of a row's peers have columns, or have none. */
static size_t count(const json_t *row, bool columns)
{
	json_t *peers = json_object_get(row, "peers"), *v;
	const char *name;
	size_t n = 0;

	json_object_foreach(peers, name, v)
		n += has_column(name) == columns;
	return n;
}

/* Print a figure in its column. */
static void put_column(FILE *to, const json_t *row, const char *name, int width)
{
	char number[32] = "-";
	json_t *v = json_object_get(json_object_get(row, "peers"), name);

	if (v)
		put_number(number, sizeof(number), v);
	fprintf(to, " %*s", width, number);
}

/* Print the peers' figures in columns, or if one has none, as many as there is room for. */
static void put_peers(FILE *to, const json_t *row)
{
	json_t *peers = json_object_get(row, "peers"), *v;
	int room = LINUX + 1 + XV6 + 1;
	char number[32], text[64];
	const char *name;

	if (count(row, false) == 0 && count(row, true) > 0) {
		put_column(to, row, "Linux", LINUX);
		put_column(to, row, "xv6", XV6);
		return;
	}
	json_object_foreach(peers, name, v) {
		put_number(number, sizeof(number), v);
		room -= snprintf(text, sizeof(text), " %s %s", name, number);
		if (room < 0)
			return;
		fputs(text, to);
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
	fprintf(to, " %-6s", json_is_false(ok) ? "MISSED" : ok ? "ok" : "");
	put_peers(to, row);
	putc('\n', to);
}

/* Begin a group, with the heads of the columns that its rows have. */
static void put_group(FILE *to, const json_t *rows, const char *group)
{
	size_t i, columns = 0;
	json_t *row;

	json_array_foreach(rows, i, row) {
		if (strcmp(group, text_of(row, "group")) == 0 && count(row, false) == 0)
			columns += count(row, true);
	}
	if (columns)
		fprintf(to, "%-*s %*s %*s\n", BEFORE, group, LINUX, "Linux", XV6, "xv6");
	else
		fprintf(to, "%s\n", group);
}

int table_print(FILE *to, const json_t *run)
{
	json_t *rows = json_object_get(run, "rows"), *row;
	const char *group = "";
	int missed = 0;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(group, text_of(row, "group")) != 0) {
			group = text_of(row, "group");
			fputs(i ? "\n" : "", to);
			put_group(to, rows, group);
		}
		put_row(to, row);
		missed += json_is_false(json_object_get(row, "ok"));
	}
	if (missed)
		fprintf(to, "\n%d target%s missed\n", missed, missed == 1 ? "" : "s");
	return missed;
}
