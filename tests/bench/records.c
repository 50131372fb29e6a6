/*
 * From records to JSON. A record is a line of fields with tabs between them:
 *
 *	fact	NAME TEXT
 *	row	GROUP NAME VALUE UNIT RELATION TARGET EXACT PEERS
 *	point	TITLE XAXIS YAXIS LINE X Y
 *	profile	MACHINE WHAT judged|shown SAMPLES DISTANCE EXPECTED P CHI2 MOST WHERE RAN
 *	count	MACHINE WHAT THINGS TRUTH COUNTED LOST WRONG
 *
 * The last two come from tests/truth/compare. RELATION and TARGET are empty if there is no
 * target, EXACT is 0 or 1, PEERS is as in "Inferno 14, Linux 19".
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tests/bench/results.h"

#define MAXFIELD 12

/* Read a field that has to be a number. An integer stays one. */
static json_t *number(const char *path, const char *field)
{
	char *end;
	double v = strtod(field, &end);

	if (end == field || *end)
		die(path, "a value is not a number");
	return strpbrk(field, ".e") ? json_real(v) : json_integer((json_int_t)v);
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

/* Find the plot of that title, or make it. */
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

/* A fact: what was measured, when, or with what. */
static void add_fact(json_t *run, const char *path, char **f)
{
	(void)path;
	json_object_set_new(json_object_get(run, "facts"), f[1], json_string(f[2]));
}

/* Add a comparison, whose fields have those names. It is named after its machine and subject. */
static json_t *comparison(const char *path, char **f, const char *const *names)
{
	json_t *o = json_pack("{s: s++}", "name", f[1], ", ", f[2]);
	size_t i;

	for (i = 0; names[i]; i++) {
		bool text = *names[i] == '$';

		json_object_set_new(o, names[i] + text,
				    text ? json_string(f[i + 1]) : number(path, f[i + 1]));
	}
	return o;
}

/* A profile: samples compared with what ran. */
static void add_profile(json_t *run, const char *path, char **f)
{
	static const char *const names[] = {"$machine", "$what", "$judged", "samples", "distance",
					    "expected", "p", "chi2", "most", "$where", "ran", NULL};
	json_t *o = comparison(path, f, names);
	double expected = number_of(o, "expected");

	json_object_set_new(o, "judged", json_boolean(strcmp(f[3], "judged") == 0));
	json_object_set_new(o, "ratio",
			    json_real(expected > 0 ? number_of(o, "distance") / expected : 0));
	json_array_append_new(json_object_get(run, "profiles"), o);
}

/* A count compared with what ran. */
static void add_count(json_t *run, const char *path, char **f)
{
	static const char *const names[] = {"$machine", "$what", "things", "truth",
					    "counted",  "lost",	 "wrong",  NULL};

	json_array_append_new(json_object_get(run, "counts"), comparison(path, f, names));
}

static const struct kind {
	const char *name;
	int fields;
	void (*add)(json_t *run, const char *path, char **f);
} kinds[] = {
	{"fact", 3, add_fact},	       {"row", 9, add_row},	{"point", 7, add_point},
	{"profile", 12, add_profile}, {"count", 8, add_count},
};

/* Take a line, cut at its tabs. A record must have as many fields as its kind has. */
static const struct kind *cut(const char *path, char *line, char **f)
{
	int n = 0;
	size_t k;

	line[strcspn(line, "\n")] = 0;
	while (n < MAXFIELD && line)
		f[n++] = strsep(&line, "\t");
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		if (strcmp(f[0], kinds[k].name) == 0 && n == kinds[k].fields && !line)
			return &kinds[k];
	}
	die(path, "a line is no record");
}

json_t *records_read(const char *path)
{
	json_t *run = json_pack("{s{} s[] s[] s[] s[]}", "facts", "rows", "plots", "profiles",
				"counts");
	FILE *f = fopen(path, "r");
	char *line = NULL, *field[MAXFIELD];
	size_t size = 0;

	if (!f)
		die(path, "cannot be read");
	while (getline(&line, &size, f) > 0)
		cut(path, line, field)->add(run, path, field);
	free(line);
	fclose(f);
	truth_judge(run);
	return run;
}
