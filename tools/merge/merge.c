/*
 * gnomon-merge(1): several profiles of one kind as one file of that kind. Each file is read by
 * the reader of its kind first, which finds damage; then the bytes themselves are added up, so
 * that nothing which a profile in memory does not hold is lost.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/gnomon.h"
#include "tools/memory.h"
#include "tools/merge/merge.h"
#include "tools/option.h"
#include "tools/outfile.h"
#include "tools/profile/profread.h"

static const char usage[] =
	"usage: gnomon merge [-w] -o OUT FILE...\n"
	"\n"
	"Adds up profiles of one kind, of one build and with ticks of one length, and writes a\n"
	"file of that kind: kpdata, gmon.out, kpstack's call paths, or counts of modules\n"
	"(prof -w, cprof -w, mprof -w). FILE is - for the standard input.\n"
	"\n"
	"  -o, --output OUT  the file to write, which may be one of the others; - for the\n"
	"                    standard output\n"
	"  -w, --weigh       each FILE is gmon.out of the CPU whose number its name ends in, as\n"
	"                    in gmon-3.out; count also what that CPU lost (FILE.run tells)\n"
	"  -h, --help        show this\n"
	"\n"
	"Exit status: 0; 1 a file cannot be read or written, or they do not fit each other, and\n"
	"OUT is as it was; 2 usage.\n";

struct options {
	const char *output;
	bool weigh;
};

static const struct option_row rows[] = {
	{'o', "output", option_text, offsetof(struct options, output)},
	{'w', "weigh", option_flag, offsetof(struct options, weigh)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "merge", .usage = usage, .row = rows, .operands = -1,
};

/* How each kind is added up. */
static const struct {
	const char *format;
	int (*merge)(const struct merge *m, FILE *out, struct complaint *why);
} kinds[] = {
	{"kpdata", merge_kpdata},
	{"gmon.out", merge_gmon},
	{"stacks", merge_stacks},
	{"modules", merge_modules},
};

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Read all files. */
static int read_files(struct merge *m, struct complaint *why)
{
	struct merge_file *f;
	size_t i;

	for (i = 0; i < m->n; i++) {
		f = &m->file[i];
		if (profread_bytes(f->path, &f->data, &f->n, why) < 0 ||
		    profread_data(&f->prof, f->path, f->data, f->n, why) < 0)
			return -1;
	}
	return 0;
}

/* Free what has been read. */
static void free_files(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		free(m->file[i].data);
		profdata_free(&m->file[i].prof);
	}
	free(m->file);
}

/* Return the length of a tick in words; buf may hold them. */
static const char *period(const struct profdata *p, char buf[32])
{
	if (p->us <= 0)
		return "an unknown time";
	snprintf(buf, 32, "%g us", p->us);
	return buf;
}

/*
 * Check that a file is of the first one's kind. Ticks of different lengths could be weighted,
 * but then counts would be rounded, and no count would be a number of samples any more.
 */
static int check_kind(const struct merge_file *first, const struct merge_file *f,
		      struct complaint *why)
{
	const struct profdata *p = &f->prof, *q = &first->prof;
	char a[32], b[32];

	if (strcmp(p->format, q->format) != 0)
		return complain(why, "%s: of another kind: it is %s, %s is %s", f->path, p->format,
				first->path, q->format);
	if (p->unit != q->unit)
		return complain(why, "%s: of another kind: it counts %s, %s counts %s", f->path,
				profdata_unit_name[p->unit], first->path,
				profdata_unit_name[q->unit]);
	if (p->width != q->width)
		return complain(why, "%s: from another kernel or program: its addresses have %u "
				"bits, those of %s have %u", f->path, 8 * p->width, first->path,
				8 * q->width);
	if (p->us != q->us)
		return complain(why, "%s: another rate: a tick is %s, in %s it is %s; they cannot "
				"be added", f->path, period(p, a), first->path, period(q, b));
	return 0;
}

/*
 * Return the build id of the kernel that was counted in, "" if it is not known; NULL: none was.
 * Those of programs are compared by the one format that has them, in modules.c.
 */
static const char *kernel_of(const struct profdata *p)
{
	size_t i;

	for (i = 0; i < p->nimage; i++)
		if (p->image[i].kernel)
			return p->image[i].buildid;
	return NULL;
}

/* Check that all are of one kernel, as far as that is known, and note which one. */
static int check_kernel(struct merge *m, struct complaint *why)
{
	const struct merge_file *known = NULL;
	const char *id;
	size_t i;

	for (i = 0; i < m->n; i++) {
		id = kernel_of(&m->file[i].prof);
		if (!id || !*id)
			continue;
		if (!known) {
			known = &m->file[i];
			m->buildid = id;
		} else if (strcmp(id, m->buildid) != 0) {
			return complain(why, "%s: from another kernel: its build id is %s, that "
					"of %s is %s", m->file[i].path, id, known->path,
					m->buildid);
		}
	}
	for (i = 0; i < m->n && known; i++) {
		id = kernel_of(&m->file[i].prof);
		if (id && !*id)
			fprintf(stderr, "gnomon merge: %s: its kernel's build id is not known; "
				"taken to be that of %s\n", m->file[i].path, known->path);
	}
	return 0;
}

/* Add up how the files were counted. */
static void add_runs(struct merge *m)
{
	const struct merge_file *f;

	m->run = m->file[0].prof.run;
	for (f = m->file + 1; f < m->file + m->n; f++)
		runinfo_add(&m->run, &f->prof.run);
	if (m->weigh) {
		runinfo_drop_ticks(&m->run);
		m->run.weighed = 1;
	}
	snprintf(m->run.build, sizeof(m->run.build), "%s", m->buildid);
}

/* Check that the files fit each other, and add them up in the way of their kind. */
static int add_up(struct merge *m, FILE *out, struct complaint *why)
{
	const char *format = m->file[0].prof.format;
	size_t i;

	for (i = 1; i < m->n; i++)
		if (check_kind(&m->file[0], &m->file[i], why) < 0)
			return -1;
	if (check_kernel(m, why) < 0 || (m->weigh && merge_find_weights(m, why) < 0))
		return -1;
	add_runs(m);
	for (i = 0; i < NKINDS; i++)
		if (strcmp(kinds[i].format, format) == 0)
			return kinds[i].merge(m, out, why);
	return complain(why, "%s: a log of prf cannot be added to another; prfpr reads them",
			m->file[0].path);
}

/* Write all of a file but its name, which outfile_close() gives it. */
static int write_file(struct outfile *o, const char *path, const void *data, size_t n,
		      struct complaint *why)
{
	if (outfile_open(o, path, why) < 0)
		return -1;
	if (outfile_write(o, data, n, why) == 0)
		return outfile_written(o, why);
	outfile_drop(o);
	return -1;
}

/*
 * Write the sum, and how it was counted to PATH.run; remove that if nothing is known. Neither file
 * takes its name before both have been written. A device or a pipe has no file beside it.
 */
static int write_files(const char *path, const struct memory_stream *data,
		       const struct memory_stream *run, struct complaint *why)
{
	char *beside = memory_format("%s%s", path, RUNINFO_SUFFIX);
	struct outfile sum, about = {.fd = -1};
	int bad = write_file(&sum, path, data->data, data->n, why);
	bool file = !bad && sum.temp;

	if (file && run->n && write_file(&about, beside, run->data, run->n, why) < 0) {
		outfile_drop(&sum);
		bad = -1;
	}
	if (!bad)
		bad = outfile_close(&sum, why);
	if (bad)
		outfile_drop(&about);
	else if (file && run->n)
		bad = outfile_close(&about, why);
	else if (file && unlink(beside) < 0 && errno != ENOENT)
		bad = complain(why, "%s: cannot be removed, and is another's: %s", beside,
			       strerror(errno));
	free(beside);
	return bad;
}

/* Say what the sum lacks. */
static void tell_loss(const struct merge *m)
{
	char *loss = m->file[0].prof.unit == PROFDATA_TICKS ? runinfo_loss(&m->run) : NULL;

	if (loss)
		fprintf(stderr, "gnomon merge: %s\n", loss);
	free(loss);
}

/* Read, add up and write. OUT is touched last, when everything is known to be good. */
static int merge(struct merge *m, const char *path, struct complaint *why)
{
	struct memory_stream out, run;
	int bad = read_files(m, why);

	memory_stream_open(&out);
	memory_stream_open(&run);
	if (!bad)
		bad = add_up(m, out.f, why);
	if (!bad)
		runinfo_print(&m->run, run.f);
	memory_stream_close(&out);
	memory_stream_close(&run);
	if (!bad)
		bad = write_files(path, &out, &run, why);
	if (!bad)
		tell_loss(m);
	free(out.data);
	free(run.data);
	return bad;
}

/* Add up the operands. */
static enum option_status merge_operands(struct option_line *l, const struct options *o)
{
	struct merge m = {.buildid = "", .n = l->noperand, .weigh = o->weigh};
	size_t i;
	int bad;

	if (!o->output || m.n == 0) {
		complain(&l->why, "%s expected", o->output ? "a profile" : "-o OUT");
		return OPTION_WRONG;
	}
	m.file = memory_zeroed(m.n, sizeof(*m.file));
	for (i = 0; i < m.n; i++) {
		m.file[i].path = l->operand[i];
		profdata_init(&m.file[i].prof, "", PROFDATA_TICKS);
	}
	bad = merge(&m, o->output, &l->why);
	free_files(&m);
	return bad ? OPTION_BAD : OPTION_OK;
}

/* gnomon merge */
int merge_main(int argc, char **argv)
{
	struct options o = {.output = NULL};
	struct option_line line = {.table = &table, .options = &o};
	enum option_status status = option_read(&line, argc, argv);

	return option_end(&line, status ? status : merge_operands(&line, &o));
}
