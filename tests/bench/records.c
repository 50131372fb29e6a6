/*
 * Records to JSON. A record is a line whose fields a tab ends:
 *
 *	fact	NAME TEXT
 *	row	GROUP NAME VALUE UNIT RELATION TARGET EXACT PEERS
 *	point	TITLE XAXIS YAXIS LINE X Y
 *
 * RELATION and TARGET are empty where there is no target, EXACT is 0 or 1, PEERS is as in
 * "Inferno 14, Linux 19".
 */
#include <stdlib.h>
#include <string.h>
#include "results.h"

#define MAXFIELD 9

/* A field that has to be a number; whole ones stay whole. */
static json_t *number(const char *path, const char *field)
{
	char *end;
	double v = strtod(field, &end);

	if (end == field || *end)
		die(path, "a value is not a number");
	return strchr(field, '.') ? json_real(v) : json_integer((json_int_t)v);
}

static json_t *peers(const char *path, char *field)
{
	json_t *all = json_object();
	char *save, *peer, *value;

	for (peer = strtok_r(field, ",", &save); peer; peer = strtok_r(NULL, ",", &save)) {
		peer += strspn(peer, " ");
		value = strrchr(peer, ' ');
		if (!value)
			die(path, "a peer without a value");
		*value++ = 0;
		json_object_set_new(all, peer, number(path, value));
	}
	return all;
}

static void add_row(json_t *run, const char *path, char **f)
{
	json_t *row = json_pack("{ss ss so ss sb so}", "group", f[1], "name", f[2], "value",
				number(path, f[3]), "unit", f[4], "exact", strcmp(f[7], "1") == 0,
				"peers", peers(path, f[8]));
	double value = number_of(row, "value");
	json_t *target;

	if (*f[5]) {
		target = number(path, f[6]);
		json_object_set_new(row, "relation", json_string(f[5]));
		json_object_set_new(row, "target", target);
		json_object_set_new(row, "ok",
				    json_boolean(strcmp(f[5], ">=") == 0
							 ? value >= json_number_value(target)
							 : value <= json_number_value(target)));
	}
	json_array_append_new(json_object_get(run, "rows"), row);
}

/* The plot of that title, made if it is new. */
static json_t *plot(json_t *run, char **f)
{
	json_t *plots = json_object_get(run, "plots"), *p;
	size_t i;

	json_array_foreach(plots, i, p) {
		if (strcmp(text_of(p, "title"), f[1]) == 0)
			return p;
	}
	p = json_pack("{ss ss ss s{}}", "title", f[1], "x", f[2], "y", f[3], "lines");
	json_array_append_new(plots, p);
	return p;
}

static void add_point(json_t *run, const char *path, char **f)
{
	json_t *lines = json_object_get(plot(run, f), "lines");

	if (!json_object_get(lines, f[4]))
		json_object_set_new(lines, f[4], json_array());
	json_array_append_new(json_object_get(lines, f[4]),
			      json_pack("[oo]", number(path, f[5]), number(path, f[6])));
}

static const struct {
	const char *name;
	int fields;
} kinds[] = {{"fact", 3}, {"row", 9}, {"point", 7}};

/* Cut a line at its tabs; what is not a record of its kind's length is an error. */
static void cut(const char *path, char *line, char **f)
{
	int n = 0;
	size_t k;

	line[strcspn(line, "\n")] = 0;
	while (n < MAXFIELD && line)
		f[n++] = strsep(&line, "\t");
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		if (strcmp(f[0], kinds[k].name) == 0 && n == kinds[k].fields && !line)
			return;
	}
	die(path, "a line is no record");
}

json_t *records_read(const char *path)
{
	json_t *run = json_pack("{s{} s[] s[]}", "facts", "rows", "plots");
	FILE *f = fopen(path, "r");
	char *line = NULL, *field[MAXFIELD];
	size_t size = 0;

	if (!f)
		die(path, "cannot be read");
	while (getline(&line, &size, f) > 0) {
		cut(path, line, field);
		if (*field[0] == 'f')
			json_object_set_new(json_object_get(run, "facts"), field[1],
					    json_string(field[2]));
		else if (*field[0] == 'r')
			add_row(run, path, field);
		else
			add_point(run, path, field);
	}
	free(line);
	fclose(f);
	return run;
}
