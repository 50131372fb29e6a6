/* gnomon-diff(1): what differs between two profiles, and whether chance explains it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/option.h"
#include "tools/profile/unnamed.h"

#define LIMIT 40      /* rows without --limit */
#define CONFIDENCE 95 /* per cent without --confidence */

static const char usage[] =
	"usage: gnomon diff [OPTION...] A B\n"
	"\n"
	"Compares two profiles function by function, and says which differences are larger than\n"
	"chance alone would make them. They may be of two builds: functions are found by name.\n"
	"A and B may be folders of several runs (gnomon run --repeat), or DIR/FILE of each run:\n"
	"then by how much the runs vary. Of durations (kpcall), mean times of calls are compared.\n"
	"\n"
	"  -t, --time              compare milliseconds, not shares: both did the same work\n"
	"  -A, --inclusive         count what a function calls, too (call paths)\n"
	"  -I, --inlined           let inlined functions stand for themselves\n"
	"  -c, --confidence P      P per cent sure that no function is marked by chance\n"
	"                          (default: 95)\n"
	"  -f, --fdr               mark more: 100 - P per cent of what is marked may be wrong\n"
	"  -s, --sort KEY          by z (default), difference or name\n"
	"  -n, --limit N           N rows at most, 0: all of them (default: 40)\n"
	"  -m, --module NAME       only what is in this program, or in the kernel\n"
	"  -p, --process NAME      only what ran for processes of this name (call paths)\n"
	"  -M, --mode kernel|interrupt|user|idle  only that\n"
	"  -M, --mode pipe|sleep|child|lock|device|ready  only waits for that (kpwait)\n"
	"  -M, --mode in_use|freed    only memory that is, of kpmem\n"
	"  -F, --folded            print \"PATH A B\" for every call path, for flame graphs\n"
	"  -H, --html PAGE         a page for browsers: a flame graph of what changed, functions\n"
	"  -i, --image FILE        an ELF file that was profiled (may be repeated)\n"
	"      --image-a FILE      the same, of A only\n"
	"      --image-b FILE      the same, of B only\n"
	"  -h, --help              show this\n"
	"\n"
	"Exit status: 0, be there differences or none; 1 the data cannot be read or cannot be\n"
	"compared, or are of another kernel; 2 usage.\n";

/* Take the confidence in per cent into a level, the probability of an error. */
static enum option_status take_confidence(void *field, const char *arg, struct complaint *why)
{
	char *end;
	double v = strtod(arg, &end);
	bool in_range = v >= 50 && v < 100; /* v is 0 where there is no number */

	if (*end || !in_range) {
		complain(why, "--confidence %s: per cent expected, from 50 to less than 100", arg);
		return OPTION_WRONG;
	}
	*(double *)field = 1 - v / 100;
	return OPTION_OK;
}

/* Take a key of sorting by its name. */
static enum option_status take_sort(void *field, const char *arg, struct complaint *why)
{
	static const char *const key[] = {
		[DIFF_BY_Z] = "z", [DIFF_BY_DIFFERENCE] = "difference", [DIFF_BY_NAME] = "name",
	};
	size_t i;

	for (i = 0; i < 3; i++) {
		if (strcmp(key[i], arg) != 0)
			continue;
		*(enum diff_sort *)field = i;
		return OPTION_OK;
	}
	complain(why, "--sort %s: z, difference or name expected", arg);
	return OPTION_WRONG;
}

/* Take an ELF file for both sides. */
static enum option_status take_image(void *images, const char *path, struct complaint *why)
{
	struct images *side = images;
	enum option_status status = selection_image(&side[0], path, why);

	if (status != OPTION_OK)
		return status;
	return selection_image(&side[1], path, why);
}

static const struct option_row rows[] = {
	{'t', "time", option_flag, offsetof(struct diff_options, by_time)},
	{'A', "inclusive", option_flag, offsetof(struct diff_options, inclusive)},
	{'I', "inlined", option_flag, offsetof(struct diff_options, inlined)},
	{'c', "confidence", take_confidence, offsetof(struct diff_options, level)},
	{'f', "fdr", option_flag, offsetof(struct diff_options, few)},
	{'s', "sort", take_sort, offsetof(struct diff_options, sort)},
	{'n', "limit", option_limit, offsetof(struct diff_options, limit)},
	{'m', "module", option_text, offsetof(struct diff_options, selection.module)},
	{'p', "process", option_text, offsetof(struct diff_options, selection.process)},
	{'M', "mode", selection_mode, offsetof(struct diff_options, selection.mode)},
	{'F', "folded", option_flag, offsetof(struct diff_options, folded)},
	{'H', "html", option_text, offsetof(struct diff_options, page)},
	{'i', "image", take_image, offsetof(struct diff_options, images)},
	{1, "image-a", selection_image, offsetof(struct diff_options, images[0])},
	{2, "image-b", selection_image, offsetof(struct diff_options, images[1])},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "diff", .usage = usage, .row = rows,
	.operands = 2, .expected = "two profiles",
};

/* Check that no option was given that has no effect with another one, if that was given. */
static enum option_status check_idle(struct option_line *l, int other, const char *idle)
{
	const char *c;

	if (!l->given[other])
		return OPTION_OK;
	for (c = idle; *c; c++) {
		if (!l->given[(int)*c])
			continue;
		complain(&l->why, "--%s has no effect with --%s", option_name(l, *c),
			 option_name(l, other));
		return OPTION_WRONG;
	}
	return OPTION_OK;
}

/* Check that options about rows were given only where there are rows. */
static enum option_status check_rows(struct option_line *l)
{
	enum option_status status = check_idle(l, 'F', "tAcfsnH");

	if (status != OPTION_OK)
		return status;
	return check_idle(l, 'H', "Asn");
}

/* Read one side. free_side() is due after success only. */
static int read_side(struct diff *d, struct diff_side *s, struct complaint *why)
{
	struct diff_options *o = &d->options;
	char *unnamed;

	if (repeats_read(&s->repeats, &s->prof, &o->selection, s->file, &o->images[s == &d->b],
			 why) < 0)
		return -1;
	if (s->prof.total == 0) {
		repeats_free(&s->repeats);
		profdata_free(&s->prof);
		return complain(why, "%s: nothing was counted, or nothing of what was asked for",
				s->file);
	}
	functions_init(&s->functions, &s->prof, o->inlined);
	unnamed = unnamed_note(&s->prof);
	if (unnamed)
		fprintf(stderr, "gnomon diff: %s: %s\n", s->file, unnamed);
	free(unnamed);
	return 0;
}

/* Free what read_side() has made. */
static void free_side(struct diff_side *s)
{
	functions_free(&s->functions);
	repeats_free(&s->repeats);
	profdata_free(&s->prof);
}

/* Check that a side tells what the options want to know of it. */
static int check_side(const struct diff_options *o, const struct diff_side *s,
		      struct complaint *why)
{
	if (o->by_time && s->prof.us <= 0)
		return complain(why, "--time: %s does not tell how long a tick is", s->file);
	if (o->inclusive && !s->prof.has_paths)
		return complain(why, "--inclusive: %s has no call paths", s->file);
	return 0;
}

/*
 * Check that the two can be compared in the way that was asked for. Different formats and
 * rates can, for a share is a share.
 */
static int check_sides(struct diff *d, struct complaint *why)
{
	const struct profdata *a = &d->a.prof, *b = &d->b.prof;
	bool kernel_only = a->kernel_only || b->kernel_only;

	if (a->unit != b->unit)
		return complain(why, "%s counts %s, %s counts %s: they cannot be compared",
				d->a.file, profdata_unit_name[a->unit], d->b.file,
				profdata_unit_name[b->unit]);
	d->repeated = d->a.repeats.n > 1 && d->b.repeats.n > 1;
	d->exact = a->unit != PROFDATA_TICKS && !d->repeated;
	d->timed = a->us > 0 && b->us > 0;
	d->summed = kernel_only && strcmp(a->format, b->format) != 0;
	if (check_side(&d->options, &d->a, why) < 0)
		return -1;
	return check_side(&d->options, &d->b, why);
}

/* Return counts of all runs of a side as milliseconds of one. */
static double ms_of(const struct diff_side *s, double count)
{
	return count * s->prof.us / 1000 / (double)s->repeats.n;
}

/* Return the standard error of a side's share that is a count of samples, in points of per cent. */
static double error_of(const struct diff_side *s, double count)
{
	return 100 * chance_error(count / (double)s->prof.total, (double)s->prof.total);
}

/* Compute a row's numbers, and their errors as far as they are by chance. */
static struct diff_row row_of(const struct diff *d, const struct compare_row *count)
{
	const struct profdata *a = &d->a.prof, *b = &d->b.prof;
	struct diff_row row = {
		.count = *count,
		.chance = {.a = count->a, .b = count->b},
		.share_a = 100.0 * count->a / a->total, .share_b = 100.0 * count->b / b->total,
		.points = 100.0 * count->b / b->total - 100.0 * count->a / a->total,
		.error = hypot(error_of(&d->a, count->a), error_of(&d->b, count->b)),
		.ms_error = hypot(ms_of(&d->a, sqrt(count->a)), ms_of(&d->b, sqrt(count->b))),
	};

	if (d->timed)
		row.ms = ms_of(&d->b, count->b) - ms_of(&d->a, count->a);
	return row;
}

/* Test every row. Several runs have as many ticks for the same time as if these were shorter. */
static void test_rows(struct diff *d)
{
	struct chance_row *chance;
	size_t i;

	d->test = (struct chance_test){
		.total_a = d->a.prof.total, .total_b = d->b.prof.total,
		.us_a = d->a.prof.us / (double)d->a.repeats.n,
		.us_b = d->b.prof.us / (double)d->b.repeats.n,
		.by_time = d->options.by_time, .few = d->options.few, .level = d->options.level,
	};
	if (d->repeated) {
		diff_runs_test(d);
		return;
	}
	chance = memory_zeroed(d->n, sizeof(*chance));
	for (i = 0; i < d->n; i++)
		chance[i] = d->row[i].chance;
	chance_test(&d->test, chance, d->n);
	for (i = 0; i < d->n; i++)
		d->row[i].chance = chance[i];
	free(chance);
}

/*
 * Compute the row of a sum of functions. Chance has but one attempt at it; its mark is by the same
 * threshold as the functions'.
 */
static struct diff_row sum_of(const struct diff *d, const char *name, uint64_t a, uint64_t b,
			      bool busy)
{
	struct diff_row row = row_of(d, &(struct compare_row){
						.module = "", .name = name, .a = a, .b = b,
					});
	struct chance_test alone = d->test;

	if (d->exact)
		return row;
	if (d->repeated)
		diff_runs_sum(d, &row, busy);
	else
		chance_test(&alone, &row.chance, 1);
	row.chance.sure = d->test.z > 0 && fabs(row.chance.z) >= d->test.z;
	return row;
}

/* Compute the sums. */
static void sum_up(struct diff *d)
{
	const struct profdata *a = &d->a.prof, *b = &d->b.prof;

	d->total = sum_of(d, "[total]", a->total, b->total, false);
	d->busy = sum_of(d, "[total without idle]", a->total - a->by_mode[PROFDATA_IDLE],
			 b->total - b->by_mode[PROFDATA_IDLE], true);
}

/* Put the larger of two numbers first, whichever sign it has; 0: they are equal. */
static int larger_first(double a, double b)
{
	return order_real(fabs(b), fabs(a));
}

/* Put the larger difference of two rows first; 0: they are equal. */
static int compare_difference(const struct diff *d, const struct diff_row *a,
			      const struct diff_row *b)
{
	int by = 0;

	if (d->options.by_time)
		by = larger_first(a->ms, b->ms);
	if (!by)
		by = larger_first(a->points, b->points);
	return by;
}

/*
 * For qsort_r: the order that was asked for, then by difference, then by name, so that the same
 * data are always printed in the same order.
 */
static int compare_rows(const void *va, const void *vb, void *arg)
{
	const struct diff_row *a = va, *b = vb;
	const struct diff *d = arg;
	int by = 0;

	if (d->options.sort == DIFF_BY_Z)
		by = larger_first(a->chance.z, b->chance.z);
	if (!by && d->options.sort != DIFF_BY_NAME)
		by = compare_difference(d, a, b);
	if (!by)
		by = strcmp(a->count.name, b->count.name);
	if (!by)
		by = strcmp(a->count.module, b->count.module);
	return by;
}

/* Add up what was outside the kernel, in each run, too. */
static void sum_outside(struct diff_side *s)
{
	size_t i;

	profdata_sum_outside(&s->prof);
	if (!s->repeats.run)
		return;
	for (i = 0; i < s->repeats.n; i++)
		profdata_sum_outside(&s->repeats.run[i]);
}

/* Compare the functions of both sides, and test what differs. */
static void compare_sides(struct diff *d)
{
	struct compare_row *count;
	size_t i;

	count = compare_functions(&d->a.functions, &d->b.functions, d->options.inclusive,
				  &d->n);
	d->row = memory_zeroed(d->n, sizeof(*d->row));
	for (i = 0; i < d->n; i++)
		d->row[i] = row_of(d, &count[i]);
	free(count);
	if (!d->exact)
		test_rows(d);
	sum_up(d);
}

/* Check that each run of a side has counted something: what is tested are their shares of all. */
static int check_runs(const struct diff_side *s, struct complaint *why)
{
	size_t i;

	for (i = 0; i < s->repeats.n; i++)
		if (s->repeats.run[i].total == 0)
			return complain(why, "%s: nothing was counted in run %zu of %zu, or "
					"nothing of what was asked for", s->file, i + 1,
					s->repeats.n);
	return 0;
}

/* Compare and print. */
static int diff_sides(struct diff *d, struct complaint *why)
{
	int bad = 0;

	if (check_sides(d, why) < 0)
		return -1;
	diff_level(d);
	if (d->options.folded) {
		diff_print_folded(d);
		return 0;
	}
	if (d->summed) {
		sum_outside(&d->a);
		sum_outside(&d->b);
	}
	if (d->a.prof.unit == PROFDATA_CYCLES && !d->options.page)
		return diff_calls(d, why);
	if (d->repeated) {
		if (check_runs(&d->a, why) < 0 || check_runs(&d->b, why) < 0)
			return -1;
	}
	compare_sides(d);
	if (d->options.page) {
		bad = diff_html(d, why);
	} else {
		qsort_r(d->row, d->n, sizeof(*d->row), compare_rows, d);
		diff_print(d);
	}
	free(d->row);
	return bad;
}

/* Read both, compare, print. */
static int diff_files(struct diff *d, struct complaint *why)
{
	int bad;

	if (read_side(d, &d->a, why) < 0)
		return -1;
	if (read_side(d, &d->b, why) < 0) {
		free_side(&d->a);
		return -1;
	}
	bad = diff_sides(d, why);
	free_side(&d->a);
	free_side(&d->b);
	free(d->level);
	return bad;
}

/* gnomon diff */
int diff_main(int argc, char **argv)
{
	struct diff d = {
		.options = {
			.limit = LIMIT, .level = 1 - CONFIDENCE / 100.0, .selection.mode = -1,
		},
	};
	struct option_line line = {.table = &table, .options = &d.options};
	enum option_status status;

	images_init(&d.options.images[0]);
	images_init(&d.options.images[1]);
	d.options.images[0].command = d.options.images[1].command = table.command;
	status = option_read(&line, argc, argv);
	if (status == OPTION_OK)
		status = check_rows(&line);
	if (status == OPTION_OK) {
		d.a.file = line.operand[0];
		d.b.file = line.operand[1];
		if (diff_files(&d, &line.why) < 0)
			status = OPTION_BAD;
	}
	images_free(&d.options.images[0]);
	images_free(&d.options.images[1]);
	return option_end(&line, status);
}
