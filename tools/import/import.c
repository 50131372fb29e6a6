/*
 * gnomon-import(1): profiles of other systems, as call paths that gnomon's commands read. Here is
 * the command line, and which form a file has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/gnomon.h"
#include "tools/import/import.h"
#include "tools/option.h"
#include "tools/outfile.h"
#include "tools/profile/textline.h"
#include "tools/slurp.h"

static const char usage[] =
	"usage: gnomon import [-P] [-f FORM] -o OUT FILE\n"
	"\n"
	"Reads a profile of another system and writes it as call paths, which report, diff,\n"
	"export and the page read. FILE is - for the standard input.\n"
	"\n"
	"  -f, --form perf|folded|pprof\n"
	"                          perf    what `perf script' prints\n"
	"                          folded  PROCESS;FUNCTION;FUNCTION COUNT, as\n"
	"                                  stackcollapse-*.pl print\n"
	"                          pprof   a profile of pprof's, compressed or not\n"
	"                          default: as the file begins; pprof if it is compressed\n"
	"  -o, --output OUT        the file to write; the names of functions are in\n"
	"                          the folder OUT.nm\n"
	"  -P, --periods           count what samples stand for, not the samples\n"
	"  -h, --help              show this\n"
	"\n"
	"Exit status: 0; 1 the file cannot be read or is no such profile, and OUT is as it was;\n"
	"2 usage.\n";

static const struct form {
	const char *name;
	int (*read)(struct import *im, const char *text, size_t n, struct complaint *why);
} forms[] = {
	{"perf", import_perf},
	{"folded", import_folded},
	{"pprof", import_pprof},
};

#define PPROF 2 /* its place */
#define NFORMS (sizeof(forms) / sizeof(forms[0]))

struct options {
	const struct form *form; /* NULL: as the first line is */
	const char *output;
	bool periods;
};

/* Find a form by its name. */
static enum option_status take_form(void *field, const char *name, struct complaint *why)
{
	const char *word[NFORMS + 1] = {NULL};
	int i;

	for (i = 0; i < (int)NFORMS; i++)
		word[i] = forms[i].name;
	i = option_word("form", word, name, why);
	if (i < 0)
		return OPTION_WRONG;
	*(const struct form **)field = &forms[i];
	return OPTION_OK;
}

static const struct option_row rows[] = {
	{'f', "form", take_form, offsetof(struct options, form)},
	{'o', "output", option_text, offsetof(struct options, output)},
	{'P', "periods", option_flag, offsetof(struct options, periods)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "import", .usage = usage, .row = rows,
	.operands = 1, .expected = "one profile",
};

/* Check that a file is a text, but for pprof; say what another one is. */
static int check_data(const struct form *form, const uint8_t *data, size_t n,
		      struct complaint *why)
{
	if (textline_starts(data, n, "PERFILE2"))
		return complain(why, "this is perf.data; give what `perf script -i' prints of it");
	if (n == 0)
		return complain(why, "the file is empty");
	if (form == &forms[PPROF])
		return 0;
	if (memchr(data, 0, n))
		return complain(why, "this is no text: perf script's or folded stacks expected");
	return 0;
}

/* Find the form by the first line that is no comment; NULL and why: it is none. */
static const struct form *find_form(const char *text, size_t n, struct complaint *why)
{
	struct textline t;

	textline_init(&t, text, n);
	while (textline_next(&t)) {
		if (import_skips(t.line, t.n))
			continue;
		if (import_is_perf(t.line, t.n))
			return &forms[0];
		if (memrchr(t.line, ' ', t.n))
			return &forms[1];
		textline_expected(&t, "a sample of perf script, or a folded stack and its count",
				  why);
		return NULL;
	}
	complain(why, "there is nothing in it");
	return NULL;
}

/* Check that something was counted. */
static int import_any(const struct import *im, struct complaint *why)
{
	if (im->total == 0)
		return complain(why, "there is nothing in it");
	return 0;
}

/* Read the file into the paths. */
static int import_read(struct import *im, const struct options *o, const char *path,
		       struct complaint *why)
{
	const struct form *form = o->form;
	struct complaint what;
	uint8_t *data;
	size_t n;
	int bad;

	if (slurp(path, &data, &n, why) < 0)
		return -1;
	import_init(im, n);
	im->periods = o->periods;
	if (!form && import_is_gzip(data, n))
		form = &forms[PPROF];
	bad = check_data(form, data, n, &what);
	if (!bad && !form)
		form = find_form((char *)data, n, &what);
	if (!bad && form)
		bad = form->read(im, (char *)data, n, &what);
	else
		bad = -1;
	if (!bad)
		bad = import_any(im, &what);
	free(data);
	if (bad)
		complain(why, "%s: %s", path, what.text);
	return bad;
}

/* Write the functions of all programs into a folder. */
static int write_functions(const struct import *im, const char *folder, struct complaint *why)
{
	struct memory_stream s;
	size_t i;
	char *path;
	int bad = 0;

	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return complain_errno(why, folder);
	for (i = 0; !bad && i < im->nlist; i++) {
		if (im->list[i].n == 0)
			continue;
		import_functions(im, i, &s);
		path = memory_format("%s/%s", folder, import_list_name(im, i));
		bad = outfile_store(path, s.data, s.n, why);
		free(path);
		free(s.data);
	}
	return bad;
}

/* Write the paths, whose functions are in that folder. */
static int write_paths(const struct import *im, const char *folder, const char *output,
		       struct complaint *why)
{
	struct outfile o;
	struct outfile_stream s;

	if (outfile_open(&o, output, why) < 0)
		return -1;
	outfile_stream_open(&s, &o);
	import_paths(im, folder, s.f);
	if (outfile_stream_close(&s, why) == 0)
		return outfile_close(&o, why);
	outfile_drop(&o);
	return -1;
}

/* Write the functions, and then the paths, which say where those are. */
static int import_write(const struct import *im, const char *output, struct complaint *why)
{
	char *beside = memory_format("%s.nm", output), *folder = NULL;
	int bad = write_functions(im, beside, why);

	if (!bad) {
		folder = realpath(beside, NULL);
		if (!folder)
			bad = complain_errno(why, beside);
	}
	if (!bad)
		bad = write_paths(im, folder, output, why);
	free(folder);
	free(beside);
	return bad;
}

/* Check that there is a file to write: a folder lies beside it. */
static enum option_status check_output(const char *output, struct complaint *why)
{
	if (output && strcmp(output, "-") != 0)
		return OPTION_OK;
	complain(why, "--output and the name of a file expected: a folder is made beside it");
	return OPTION_WRONG;
}

/* Read the file, and write what was read. */
static enum option_status import_file(struct import *im, const struct options *o,
				      const char *path, struct complaint *why)
{
	if (import_read(im, o, path, why) < 0)
		return OPTION_BAD;
	if (import_write(im, o->output, why) < 0)
		return OPTION_BAD;
	return OPTION_OK;
}

/* gnomon import */
int import_main(int argc, char **argv)
{
	struct options o = {.output = NULL};
	struct option_line line = {.table = &table, .options = &o};
	struct import im = {.n = 0};
	enum option_status status = option_read(&line, argc, argv);

	if (status == OPTION_OK)
		status = check_output(o.output, &line.why);
	if (status == OPTION_OK)
		status = import_file(&im, &o, line.operand[0], &line.why);
	import_free(&im);
	return option_end(&line, status);
}
