/* gnomon-report(1): what a profile says, whoever counted it. Here: what was asked for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/gnomon.h"
#include "tools/code/lines.h"
#include "tools/memory.h"
#include "tools/option.h"
#include "tools/profile/profread.h"
#include "tools/report/report.h"
#include "tools/profile/selection.h"
#include "tools/slurp.h"

#define LIMIT 40 /* rows, where nothing else is said */

static const char usage[] =
	"usage: gnomon report [OPTION...] FILE\n"
	"\n"
	"Says what a profile tells, be it kpdata, gmon.out, kpstack's call paths, counts of\n"
	"modules (prof -w, cprof -w, mprof -w) or a log of prf. FILE is - for the standard input.\n"
	"\n"
	"  -f, --flat              by function (this is the default)\n"
	"  -g, --callgraph         who calls whom, and what that takes\n"
	"  -b, --callers FUNCTION  who calls this one, and who calls them\n"
	"  -c, --callees FUNCTION  what this one calls, and so on\n"
	"  -l, --lines             by line of the source; with -a, leave out the instructions\n"
	"  -a, --annotate FUNCTION its source and its instructions, with counts\n"
	"  -H, --html PAGE         a page for browsers: flame graph, functions, source, code\n"
	"\n"
	"  -m, --module NAME       only what is in this program, or in the kernel\n"
	"  -p, --process NAME      only what ran for processes of this name (call paths)\n"
	"  -M, --mode kernel|interrupt|user|idle  only that\n"
	"  -I, --inlined           let inlined functions stand for themselves\n"
	"  -n, --limit N           N rows at most, 0: all of them (default: 40)\n"
	"  -i, --image FILE        an ELF file that was profiled (may be repeated);\n"
	"                          default: the kernel and programs that were built\n"
	"  -S, --source DIR        where the sources are\n"
	"  -h, --help              show this\n"
	"\n"
	"FUNCTION may be MODULE:FUNCTION. Exit status: 0; 1 the data cannot be read, or are of\n"
	"another kernel or program; 2 usage.\n";

static const struct option longopts[] = {
	{"flat", no_argument, NULL, 'f'},
	{"callgraph", no_argument, NULL, 'g'},
	{"callers", required_argument, NULL, 'b'},
	{"callees", required_argument, NULL, 'c'},
	{"lines", no_argument, NULL, 'l'},
	{"annotate", required_argument, NULL, 'a'},
	{"html", required_argument, NULL, 'H'},
	{"module", required_argument, NULL, 'm'},
	{"process", required_argument, NULL, 'p'},
	{"mode", required_argument, NULL, 'M'},
	{"inlined", no_argument, NULL, 'I'},
	{"limit", required_argument, NULL, 'n'},
	{"image", required_argument, NULL, 'i'},
	{"source", required_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static const char reports[] = "fgbclaH"; /* options that choose one */

/* Options that say how, and with which reports they have an effect. */
static const struct {
	char option;
	const char *reports;
} details[] = {{'I', "fgbc"}, {'n', "fgbcl"}, {'S', "laH"}};

/* What the command line says. */
struct wanted {
	char what;	      /* the option's letter, of reports */
	bool given[128];      /* options, by letter */
	const char *function; /* of b, c, a; of H the page */
	struct selection selection;
};

enum { OPTIONS_OK, OPTIONS_HELP, OPTIONS_WRONG, OPTIONS_BAD };

/* Whether options contradict each other: 0, or -1 and why. */
static int check(const struct wanted *w, struct complaint *why)
{
	const char *a, *b;
	size_t i;

	for (a = reports; *a; a++)
		for (b = a + 1; *b && w->given[(int)*a]; b++)
			if (w->given[(int)*b] && !(*a == 'l' && *b == 'a'))
				return complain(why, "--%s and --%s exclude each other",
						option_name(longopts, *a),
						option_name(longopts, *b));
	for (i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		if (w->given[(int)details[i].option] && !strchr(details[i].reports, w->what))
			return complain(why, "--%s has no effect with --%s",
					option_name(longopts, details[i].option),
					option_name(longopts, w->what));
	return 0;
}

/* One option; files are looked at at once, so that one that is none is told by name. */
static int option(struct report *r, struct wanted *w, int c, struct complaint *why)
{
	if (strchr(reports, c) && !(c == 'l' && w->what == 'a'))
		w->what = c;
	if (strchr("bcaH", c))
		w->function = optarg;
	else if (c == 'm')
		w->selection.module = optarg;
	else if (c == 'p')
		w->selection.process = optarg;
	else if (c == 'S')
		r->sources.dir = optarg;
	w->given[c] = true;
	if (c == 'i' && images_add(&r->images, optarg, why) < 0)
		return OPTIONS_BAD;
	if (c == 'S' && access(optarg, X_OK) < 0)
		return complain(why, "%s: %s", optarg, strerror(errno)), OPTIONS_BAD;
	if ((c == 'M' && selection_mode(&w->selection, optarg, why) < 0) ||
	    (c == 'n' && option_limit(optarg, &r->limit, why) < 0))
		return OPTIONS_WRONG;
	return OPTIONS_OK;
}

/* Read the command line. */
static int options(struct report *r, struct wanted *w, int argc, char **argv,
		   struct complaint *why)
{
	int c, status;

	while ((c = getopt_long(argc, argv, ":fgb:c:la:H:m:p:M:In:i:S:h", longopts, NULL)) != -1) {
		if (c == 'h')
			return OPTIONS_HELP;
		status = c == ':' || c == '?' ? OPTIONS_WRONG : option(r, w, c, why);
		if (c == ':' || c == '?')
			option_wrong(c, argv, why);
		if (status != OPTIONS_OK)
			return status;
	}
	r->inlined = w->given['I'];
	r->no_code = w->given['l'];
	if (check(w, why) == 0 && optind + 1 == argc)
		return OPTIONS_OK;
	if (optind + 1 != argc)
		complain(why, "one profile expected");
	return OPTIONS_WRONG;
}

/* Where sources are, unless it was said: where the compiler ran. */
static void find_sources(struct report *r)
{
	size_t i;

	for (i = 0; i < r->prof.nimage && !r->sources.dir; i++)
		if (r->prof.image[i].elf)
			r->sources.dir = image_source_dir(r->prof.image[i].elf);
}

/* The report that was asked for. */
static int print(struct report *r, const struct wanted *w, struct complaint *why)
{
	bool lines = r->inlined || strchr("laH", w->what);

	if (lines)
		find_sources(r);
	functions_init(&r->functions, &r->prof, r->inlined || w->what == 'H');
	switch (w->what) {
	case 'g':
		return report_graph(r, why);
	case 'b':
	case 'c':
		return report_callers(r, w->function, w->what == 'c', why);
	case 'l':
		return report_lines(r, why);
	case 'a':
		return report_annotate(r, w->function, why);
	case 'H':
		return report_html(r, w->function, why);
	default:
		return report_flat(r, why);
	}
}

/* What FILE.clock says of ticks: gnomon-run(1). The figures are those of docs/accuracy.md. */
static void read_clock(struct report *r)
{
	static const struct {
		const char *word, *caution;
	} known[] = {
		{"vector", "by vector: of /rc/workload some 20 % of the kernel's ticks are then in "
			   "wrong functions"},
		{"blocks", "without -icount: of the kernel's ticks some 3 % are then in wrong "
			   "functions, 28 % in wrong 8 bytes"},
	};
	char *path = memory_format("%s.clock", r->file);
	struct complaint why;
	uint8_t *text;
	size_t size, i, n = 0;

	if (r->prof.unit == PROFDATA_TICKS && slurp(path, &text, &size, &why) == 0) {
		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (strstr((char *)text, known[i].word))
				r->caution[n++] = known[i].caution;
		free(text);
	}
	free(path);
}

/* Read the profile, keep what was asked for, print. */
static int report(struct report *r, struct wanted *w, struct complaint *why)
{
	struct complaint what;
	int bad;

	if (profread(&r->prof, r->file, &r->images, why) < 0)
		return -1;
	if (selection_apply(&w->selection, &r->prof, &what) < 0) {
		profdata_free(&r->prof);
		return complain(why, "%s: %s", r->file, what.text);
	}
	read_clock(r);
	bad = print(r, w, why);
	functions_free(&r->functions);
	sources_free(&r->sources);
	profdata_free(&r->prof);
	if (!bad && (fflush(stdout) != 0 || ferror(stdout)))
		return complain(why, "the report cannot be written");
	return bad;
}

/* gnomon report */
int report_main(int argc, char **argv)
{
	struct report r = {.limit = LIMIT};
	struct wanted w = {.what = 'f', .selection.mode = -1};
	struct complaint why;
	int status;

	images_init(&r.images);
	status = options(&r, &w, argc, argv, &why);
	if (status == OPTIONS_HELP) {
		images_free(&r.images);
		return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
	}
	if (status == OPTIONS_OK) {
		r.file = argv[optind];
		status = report(&r, &w, &why) < 0 ? OPTIONS_BAD : OPTIONS_OK;
	}
	if (status != OPTIONS_OK)
		fprintf(stderr, "gnomon report: %s\n", why.text);
	if (status == OPTIONS_WRONG)
		fputs("Try `gnomon report --help'.\n", stderr);
	images_free(&r.images);
	return status == OPTIONS_OK ? 0 : status == OPTIONS_WRONG ? 2 : 1;
}
