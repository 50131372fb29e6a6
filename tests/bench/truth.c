/*
 * How true profiles are: what tests/truth/compare found about each, judged together and listed.
 *
 * Among so many comparisons some are far off by chance. So a profile is not ok only if its ratio,
 * or the function that is most off, is beyond the target, and also farther off than chance makes
 * any of all those judged once in a hundred runs (Bonferroni).
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/chance.h"
#include "tests/bench/results.h"

#define RATIO 1.2
#define SHARED 1.5 /* the ratio of two CPUs' profiles, between which QEMU divides time */
#define FAR 4.0
#define RARE 0.01

/* What judged profiles amount to together. */
struct sum {
	int n, off;
	double distance, expected, most, ran, log_p;
};

static bool is_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

/* Add up the judged profiles of machines whose names contain a word. */
static struct sum sum_judged(const json_t *run, const char *word)
{
	json_t *all = json_object_get(run, "profiles"), *p;
	struct sum s = {0};
	size_t i;

	json_array_foreach(all, i, p) {
		if (!is_true(p, "judged") || !strstr(text_of(p, "machine"), word))
			continue;
		s.n++;
		s.off += json_is_false(json_object_get(p, "ok"));
		s.distance += number_of(p, "distance");
		s.expected += number_of(p, "expected");
		s.most = fmax(s.most, fabs(number_of(p, "most")));
		s.ran += number_of(p, "ran");
		s.log_p += log(fmax(number_of(p, "p"), 1e-12));
	}
	return s;
}

/* Whether a profile is true, as far as its samples can tell. */
static bool is_ok(const json_t *p, const struct sum *all)
{
	double most = number_of(p, "most");

	return !(number_of(p, "ratio") > RATIO && number_of(p, "p") * all->n < RARE) &&
	       !(fabs(most) > FAR && chance_of_z(most) * all->ran < RARE);
}

/* Print a number for readers: an integer, or with four decimals. */
static json_t *shortest(double v)
{
	return v == floor(v) ? json_integer((json_int_t)v) : json_real(round(v * 1e4) / 1e4);
}

/* Add a row about all profiles. Only a count stays the same when the kernel changes. */
static json_t *add_row(json_t *rows, const char *name, double value, const char *unit, bool exact)
{
	json_t *row = json_pack("{ss ss so ss sb s{}}", "group", "Profilers: truth", "name",
				name, "value", shortest(value), "unit", unit, "exact", exact,
				"peers");

	json_array_append_new(rows, row);
	return row;
}

/* Add a row that has an upper limit. */
static json_t *add_target(json_t *rows, const char *name, double value, const char *unit,
			  double most)
{
	json_t *row = add_row(rows, name, value, unit, most == 0);

	json_object_update_new(row, json_pack("{ss so sb}", "relation", "<=", "target",
					      shortest(most), "ok", value <= most));
	return row;
}

/*
 * Add the row that says whether all judged profiles of some machines together are farther off
 * than chance makes them: by their ratio, unless their p are as large as chance makes them
 * (Fisher's method).
 */
static void add_ratio(json_t *rows, const char *name, const struct sum *s)
{
	json_t *row;

	if (s->n == 0)
		return;
	row = add_target(rows, name, s->distance / s->expected, "ratio", RATIO);
	if (chance_of_chi2(-2 * s->log_p, 2 * s->n) >= RARE)
		json_object_set_new(row, "ok", json_true());
}

/* Add the mean of one profiler's unjudged profiles, of machines whose names contain a word. */
static void add_shown(json_t *rows, const json_t *run, const char *word, const char *what,
		      const char *name)
{
	json_t *all = json_object_get(run, "profiles"), *p, *row;
	double sum = 0, chance = 0;
	size_t i, n = 0;

	json_array_foreach(all, i, p) {
		if (!strstr(text_of(p, "machine"), word) || strcmp(text_of(p, "what"), what) != 0)
			continue;
		sum += number_of(p, "distance");
		chance += number_of(p, "expected");
		n++;
	}
	if (n == 0)
		return;
	row = add_row(rows, name, 100 * sum / (double)n, "% of samples", false);
	json_object_set_new(row, "peers", json_pack("{so}", "chance",
						      shortest(100 * chance / (double)n)));
}

/*
 * Add the ratio of one profiler's profiles of so many CPUs, while these were busy. Where QEMU
 * divides time among them, kprof's of two has a target; else they have turns, which end when a
 * timer is due, and are shown.
 */
static void add_shared(json_t *rows, const json_t *run, const char *cpus, const char *what)
{
	json_t *all = json_object_get(run, "profiles"), *p;
	char name[80];
	size_t i;

	json_array_foreach(all, i, p) {
		const char *machine = text_of(p, "machine"), *rest = machine + strlen(cpus);

		if (strncmp(machine, cpus, strlen(cpus)) != 0 ||
		    strcmp(text_of(p, "what"), what) != 0)
			continue;
		snprintf(name, sizeof(name), "%s, %s: by chance's", machine, what);
		if (*rest == 0 && strcmp(cpus, "2 CPUs") == 0 && strcmp(what, "kprof, busy") == 0)
			add_target(rows, name, number_of(p, "ratio"), "ratio", SHARED);
		else
			add_row(rows, name, number_of(p, "ratio"), "ratio", false);
	}
}

/* Add what was counted of a kind, and how much of it is wrong. */
static void add_counts(json_t *rows, const json_t *run, const char *what, const char *name,
		       const char *wrong_name, const char *unit)
{
	json_t *all = json_object_get(run, "counts"), *c;
	double truth = 0, wrong = 0;
	size_t i;

	json_array_foreach(all, i, c) {
		if (strcmp(text_of(c, "what"), what) != 0)
			continue;
		truth += number_of(c, "truth");
		wrong += number_of(c, "wrong");
	}
	add_row(rows, name, truth, "times", false);
	add_target(rows, wrong_name, wrong, unit, 0);
}

/* Return the rows that sum up all comparisons. */
static json_t *rows_of(const json_t *run)
{
	static const char *const shared[] = {
		"kprof, busy", "stacks, busy", "gmon, busy", "prf, busy", "gmon of CPU 0, busy",
		"gmon of CPU 1, busy",
	};
	struct sum all = sum_judged(run, ""), kernel = sum_judged(run, " nmi "), programs = all;
	json_t *rows = json_array();
	size_t i;

	programs.n -= kernel.n;
	programs.distance -= kernel.distance;
	programs.expected -= kernel.expected;
	programs.log_p -= kernel.log_p;
	add_row(rows, "profiles held against what really ran", all.n, "profiles", true);
	add_ratio(rows, "  of the kernel: distance, by chance's", &kernel);
	add_ratio(rows, "  of programs: distance, by chance's", &programs);
	add_target(rows, "  the function that is most off, of all", all.most, "std. errors",
		   fmax(FAR, chance_z(fmin(1, RARE / all.ran))));
	add_target(rows, "  off by more than chance explains", all.off, "profiles", 0);
	add_counts(rows, run, "calls", "calls held against arcs",
		   "  functions whose calls are counted wrong", "functions");
	add_counts(rows, run, "coverage", "instructions held against coverage",
		   "  instructions counted wrong", "instructions");
	add_shown(rows, run, " irq ", "kprof", "by vector: samples in the wrong function");
	add_shown(rows, run, "no -icount", "kprof",
		  "no -icount, kprof: apart from instructions");
	add_shown(rows, run, "no -icount", "between blocks",
		  "  by QEMU's blocks alone: wrong function");
	add_shown(rows, run, "no -icount", "between blocks, 8 bytes",
		  "  by QEMU's blocks alone: wrong 8 bytes");
	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		add_shared(rows, run, "2 CPUs", shared[i]);
		add_shared(rows, run, "4 CPUs", shared[i]);
	}
	return rows;
}

/* Put rows where the rows about profilers begin, or at the end if there are none. */
static void insert(json_t *all, json_t *rows)
{
	json_t *row;
	size_t i, at = 0;

	while (at < json_array_size(all) &&
	       strncmp(text_of(json_array_get(all, at), "group"), "Profilers", 9) != 0)
		at++;
	json_array_foreach(rows, i, row)
		json_array_insert(all, at + i, row);
	json_decref(rows);
}

void truth_judge(json_t *run)
{
	json_t *all = json_object_get(run, "profiles"), *p;
	struct sum judged = sum_judged(run, "");
	size_t i;

	if (json_array_size(all) == 0)
		return;
	json_array_foreach(all, i, p) {
		if (is_true(p, "judged"))
			json_object_set_new(p, "ok", json_boolean(is_ok(p, &judged)));
	}
	insert(json_object_get(run, "rows"), rows_of(run));
}

const char *truth_verdict(const json_t *profile)
{
	if (!is_true(profile, "judged"))
		return "shown";
	return is_true(profile, "ok") ? "ok" : "OFF";
}

static void put_profile(FILE *to, const json_t *p)
{
	fprintf(to, "%-38s %9.0f %8.4f %8.4f %7.2f %6.3f %6.3f %7.1f %-22s %s\n",
		text_of(p, "name"), number_of(p, "samples"), number_of(p, "distance"),
		number_of(p, "expected"), number_of(p, "ratio"), number_of(p, "p"),
		number_of(p, "chi2"), number_of(p, "most"), text_of(p, "where"),
		truth_verdict(p));
}

static void put_count(FILE *to, const json_t *c)
{
	bool calls = strcmp(text_of(c, "what"), "calls") == 0;

	fprintf(to, "%-38s %.0f %s, %.0f times; %.0f %s, %.0f lost, %.0f wrong\n",
		text_of(c, "name"), number_of(c, "things"), calls ? "functions" : "instructions",
		number_of(c, "truth"), number_of(c, "counted"), calls ? "in arcs" : "counted",
		number_of(c, "lost"), number_of(c, "wrong"));
}

void truth_print(FILE *to, const json_t *run)
{
	json_t *list = json_object_get(run, "profiles"), *o;
	size_t i;

	fprintf(to, "%-38s %9s %8s %8s %7s %6s %6s %7s %s\n", "", "samples", "distance",
		"expected", "ratio", "p", "chi2 p", "most", "errors off, where");
	json_array_foreach(list, i, o)
		put_profile(to, o);
	putc('\n', to);
	list = json_object_get(run, "counts");
	json_array_foreach(list, i, o)
		put_count(to, o);
	putc('\n', to);
}
