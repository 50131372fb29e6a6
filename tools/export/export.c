/* gnomon-export(1): profiles for other programs to read. Here is the command line. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/export/export.h"
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/option.h"
#include "tools/outfile.h"
#include "tools/profile/unnamed.h"

static const char usage[] =
	"usage: gnomon export [OPTION...] FILE\n"
	"\n"
	"Writes a profile of any kind (see `gnomon help report') in a form that other programs\n"
	"read. FILE is - for the standard input.\n"
	"\n"
	"  -f, --format folded|callgrind|pprof|speedscope|gmon|dot|perf|perf.data|chrome|"
	"lcov|gcov|massif|\n"
	"               trace.dat|uftrace|otlp\n"
	"                        folded      a path a line for flamegraph.pl (default)\n"
	"                        callgrind   callgrind_annotate, KCachegrind\n"
	"                        pprof       pprof, and what else reads profile.proto\n"
	"                        speedscope  speedscope's own JSON\n"
	"                        gmon        gmon.out for gprof\n"
	"                        dot         a call graph that Graphviz draws\n"
	"                        perf        perf script's text, for FlameGraph and others\n"
	"                        perf.data   perf's own file, for perf report, Hotspot\n"
	"                        chrome      Chrome's trace format, for Perfetto\n"
	"                        lcov        coverage as lcov's tracefile, for genhtml\n"
	"                        gcov        coverage as gcov --json-format has it\n"
	"                        massif      memory as valgrind's massif has it, for ms_print\n"
	"                        trace.dat   trace-cmd's file, for trace-cmd report, KernelShark\n"
	"                        uftrace     uftrace's folder, for uftrace replay, graph, report\n"
	"                        otlp        OpenTelemetry's profiles, for collectors\n"
	"  -o, --output OUT      the file to write; - for the standard output (default)\n"
	"\n"
	"  -I, --inlined         inlined functions are steps of their own (pprof: always)\n"
	"  -l, --lines           folded: with file and line at each step\n"
	"  -a, --addresses       callgrind: by instruction, too, as KCachegrind wants;\n"
	"                        not every reader knows this\n"
	"  -n, --limit P%        dot: nothing of less than P per cent (default: 0.5%)\n"
	"  -m, --module NAME     only what is in this program, or in the kernel\n"
	"  -p, --process NAME    only what ran for processes of this name (call paths)\n"
	"  -M, --mode kernel|interrupt|user|idle  only that\n"
	"      --from TIME       only from then on: 5012345, 5.012345s, MARK, MARK-5ms\n"
	"      --to TIME         only before then (kptrace)\n"
	"      --cpu N           only on this processor (kptrace)\n"
	"      --pid N           only of this process (kptrace)\n"
	"  -i, --image FILE      an ELF file that was profiled (may be repeated);\n"
	"                        default: the kernel and programs that were built\n"
	"  -h, --help            show this\n"
	"\n"
	"Exit status: 0; 1 the data cannot be read, are of another kernel, or the\n"
	"format cannot hold them; 2 usage.\n";

/* The formats, and what each needs. */
static const struct export_format {
	const char *name;
	int (*write)(struct export *x, FILE *to, struct complaint *why);
	/* or, in place of that: fill a folder */
	int (*fill)(struct export *x, const char *folder, struct complaint *why);
	bool binary; /* not for a terminal */
	bool places; /* it shows addresses and lines of the source */
	bool raw;    /* it has addresses as they were counted, in buckets */
	bool early;  /* whether it can hold a profile it tells before it writes anything */
	bool freed;  /* it tells also of memory that is in use no more */
	const char *idle; /* options that have no effect on it */
} formats[] = {
	{.name = "folded", .write = export_folded, .early = true, .idle = "an"},
	{.name = "callgrind", .write = export_callgrind, .places = true, .idle = "ln"},
	{.name = "pprof", .write = export_pprof, .binary = true, .places = true, .freed = true,
	 .idle = "aln"},
	{.name = "otlp", .write = export_otlp, .binary = true, .places = true, .idle = "aln"},
	{.name = "speedscope", .write = export_speedscope, .places = true, .idle = "aln"},
	{.name = "gmon", .write = export_gmon, .binary = true, .raw = true, .idle = "Ialn"},
	{.name = "dot", .write = export_dot, .idle = "al"},
	{.name = "perf", .write = export_perf, .early = true, .idle = "aln"},
	{.name = "perf.data", .write = export_perfdata, .binary = true, .idle = "Ialn"},
	{.name = "chrome", .write = export_chrome, .early = true, .idle = "aln"},
	{.name = "lcov", .write = export_lcov, .idle = "Ialn"},
	{.name = "gcov", .write = export_gcov, .idle = "Ialn"},
	{.name = "massif", .write = export_massif, .places = true, .idle = "aln"},
	{.name = "trace.dat", .write = export_tracedat, .binary = true, .early = true,
	 .idle = "aln"},
	{.name = "uftrace", .fill = export_uftrace, .idle = "aln"},
};

#define NFORMATS (sizeof(formats) / sizeof(formats[0]))

/* Find a format by its name. */
static enum option_status take_format(void *field, const char *name, struct complaint *why)
{
	const char *word[NFORMATS + 1] = {NULL};
	int i;

	for (i = 0; i < (int)NFORMATS; i++)
		word[i] = formats[i].name;
	i = option_word("format", word, name, why);
	if (i < 0)
		return OPTION_WRONG;
	*(const struct export_format **)field = &formats[i];
	return OPTION_OK;
}

/* Take a share of everything. */
static enum option_status take_limit(void *field, const char *arg, struct complaint *why)
{
	char *end;
	double v = strtod(arg, &end);
	bool is_number = isdigit((unsigned char)*arg) && v <= 100;

	if (!is_number || strcmp(end, "%") != 0) {
		complain(why, "--limit %s: 0%% to 100%% expected", arg);
		return OPTION_WRONG;
	}
	*(double *)field = v;
	return OPTION_OK;
}

/* The options that have no letter. */
enum { FROM = 1, TO, CPU, PID };

static const struct option_row rows[] = {
	{'f', "format", take_format, offsetof(struct export_options, format)},
	{'o', "output", option_text, offsetof(struct export_options, output)},
	{'I', "inlined", option_flag, offsetof(struct export_options, inlined)},
	{'l', "lines", option_flag, offsetof(struct export_options, lines)},
	{'a', "addresses", option_flag, offsetof(struct export_options, addresses)},
	{'n', "limit", take_limit, offsetof(struct export_options, limit)},
	{'m', "module", option_text, offsetof(struct export_options, selection.module)},
	{'p', "process", option_text, offsetof(struct export_options, selection.process)},
	{'M', "mode", selection_mode, offsetof(struct export_options, selection.mode)},
	{FROM, "from", window_from, offsetof(struct export_options, selection.window.from)},
	{TO, "to", window_to, offsetof(struct export_options, selection.window.to)},
	{CPU, "cpu", window_cpu, offsetof(struct export_options, selection.window.cpu)},
	{PID, "pid", window_pid, offsetof(struct export_options, selection.window.pid)},
	{'i', "image", selection_image, offsetof(struct export_options, images)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "export", .usage = usage, .row = rows,
	.operands = 1, .expected = "one profile",
};

/* Check that the format knows the options that were given. */
static enum option_status check_options(struct option_line *l, const struct export_format *f)
{
	const char *c;

	for (c = f->idle; *c; c++) {
		if (!l->given[(int)*c])
			continue;
		complain(&l->why, "--%s has no effect with --format %s", option_name(l, *c),
			 f->name);
		return OPTION_WRONG;
	}
	return OPTION_OK;
}

/* Have the format write, and say whose data it cannot hold. */
static int export_write(struct export *x, FILE *to, struct complaint *why)
{
	struct complaint what;

	if (x->options.format->write(x, to, &what) < 0)
		return complain(why, "%s: %s", x->file, what.text);
	return 0;
}

/* Write what was read as it is converted. */
static int write_straight(struct export *x, struct complaint *why)
{
	struct outfile_stream to;
	struct outfile o;
	int bad, lost;

	if (outfile_open(&o, x->options.output, why) < 0)
		return -1;
	outfile_stream_open(&to, &o);
	bad = export_write(x, to.f, why);
	lost = outfile_stream_close(&to, why);
	if (bad || lost) {
		outfile_drop(&o);
		return -1;
	}
	return outfile_close(&o, why);
}

/*
 * Convert what was read into memory, and write it only when all of it could be converted: nothing
 * is printed, and no pipe gets anything, of a profile that the format cannot hold.
 */
static int write_whole(struct export *x, struct complaint *why)
{
	struct memory_stream to;
	int bad;

	memory_stream_open(&to);
	bad = export_write(x, to.f, why);
	memory_stream_close(&to);
	if (!bad)
		bad = outfile_store(x->options.output, to.data, to.n, why);
	free(to.data);
	return bad;
}

/* Remove a folder with files alone, if it is there. */
static void remove_folder(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}

/* Fill a new folder, which takes its name when all of it is there. */
static int write_folder(struct export *x, struct complaint *why)
{
	const char *to = x->options.output;
	char nonce[OUTFILE_NONCE + 1], *path;
	int bad;

	outfile_nonce(nonce);
	path = memory_format("%s.%s.part", to, nonce);
	bad = mkdir(path, 0777);
	if (bad)
		complain_errno(why, path);
	else
		bad = x->options.format->fill(x, path, why);
	if (!bad && rename(path, to) < 0)
		bad = complain_errno(why, to);
	if (bad)
		remove_folder(path);
	free(path);
	return bad;
}

/* Convert what was read. */
static int export_convert(struct export *x, struct complaint *why)
{
	const struct export_options *o = &x->options;
	bool lines = o->inlined || o->lines;
	int bad;

	if (o->format->places)
		lines = true;
	if (o->format->raw)
		lines = false;
	functions_init(&x->functions, &x->prof, lines);
	progress_start(&x->progress, o->format->name, x->prof.nsample);
	if (o->format->fill)
		bad = write_folder(x, why);
	else if (o->format->early)
		bad = write_straight(x, why);
	else
		bad = write_whole(x, why);
	progress_stop(&x->progress);
	free(x->path);
	free(x->origin);
	functions_free(&x->functions);
	return bad;
}

/* Read the profile, and export what was selected. */
static int export_file(struct export *x, struct complaint *why)
{
	struct export_options *o = &x->options;
	bool to_terminal = strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO);
	char *loss, *unnamed;
	int bad;

	if (o->format->fill && strcmp(o->output, "-") == 0)
		return complain(why, "%s is a folder; give it a name with -o", o->format->name);
	if (o->format->binary && to_terminal)
		return complain(why, "%s is not for a terminal to show; give a file with -o",
				o->format->name);
	o->selection.freed = o->format->freed;
	if (selection_read(&o->selection, &x->prof, x->file, &o->images, why) < 0)
		return -1;
	if (x->prof.calls)
		fprintf(stderr, "gnomon export: %s: %" PRIu64 " calls in the kernel are left out, "
			"for they are no instructions; --module kernel has them\n", x->file,
			x->prof.calls);
	loss = profdata_loss(&x->prof);
	if (loss)
		fprintf(stderr, "gnomon export: %s: %s\n", x->file, loss);
	free(loss);
	if (o->format->places)
		export_settle(&x->prof);
	unnamed = unnamed_note(&x->prof);
	bad = export_convert(x, why);
	if (unnamed && !bad)
		fprintf(stderr, "gnomon export: %s: %s\n", x->file, unnamed);
	free(unnamed);
	profdata_free(&x->prof);
	return bad;
}

/* gnomon export */
int export_main(int argc, char **argv)
{
	struct export x = {
		.options = {.format = &formats[0], .output = "-", .limit = 0.5,
			    .selection.mode = -1},
	};
	struct option_line line = {.table = &table, .options = &x.options};
	enum option_status status;

	images_init(&x.options.images);
	x.options.images.command = table.command;
	progress_init(&x.progress);
	x.progress.unit = "samples";
	status = option_read(&line, argc, argv);
	if (status == OPTION_OK)
		status = check_options(&line, x.options.format);
	if (status == OPTION_OK)
		status = window_check(&x.options.selection.window, &line.why);
	if (status == OPTION_OK) {
		x.file = line.operand[0];
		if (export_file(&x, &line.why) < 0)
			status = OPTION_BAD;
	}
	images_free(&x.options.images);
	return option_end(&line, status);
}
