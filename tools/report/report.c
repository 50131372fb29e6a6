/* gnomon-report(1): what a profile says, whoever counted it. Here is the command line. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/option.h"
#include "tools/profile/unnamed.h"
#include "tools/report/page/page.h"
#include "tools/report/places.h"
#include "tools/report/report.h"

#define LIMIT 40 /* rows without --limit */

static const char usage[] =
	"usage: gnomon report [OPTION...] FILE...\n"
	"\n"
	"Says what a profile tells, be it kpdata, gmon.out, the call paths of kpstack, kpwait,\n"
	"kpmem or kptrace, kpcall's durations, counts of modules (prof -w, cprof -w,\n"
	"mprof -w) or a log of prf. FILE is - for the standard input, or a folder of several\n"
	"runs (gnomon run --repeat), or DIR/FILE of each. --html takes several FILEs.\n"
	"\n"
	"  -f, --flat              by function (this is the default)\n"
	"  -g, --callgraph         who calls whom, and what that takes\n"
	"  -b, --callers FUNCTION  who calls this one, and who calls them\n"
	"  -c, --callees FUNCTION  what this one calls, and so on\n"
	"  -l, --lines             by line of the source; with -a, leave out the instructions\n"
	"  -a, --annotate FUNCTION its source and its instructions, with counts\n"
	"  -t, --timeline          what ran when, a row a processor and a row a process (kptrace)\n"
	"  -w, --wakeups           what processes waited for, and who woke them (kptrace)\n"
	"  -d, --calls             how long calls took, by function and caller (kpcall)\n"
	"  -D, --histogram FUNCTION how many of its calls took how long (kpcall)\n"
	"  -H, --html PAGE         a page for browsers: flame graph, functions, lines, source\n"
	"\n"
	"  -m, --module NAME       only what is in this program, or in the kernel\n"
	"  -p, --process NAME      only what ran for processes of this name (call paths)\n"
	"  -M, --mode kernel|interrupt|user|idle  only that\n"
	"  -M, --mode pipe|sleep|child|lock|device|ready  only waits for that (kpwait)\n"
	"  -M, --mode in_use|freed    only memory that is, of kpmem\n"
	"      --from TIME         only from then on: 5012345, 5.012345s, MARK, MARK-5ms\n"
	"      --to TIME           only before then (kptrace)\n"
	"      --cpu N             only on this processor (kptrace)\n"
	"      --pid N             only of this process (kptrace)\n"
	"      --focus RE          only paths with a function that matches; of data without\n"
	"                          paths, only such functions\n"
	"      --ignore RE         without those that have one\n"
	"      --root FUNCTION     of a page: only what is below this function\n"
	"      --hide RE           without these functions: their callers get their counts\n"
	"  -A, --inclusive         order by what is in functions and in what they call\n"
	"  -X, --exclusive         order by what is in functions alone (this is the default)\n"
	"  -s, --sort total|calls|self|mean|shortest|longest|asleep  order of --calls\n"
	"  -I, --inlined           let inlined functions stand for themselves\n"
	"  -n, --limit N           N rows at most, 0: all of them (default: 40)\n"
	"  -n, --limit P%          no rows of less than P per cent\n"
	"  -o, --format text|csv|json  rows for other programs; all of them without --limit\n"
	"      --color auto|always|never  auto: on a terminal, unless NO_COLOR is set\n"
	"      --no-pager          do not show long reports with $PAGER on a terminal\n"
	"  -i, --image FILE        an ELF file that was profiled (may be repeated);\n"
	"                          default: the kernel and programs that were built\n"
	"  -S, --source DIR        where the sources are (may be repeated)\n"
	"  -h, --help              show this\n"
	"\n"
	"FUNCTION may be MODULE:FUNCTION; an RE, extended, is looked for in both. Exit status:\n"
	"0; 1 the data cannot be read, or are of another kernel; 2 usage.\n";

/* Look for sources in a folder, which must be there. */
static enum option_status take_sources(void *field, const char *path, struct complaint *why)
{
	struct sources *s = field;

	if (access(path, X_OK) < 0) {
		complain(why, "%s: %s", path, strerror(errno));
		return OPTION_BAD;
	}
	s->given = memory_grow(s->given, &s->room_given, s->ngiven + 1, sizeof(*s->given));
	s->given[s->ngiven++] = path;
	return OPTION_OK;
}

/* Take a number of rows, or a share of everything in per cent, into a struct report_limit. */
static enum option_status take_limit(void *field, const char *arg, struct complaint *why)
{
	struct report_limit *limit = field;
	char *end;
	double v = strtod(arg, &end);
	bool is_share = isdigit((unsigned char)*arg) && v <= 100;

	if (strcmp(end, "%") != 0) {
		limit->percent = 0;
		return option_limit(&limit->rows, arg, why);
	}
	if (!is_share) {
		complain(why, "--limit %s: 0%% to 100%% expected, or a number of rows", arg);
		return OPTION_WRONG;
	}
	*limit = (struct report_limit){.rows = SIZE_MAX, .percent = v};
	return OPTION_OK;
}

/* The options that have no letter. */
enum { FOCUS = 1, IGNORE, HIDE, COLOR, NO_PAGER, FROM, TO, CPU, PID, ROOT };

static const struct option_row rows[] = {
	{'f', "flat", NULL, 0},
	{'g', "callgraph", NULL, 0},
	{'b', "callers", option_text, offsetof(struct report_options, function)},
	{'c', "callees", option_text, offsetof(struct report_options, function)},
	{'l', "lines", option_flag, offsetof(struct report_options, lines)},
	{'a', "annotate", option_text, offsetof(struct report_options, function)},
	{'t', "timeline", NULL, 0},
	{'w', "wakeups", NULL, 0},
	{'d', "calls", NULL, 0},
	{'D', "histogram", option_text, offsetof(struct report_options, function)},
	{'H', "html", option_text, offsetof(struct report_options, page)},
	{'m', "module", option_text, offsetof(struct report_options, selection.module)},
	{'p', "process", option_text, offsetof(struct report_options, selection.process)},
	{'M', "mode", selection_mode, offsetof(struct report_options, selection.mode)},
	{FROM, "from", window_from, offsetof(struct report_options, selection.window.from)},
	{TO, "to", window_to, offsetof(struct report_options, selection.window.to)},
	{CPU, "cpu", window_cpu, offsetof(struct report_options, selection.window.cpu)},
	{PID, "pid", window_pid, offsetof(struct report_options, selection.window.pid)},
	{'I', "inlined", option_flag, offsetof(struct report_options, inlined)},
	{FOCUS, "focus", sieve_focus, offsetof(struct report_options, sieve.focus)},
	{IGNORE, "ignore", sieve_ignore, offsetof(struct report_options, sieve.ignore)},
	{HIDE, "hide", sieve_hide, offsetof(struct report_options, sieve.hide)},
	{ROOT, "root", option_text, offsetof(struct report_options, root)},
	{'A', "inclusive", option_flag, offsetof(struct report_options, inclusive)},
	{'X', "exclusive", NULL, 0},
	{'s', "sort", report_calls_sort, offsetof(struct report_options, calls_sort)},
	{'n', "limit", take_limit, offsetof(struct report_options, limit)},
	{'o', "format", sheet_format, offsetof(struct report_options, format)},
	{COLOR, "color", terminal_color, offsetof(struct report_options, terminal.when)},
	{NO_PAGER, "no-pager", option_flag, offsetof(struct report_options, terminal.no_pager)},
	{'i', "image", selection_image, offsetof(struct report_options, images)},
	{'S', "source", take_sources, offsetof(struct report_options, sources)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "report", .usage = usage, .row = rows,
	.operands = -1,
};

/* The options that choose a report, and what prints it. */
static const struct kind {
	char letter;
	bool places; /* it shows lines of the source: they have to be found */
	bool freed;  /* it shows memory that is in use no more */
	bool others; /* it chooses processes itself: what others did matters to those */
	int (*print)(struct report *r, struct complaint *why);
} kinds[] = {
	{'f', false, true, false, report_flat},
	{'g', false, false, false, report_graph},
	{'b', false, false, false, report_callers},
	{'c', false, false, false, report_callees},
	{'a', true, false, false, report_annotate},
	{'l', true, false, false, report_lines},
	{'t', false, false, false, report_slices},
	{'w', false, false, true, report_wakeups},
	{'d', false, false, false, report_calls},
	{'D', false, false, false, report_histogram},
	{'H', true, true, false, report_html},
};

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Options about details, and the reports that they have an effect on. */
static const struct {
	char letter;
	const char *reports;
} details[] = {{'I', "fgbcaH"}, {'A', "f"}, {'X', "f"}, {'n', "fgbcltwHd"}, {'S', "laH"},
	       {'o', "fgbcalwdD"}, {'s', "d"}, {'m', "fgbcaltH"}, {'p', "fgbcaltwH"},
	       {'M', "fgbcaltwH"}, {CPU, "fgbcaltdDH"}, {FOCUS, "fgbcaltH"}, {IGNORE, "fgbcaltH"},
	       {HIDE, "fgbcaltH"}, {ROOT, "H"}};

#define NDETAILS (sizeof(details) / sizeof(details[0]))

/* Complain of two options that exclude each other. */
static enum option_status exclude(struct option_line *l, int one, int other)
{
	complain(&l->why, "--%s and --%s exclude each other", option_name(l, one),
		 option_name(l, other));
	return OPTION_WRONG;
}

/* Find the one report that was asked for; --annotate with --lines is one. */
static enum option_status choose_kind(struct option_line *l, const struct kind **kind)
{
	size_t i;

	*kind = NULL;
	for (i = 0; i < NKINDS; i++) {
		if (!l->given[(int)kinds[i].letter])
			continue;
		if (!*kind)
			*kind = &kinds[i];
		else if ((*kind)->letter != 'a' || kinds[i].letter != 'l')
			return exclude(l, (*kind)->letter, kinds[i].letter);
	}
	if (!*kind)
		*kind = &kinds[0];
	return OPTION_OK;
}

/* Check that the options about details have an effect, and do not contradict each other. */
static enum option_status check_details(struct option_line *l, const struct kind *kind)
{
	size_t i;

	for (i = 0; i < NDETAILS; i++) {
		if (!l->given[(int)details[i].letter])
			continue;
		if (strchr(details[i].reports, kind->letter))
			continue;
		complain(&l->why, "--%s has no effect with --%s",
			 option_name(l, details[i].letter), option_name(l, kind->letter));
		return OPTION_WRONG;
	}
	if (l->given['A'] && l->given['X'])
		return exclude(l, 'A', 'X');
	return OPTION_OK;
}

/* Find the folder in which the compiler ran for most of what was counted. */
static void find_sources(struct report *r)
{
	size_t i;

	r->sources.given = r->options.sources.given;
	r->sources.ngiven = r->options.sources.ngiven;
	for (i = 0; i < r->prof.nimage; i++)
		if (r->prof.image[i].elf && !r->sources.dir)
			r->sources.dir = image_source_dir(r->prof.image[i].elf);
}

/* Return a sentence that no source at all was found; NULL: some was. */
char *report_no_source(const struct report *r)
{
	const char *path = sources_none(&r->sources);

	if (!path)
		return NULL;
	if (r->options.page)
		return NULL;
	return memory_format("no source was found; the first file that was looked for is %s; give "
			     "the folder of the sources with --source", path);
}

/*
 * Say which names and lines are not known and why, after the report and its pager. JSON has that in
 * itself.
 */
static void tell_missing(struct report *r)
{
	char *none = report_no_source(r), *newer = sources_newer(&r->sources);
	size_t i;

	if (r->unnamed)
		fprintf(stderr, "gnomon report: %s: %s\n", r->file, r->unnamed);
	for (i = 0; i < r->nmissing; i++)
		if (!r->missing[i].said)
			fprintf(stderr, "gnomon report: %s\n", r->missing[i].text);
	if (none)
		fprintf(stderr, "gnomon report: %s\n", none);
	if (newer)
		fprintf(stderr, "gnomon report: %s\n", newer);
	free(none);
	free(newer);
}

/*
 * Leave out what the patterns do. Arcs do not tell on which path a call was, so they have no part
 * in reports on calls then.
 */
static int apply_patterns(struct report *r, const struct kind *kind, struct complaint *why)
{
	bool arcs = r->prof.narc && !r->prof.has_paths;
	struct complaint what;

	r->before = r->prof.total;
	if (!sieve_given(&r->options.sieve))
		return 0;
	if (arcs && strchr("gbc", kind->letter))
		return complain(why, "%s: --focus and --ignore want call paths in reports on "
				"calls; it has arcs", r->file);
	if (sieve_apply(&r->options.sieve, &r->prof, &r->functions, &what) == 0)
		return 0;
	return complain(why, "%s: %s", r->file, what.text);
}

/* Return whether somebody reads rows that are functions, all that were not inlined. */
static bool wants_hint(const struct report *r, const struct kind *kind)
{
	if (!r->options.terminal.is_there)
		return false;
	if (r->options.inlined)
		return false;
	if (sieve_given(&r->options.sieve))
		return false;
	return strchr("fg", kind->letter);
}

/* Print the report, with colours and a pager if it is a text. */
static int print_report(struct report *r, const struct kind *kind, struct complaint *why)
{
	struct terminal *terminal = &r->options.terminal;
	int bad;

	if (kind->letter != 'H' && r->options.format == SHEET_TEXT)
		terminal_begin(terminal);
	bad = kind->print(r, why);
	if (!bad && wants_hint(r, kind))
		report_inlined_hint(r);
	terminal_end(terminal);
	return bad;
}

/* Return which part of the profile a report has to read. */
static struct selection read_what(const struct report_options *o, const struct kind *kind)
{
	struct selection selection = o->selection;

	selection.freed = kind->freed;
	if (kind->others) {
		selection.process = NULL;
		selection.mode = -1;
		selection.window.pid.text = NULL;
	}
	return selection;
}

/*
 * Read the profile and print the report. Lines of the source are looked for only where the
 * report shows them, for that reads the DWARF data of whole programs.
 */
static int report_file(struct report *r, const struct kind *kind, struct complaint *why)
{
	struct report_options *o = &r->options;
	struct selection selection = read_what(o, kind);
	int bad;

	memset(r->caution, 0, sizeof(r->caution));
	if (repeats_read(&r->repeats, &r->prof, &selection, r->file, &o->images, why) < 0)
		return -1;
	report_cautions(r, kind->letter == 'a' || kind->letter == 'l', kind->freed);
	if (!kind->others)
		r->unnamed = unnamed_note(&r->prof);
	if (o->inlined || kind->places)
		find_sources(r);
	functions_init(&r->functions, &r->prof, o->inlined);
	bad = apply_patterns(r, kind, why);
	if (!bad)
		bad = report_rooted(r, why);
	if (!bad && kind->freed)
		r->memory = report_memory_total(r);
	if (!bad)
		bad = print_report(r, kind, why);
	if (!bad && o->format != SHEET_JSON)
		tell_missing(r);
	functions_free(&r->functions);
	sources_free(&r->sources);
	repeats_free(&r->repeats);
	profdata_free(&r->prof);
	free(r->loss);
	r->loss = NULL;
	free(r->memory);
	r->memory = NULL;
	report_missing_free(r);
	free(r->unnamed);
	r->unnamed = NULL;
	return bad;
}

/* Check that there is one profile, or for a page at least one. */
static enum option_status check_operands(struct option_line *l, const struct kind *kind)
{
	if (l->noperand == 1)
		return OPTION_OK;
	if (l->noperand == 0) {
		complain(&l->why, "one profile expected");
		return OPTION_WRONG;
	}
	if (kind->letter == 'H')
		return OPTION_OK;
	complain(&l->why, "one profile expected; --html takes several");
	return OPTION_WRONG;
}

/* Report on all profiles, and write the page, if that is what was asked for. */
static int report_all(struct report *r, const struct kind *kind, const struct option_line *l,
		      struct complaint *why)
{
	int i, bad = 0;

	r->parts = (size_t)l->noperand;
	for (i = 0; i < l->noperand && !bad; i++) {
		r->file = l->operand[i];
		bad = report_file(r, kind, why);
	}
	if (r->profiles && !bad)
		return page_write(r->options.page, r->profiles, why);
	json_decref(r->profiles);
	return bad;
}

/* Choose the limit of a report for which none was given. */
static void default_limit(struct report_options *o, const struct kind *kind)
{
	if (o->format != SHEET_TEXT)
		o->limit.rows = SIZE_MAX;
	if (kind->letter == 'H')
		o->limit = (struct report_limit){.rows = SIZE_MAX, .percent = PAGE_PERCENT};
}

/* Do what the command line asks for. */
static enum option_status report_operands(struct report *r, struct option_line *l)
{
	const struct kind *kind;
	enum option_status status = choose_kind(l, &kind);

	if (status == OPTION_OK)
		status = check_details(l, kind);
	if (status == OPTION_OK)
		status = check_operands(l, kind);
	if (status == OPTION_OK)
		status = window_check(&r->options.selection.window, &l->why);
	if (status != OPTION_OK)
		return status;
	if (!l->given['n'])
		default_limit(&r->options, kind);
	if (report_all(r, kind, l, &l->why) < 0)
		return OPTION_BAD;
	return OPTION_OK;
}

/* gnomon report */
int report_main(int argc, char **argv)
{
	struct report r = {.options = {.limit.rows = LIMIT, .selection.mode = -1}};
	struct option_line line = {.table = &table, .options = &r.options};
	enum option_status status;

	images_init(&r.options.images);
	r.options.images.command = table.command;
	status = option_read(&line, argc, argv);
	if (status == OPTION_OK)
		status = report_operands(&r, &line);
	sieve_free(&r.options.sieve);
	free(r.options.sources.given);
	images_free(&r.options.images);
	return option_end(&line, status);
}
