/* gnomon-export(1): profiles for other programs to read. Here: what was asked for. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/export/export.h"
#include "tools/gnomon.h"
#include "tools/option.h"
#include "tools/profile/profread.h"
#include "tools/profile/selection.h"

static const char usage[] =
	"usage: gnomon export [OPTION...] FILE\n"
	"\n"
	"Writes a profile of any kind (see `gnomon help report') in a form that other programs\n"
	"read. FILE is - for the standard input.\n"
	"\n"
	"  -f, --format folded|callgrind|pprof|speedscope|gmon\n"
	"                        folded      a path a line for flamegraph.pl (default)\n"
	"                        callgrind   callgrind_annotate, KCachegrind\n"
	"                        pprof       pprof, and what else reads profile.proto\n"
	"                        speedscope  speedscope's own JSON\n"
	"                        gmon        gmon.out for gprof\n"
	"  -o, --output OUT      the file to write; - for the standard output (default)\n"
	"\n"
	"  -I, --inlined         inlined functions are steps of their own (pprof: always)\n"
	"  -l, --lines           folded: with file and line at each step\n"
	"  -a, --addresses       callgrind: by instruction, too, as KCachegrind wants;\n"
	"                        not every reader knows this\n"
	"  -m, --module NAME     only what is in this program, or in the kernel\n"
	"  -p, --process NAME    only what ran for processes of this name (call paths)\n"
	"  -M, --mode kernel|interrupt|user|idle  only that\n"
	"  -i, --image FILE      an ELF file that was profiled (may be repeated);\n"
	"                        default: the kernel and programs that were built\n"
	"  -h, --help            show this\n"
	"\n"
	"Exit status: 0; 1 the data cannot be read, are of another kernel or program, or the\n"
	"format cannot hold them; 2 usage.\n";

static const struct option longopts[] = {
	{"format", required_argument, NULL, 'f'},
	{"output", required_argument, NULL, 'o'},
	{"inlined", no_argument, NULL, 'I'},
	{"lines", no_argument, NULL, 'l'},
	{"addresses", no_argument, NULL, 'a'},
	{"module", required_argument, NULL, 'm'},
	{"process", required_argument, NULL, 'p'},
	{"mode", required_argument, NULL, 'M'},
	{"image", required_argument, NULL, 'i'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* What each format needs, besides a writer. */
static const struct format {
	const char *name;
	int (*write)(struct export *x, FILE *to, struct complaint *why);
	bool binary;
	bool places; /* source lines */
	bool raw;    /* addresses as they were counted, in buckets */
	const char *idle; /* options that have no effect */
} formats[] = {
	{.name = "folded", .write = export_folded, .idle = "a"},
	{.name = "callgrind", .write = export_callgrind, .places = true, .idle = "l"},
	{.name = "pprof", .write = export_pprof, .binary = true, .places = true, .idle = "al"},
	{.name = "speedscope", .write = export_speedscope, .places = true, .idle = "al"},
	{.name = "gmon", .write = export_gmon, .binary = true, .raw = true, .idle = "Ial"},
};

#define NFORMATS (sizeof(formats) / sizeof(formats[0]))

/* What the command line says, besides struct export. */
struct wanted {
	const struct format *format;
	const char *output; /* NULL: the standard output */
	struct selection selection;
};

/* The format of that name, or NULL. */
static const struct format *format_named(const char *name)
{
	size_t i;

	for (i = 0; i < NFORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

enum { OPTIONS_OK, OPTIONS_BAD, OPTIONS_WRONG, OPTIONS_HELP };

/* One option: what comes of it. */
static int option(struct export *x, struct wanted *w, int c, struct complaint *why)
{
	if (c == 'f' && !(w->format = format_named(optarg)))
		complain(why, "--format %s: folded, callgrind, pprof, speedscope or gmon expected",
			 optarg);
	else if (c == 'M' && selection_mode(&w->selection, optarg, why) < 0)
		return OPTIONS_WRONG;
	else if (c == 'i' && images_add(&x->images, optarg, why) < 0)
		return OPTIONS_BAD;
	if (c == 'o')
		w->output = strcmp(optarg, "-") == 0 ? NULL : optarg;
	else if (c == 'm')
		w->selection.module = optarg;
	else if (c == 'p')
		w->selection.process = optarg;
	x->inlined |= c == 'I';
	x->lines |= c == 'l';
	x->addresses |= c == 'a';
	return w->format ? OPTIONS_OK : OPTIONS_WRONG;
}

/* Whether the format knows the options that were given: 0, or -1 and why. */
static int check(const struct export *x, const struct format *f, struct complaint *why)
{
	const char *c;

	for (c = f->idle; *c; c++)
		if (*c == 'I' ? x->inlined : *c == 'l' ? x->lines : x->addresses)
			return complain(why, "--%s has no effect with --format %s",
					option_name(longopts, *c), f->name);
	return 0;
}

/* Read the command line. */
static int options(struct export *x, struct wanted *w, int argc, char **argv,
		   struct complaint *why)
{
	int c, status;

	while ((c = getopt_long(argc, argv, ":f:o:Ilam:p:M:i:h", longopts, NULL)) != -1) {
		if (c == 'h')
			return OPTIONS_HELP;
		if (c == ':' || c == '?') {
			option_wrong(c, argv, why);
			return OPTIONS_WRONG;
		}
		status = option(x, w, c, why);
		if (status != OPTIONS_OK)
			return status;
	}
	if (optind + 1 != argc)
		complain(why, "one profile expected");
	else if (check(x, w->format, why) == 0)
		return OPTIONS_OK;
	return OPTIONS_WRONG;
}

/* Put n bytes into a file; what cannot be written whole is removed again. */
static int store(const char *path, const char *data, size_t n, struct complaint *why)
{
	FILE *f = fopen(path, "wb");
	struct stat st;
	int bad, error;

	if (!f)
		return complain(why, "%s: %s", path, strerror(errno));
	bad = fwrite(data, 1, n, f) != n || fflush(f) != 0;
	error = errno;
	if (bad && fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode))
		unlink(path);
	bad |= fclose(f) != 0;
	return bad ? complain(why, "%s: cannot be written: %s", path, strerror(error)) : 0;
}

/* Put the bytes where they were asked for. */
static int put(const struct wanted *w, const char *data, size_t n, struct complaint *why)
{
	if (w->output)
		return store(w->output, data, n, why);
	if (fwrite(data, 1, n, stdout) != n || fflush(stdout) != 0)
		return complain(why, "the profile cannot be written: %s", strerror(errno));
	return 0;
}

/* Convert what was read, and write it only if all of it could be converted. */
static int convert(struct export *x, const struct wanted *w, struct complaint *why)
{
	bool lines = w->format->places || x->inlined || x->lines;
	struct complaint what;
	char *data = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&data, &n);
	int bad;

	if (!to)
		return complain(why, "there is not enough memory for these data");
	functions_init(&x->functions, &x->prof, lines && !w->format->raw);
	progress_start(&x->progress, w->format->name, x->prof.nsample);
	bad = w->format->write(x, to, &what);
	progress_stop(&x->progress);
	if (bad)
		complain(why, "%s: %s", x->file, what.text);
	if (fclose(to) != 0 && !bad)
		bad = complain(why, "there is not enough memory for these data");
	if (!bad)
		bad = put(w, data, n, why);
	free(data);
	free(x->path);
	free(x->origin);
	functions_free(&x->functions);
	return bad;
}

/* Read, select, convert. */
static int export(struct export *x, const struct wanted *w, struct complaint *why)
{
	struct complaint what;
	int bad;

	if (w->format->binary && !w->output && isatty(STDOUT_FILENO))
		return complain(why, "%s is not for a terminal to show; give a file with -o",
				w->format->name);
	if (profread(&x->prof, x->file, &x->images, why) < 0)
		return -1;
	bad = selection_apply(&w->selection, &x->prof, &what);
	if (!bad && x->prof.calls)
		fprintf(stderr, "gnomon export: %s: %" PRIu64 " calls in the kernel are left out, "
			"for they are no instructions; --module kernel has them\n", x->file,
			x->prof.calls);
	if (bad)
		complain(why, "%s: %s", x->file, what.text);
	else if (w->format->places)
		export_settle(&x->prof);
	if (!bad)
		bad = convert(x, w, why);
	profdata_free(&x->prof);
	return bad;
}

/* gnomon export */
int export_main(int argc, char **argv)
{
	struct wanted w = {.format = &formats[0], .selection.mode = -1};
	struct export x = {.inlined = false};
	struct complaint why;
	int status;

	images_init(&x.images);
	progress_init(&x.progress);
	x.progress.unit = "samples";
	status = options(&x, &w, argc, argv, &why);
	if (status == OPTIONS_OK) {
		x.file = argv[optind];
		status = export(&x, &w, &why) < 0 ? OPTIONS_BAD : OPTIONS_OK;
	}
	images_free(&x.images);
	if (status == OPTIONS_HELP)
		return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
	if (status != OPTIONS_OK)
		fprintf(stderr, "gnomon export: %s\n", why.text);
	if (status == OPTIONS_WRONG)
		fputs("Try `gnomon export --help'.\n", stderr);
	return status;
}
