/* gnomon-diff(1): what differs between two profiles, and whether chance explains it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/option.h"
#include "tools/profile/profread.h"
#include "tools/profile/selection.h"

#define LIMIT 40      /* rows, where nothing else is said */
#define CONFIDENCE 95 /* per cent */

static const char usage[] =
	"usage: gnomon diff [OPTION...] A B\n"
	"\n"
	"Compares two profiles function by function, and says which differences are larger than\n"
	"chance alone would make them. They may be of two builds: functions are found by name.\n"
	"\n"
	"  -t, --time              compare milliseconds, not shares: both did the same work\n"
	"  -A, --inclusive         count what a function calls, too (call paths)\n"
	"  -c, --confidence P      P per cent sure that no function is marked by chance\n"
	"                          (default: 95)\n"
	"  -f, --fdr               mark more: 100 - P per cent of what is marked may be wrong\n"
	"  -s, --sort KEY          by z (default), difference or name\n"
	"  -n, --limit N           N rows at most, 0: all of them (default: 40)\n"
	"  -m, --module NAME       only what is in this program, or in the kernel\n"
	"  -p, --process NAME      only what ran for processes of this name (call paths)\n"
	"  -M, --mode kernel|interrupt|user|idle  only that\n"
	"  -F, --folded            print \"PATH A B\" for every call path, for flame graphs\n"
	"  -i, --image FILE        an ELF file that was profiled (may be repeated)\n"
	"      --image-a FILE      the same, of A only\n"
	"      --image-b FILE      the same, of B only\n"
	"  -h, --help              show this\n"
	"\n"
	"Exit status: 0, be there differences or none; 1 the data cannot be read or cannot be\n"
	"compared, or are of another kernel or program; 2 usage.\n";

enum { OPT_IMAGE_A = 256, OPT_IMAGE_B };

static const struct option longopts[] = {
	{"time", no_argument, NULL, 't'},
	{"inclusive", no_argument, NULL, 'A'},
	{"confidence", required_argument, NULL, 'c'},
	{"fdr", no_argument, NULL, 'f'},
	{"sort", required_argument, NULL, 's'},
	{"limit", required_argument, NULL, 'n'},
	{"module", required_argument, NULL, 'm'},
	{"process", required_argument, NULL, 'p'},
	{"mode", required_argument, NULL, 'M'},
	{"folded", no_argument, NULL, 'F'},
	{"image", required_argument, NULL, 'i'},
	{"image-a", required_argument, NULL, OPT_IMAGE_A},
	{"image-b", required_argument, NULL, OPT_IMAGE_B},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* What the command line says besides. */
struct wanted {
	struct selection selection;
	bool folded;
	int row; /* an option that is of rows, by letter; 0: none */
};

/* -c: 0, or -1 and why. */
static int take_confidence(struct diff *d, struct complaint *why)
{
	char *end;
	double v = strtod(optarg, &end);

	if (end == optarg || *end || !(v >= 50 && v < 100))
		return complain(why, "--confidence %s: per cent expected, from 50 to less than "
				"100", optarg);
	d->test.level = 1 - v / 100;
	return 0;
}

/* Options whose argument has to be looked at: 0, or -1 and why. */
static int take_checked(struct diff *d, struct wanted *w, int c, struct complaint *why)
{
	static const char *const key[] = {"z", "difference", "name"};
	size_t i = 0;

	if (c == 'c')
		return take_confidence(d, why);
	if (c == 'n')
		return option_limit(optarg, &d->limit, why);
	if (c == 'M')
		return selection_mode(&w->selection, optarg, why);
	while (i < 3 && strcmp(key[i], optarg) != 0)
		i++;
	d->sort = i;
	return i < 3 ? 0 : complain(why, "--sort %s: z, difference or name expected", optarg);
}

enum { OPTIONS_OK, OPTIONS_HELP, OPTIONS_WRONG, OPTIONS_BAD };

/* An ELF file, of one side or of both. */
static int take_image(struct diff *d, int c, struct complaint *why)
{
	if (c != OPT_IMAGE_B && images_add(&d->a.images, optarg, why) < 0)
		return OPTIONS_BAD;
	if (c != OPT_IMAGE_A && images_add(&d->b.images, optarg, why) < 0)
		return OPTIONS_BAD;
	return OPTIONS_OK;
}

/* One option. */
static int take(struct diff *d, struct wanted *w, int c, struct complaint *why)
{
	if (c < OPT_IMAGE_A && strchr("tAcfsn", c))
		w->row = c;
	switch (c) {
	case 't': d->test.by_time = true; return OPTIONS_OK;
	case 'A': d->inclusive = true; return OPTIONS_OK;
	case 'f': d->test.few = true; return OPTIONS_OK;
	case 'm': w->selection.module = optarg; return OPTIONS_OK;
	case 'p': w->selection.process = optarg; return OPTIONS_OK;
	case 'F': w->folded = true; return OPTIONS_OK;
	case 'h': return OPTIONS_HELP;
	case 'i':
	case OPT_IMAGE_A:
	case OPT_IMAGE_B: return take_image(d, c, why);
	case 'c':
	case 'n':
	case 'M':
	case 's': return take_checked(d, w, c, why) < 0 ? OPTIONS_WRONG : OPTIONS_OK;
	}
	return OPTIONS_WRONG;
}

/* Read the command line. */
static int options(struct diff *d, struct wanted *w, int argc, char **argv, struct complaint *why)
{
	int c, status;

	while ((c = getopt_long(argc, argv, ":tAc:fs:n:m:p:M:Fi:h", longopts, NULL)) != -1) {
		if (c == ':' || c == '?') {
			option_wrong(c, argv, why);
			return OPTIONS_WRONG;
		}
		status = take(d, w, c, why);
		if (status != OPTIONS_OK)
			return status;
	}
	if (optind + 2 != argc)
		complain(why, "two profiles expected");
	else if (w->folded && w->row)
		complain(why, "--%s has no effect with --folded", option_name(longopts, w->row));
	else
		return OPTIONS_OK;
	return OPTIONS_WRONG;
}

/* Read one side. The caller lets go of it, after success only. */
static int read_side(struct diff_side *s, const struct wanted *w, struct complaint *why)
{
	struct complaint what;
	int bad;

	if (profread(&s->prof, s->file, &s->images, why) < 0)
		return -1;
	bad = selection_apply(&w->selection, &s->prof, &what);
	if (!bad && s->prof.total == 0)
		bad = complain(&what, "nothing was counted, or nothing of what was asked for");
	if (!bad) {
		functions_init(&s->functions, &s->prof, false);
		return 0;
	}
	profdata_free(&s->prof);
	return complain(why, "%s: %s", s->file, what.text);
}

/* Let go of it. */
static void free_side(struct diff_side *s)
{
	functions_free(&s->functions);
	profdata_free(&s->prof);
}

/*
 * Whether the two can be compared in the way that was asked for. Different kinds and rates
 * can, for a share is a share.
 */
static int check(struct diff *d, struct complaint *why)
{
	const struct profdata *a = &d->a.prof, *b = &d->b.prof;

	if (a->unit != b->unit)
		return complain(why, "%s counts %s, %s counts %s: they cannot be compared",
				d->a.file, profdata_unit_name[a->unit], d->b.file,
				profdata_unit_name[b->unit]);
	d->exact = a->unit != PROFDATA_TICKS;
	d->timed = a->us > 0 && b->us > 0;
	d->summed = (a->kernel_only || b->kernel_only) && strcmp(a->format, b->format) != 0;
	if (d->test.by_time && !d->timed)
		return complain(why, "--time: %s does not tell how long a tick is",
				a->us > 0 ? d->b.file : d->a.file);
	if (d->inclusive && !(a->has_paths && b->has_paths))
		return complain(why, "--inclusive: %s has no call paths",
				a->has_paths ? d->b.file : d->a.file);
	return 0;
}

/* A row's numbers. */
static struct diff_row row_of(const struct diff *d, const struct compare_row *count)
{
	const struct profdata *a = &d->a.prof, *b = &d->b.prof;

	return (struct diff_row){
		.count = *count,
		.chance = {.a = count->a, .b = count->b},
		.points = 100.0 * count->b / b->total - 100.0 * count->a / a->total,
		.ms = d->timed ? profdata_ms(b, count->b) - profdata_ms(a, count->a) : 0,
	};
}

/* Have every row tested. */
static void test(struct diff *d)
{
	struct chance_row *chance = memory_zeroed(d->n, sizeof(*chance));
	size_t i;

	d->test.total_a = d->a.prof.total;
	d->test.total_b = d->b.prof.total;
	d->test.us_a = d->a.prof.us;
	d->test.us_b = d->b.prof.us;
	for (i = 0; i < d->n; i++)
		chance[i] = d->row[i].chance;
	chance_test(&d->test, chance, d->n);
	for (i = 0; i < d->n; i++)
		d->row[i].chance = chance[i];
	free(chance);
}

/* Where A's and B's are larger, larger first; 0: equal. */
static int larger(double a, double b)
{
	return (fabs(a) < fabs(b)) - (fabs(a) > fabs(b));
}

/*
 * The order that was asked for, then by difference, then by name: the same data are printed
 * in the same order, always.
 */
static int compare(const void *va, const void *vb, void *arg)
{
	const struct diff_row *a = va, *b = vb;
	const struct diff *d = arg;
	int by = 0;

	if (d->sort == DIFF_BY_Z)
		by = larger(a->chance.z, b->chance.z);
	if (!by && d->sort != DIFF_BY_NAME && d->test.by_time)
		by = larger(a->ms, b->ms);
	if (!by && d->sort != DIFF_BY_NAME)
		by = larger(a->points, b->points);
	if (!by)
		by = strcmp(a->count.name, b->count.name);
	return by ? by : strcmp(a->count.module, b->count.module);
}

/* Compare and print. */
static int work(struct diff *d, const struct wanted *w, struct complaint *why)
{
	struct compare_row *count;
	size_t i;

	if (check(d, why) < 0)
		return -1;
	if (w->folded) {
		diff_print_folded(d);
		return 0;
	}
	if (d->summed) {
		profdata_sum_outside(&d->a.prof);
		profdata_sum_outside(&d->b.prof);
	}
	count = compare_functions(&d->a.functions, &d->b.functions, d->inclusive, &d->n);
	d->row = memory_zeroed(d->n, sizeof(*d->row));
	for (i = 0; i < d->n; i++)
		d->row[i] = row_of(d, &count[i]);
	free(count);
	if (!d->exact)
		test(d);
	qsort_r(d->row, d->n, sizeof(*d->row), compare, d);
	diff_print(d);
	free(d->row);
	return 0;
}

/* Read both; the rest. */
static int diff(struct diff *d, const struct wanted *w, struct complaint *why)
{
	int bad;

	if (read_side(&d->a, w, why) < 0)
		return -1;
	if (read_side(&d->b, w, why) < 0) {
		free_side(&d->a);
		return -1;
	}
	bad = work(d, w, why);
	free_side(&d->a);
	free_side(&d->b);
	if (!bad && (fflush(stdout) != 0 || ferror(stdout)))
		return complain(why, "the comparison cannot be written");
	return bad;
}

/* gnomon diff */
int diff_main(int argc, char **argv)
{
	struct diff d = {.limit = LIMIT, .test.level = 1 - CONFIDENCE / 100.0};
	struct wanted w = {.selection.mode = -1};
	struct complaint why;
	int status;

	images_init(&d.a.images);
	images_init(&d.b.images);
	status = options(&d, &w, argc, argv, &why);
	if (status == OPTIONS_OK) {
		d.a.file = argv[optind];
		d.b.file = argv[optind + 1];
		status = diff(&d, &w, &why) < 0 ? OPTIONS_BAD : OPTIONS_OK;
	}
	images_free(&d.a.images);
	images_free(&d.b.images);
	if (status == OPTIONS_HELP)
		return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
	if (status != OPTIONS_OK)
		fprintf(stderr, "gnomon diff: %s\n", why.text);
	if (status == OPTIONS_WRONG)
		fputs("Try `gnomon diff --help'.\n", stderr);
	return status == OPTIONS_OK ? 0 : status == OPTIONS_WRONG ? 2 : 1;
}
