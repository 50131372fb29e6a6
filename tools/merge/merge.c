/*
 * gnomon-merge(1): several profiles of one kind as one file of that kind. Each file is read by
 * the reader of its kind first, which finds damage; then the bytes themselves are added up, so
 * that nothing which a profile in memory does not hold is lost. Then comes the next file.
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
#include "tools/profile/programs.h"

static const char usage[] =
	"usage: gnomon merge [-w] -o OUT FILE...\n"
	"\n"
	"Adds up profiles of one kind, of one build and with ticks of one length, and writes a\n"
	"file of that kind: kpdata, gmon.out, the call paths of kpstack, kpwait and kpmem,\n"
	"kpcall's durations, or counts of modules (prof -w, cprof -w, mprof -w). FILE is -\n"
	"for the standard input. Any number of files takes as much memory as their sum.\n"
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
static const struct merge_kind *const kinds[] = {
	&merge_kpdata, &merge_gmon, &merge_stacks, &merge_waits, &merge_memory, &merge_modules,
	&merge_calls,
};

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The kinds that are not, and why. */
static const struct {
	const char *format, *why;
} never[] = {
	{"prf", "a log of prf cannot be added to another; prfpr reads them"},
	{"trace", "a time line cannot be added to another: their times are of different starts of "
		  "a machine"},
};

#define NNEVER (sizeof(never) / sizeof(never[0]))

/* The work: files that have been added, and what the others must have in common with them. */
struct work {
	struct merge m;
	char *const *path; /* of all files */
	size_t n, at;	   /* how many, and which one is next */
	bool weigh;	   /* each file is of one CPU: count what that lost, too */
	const struct merge_kind *kind;
	void *sum;
	const char *format; /* of the first file; strings of the readers, as the names of units */
	enum profdata_unit unit;
	unsigned width;
	const char *known; /* the file that tells the kernel's build id; NULL: none has */
	bool *unknown;	   /* by file: it does not tell which kernel it is of */
	struct programs programs; /* that were counted in, as far as it is known which they were */
};

/* Return the length of a tick in words; buf may hold them. */
static const char *merge_period(const struct profdata *p, char buf[32])
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
static int check_kind(const struct work *w, const struct merge_file *f, struct complaint *why)
{
	const struct profdata *p = &f->prof, first = {.us = w->m.us};
	char a[32], b[32];

	if (strcmp(p->format, w->format) != 0)
		return complain(why, "%s: of another kind: it is %s, %s is %s", f->path, p->format,
				w->path[0], w->format);
	if (p->unit != w->unit)
		return complain(why, "%s: of another kind: it counts %s, %s counts %s", f->path,
				profdata_unit_name[p->unit], w->path[0],
				profdata_unit_name[w->unit]);
	if (p->width != w->width)
		return complain(why, "%s: from another kernel or program: its addresses have %u "
				"bits, those of %s have %u", f->path, 8 * p->width, w->path[0],
				8 * w->width);
	if (!profdata_same_tick(p->unit, p->us, w->m.us))
		return complain(why,
				"%s: another rate: a tick is %s, in %s it is %s; they cannot "
				"be added",
				f->path, merge_period(p, a), w->path[0], merge_period(&first, b));
	return 0;
}

/* Check that a file's functions have the addresses that they have in others. */
static int check_addresses(const struct merge_file *f, struct complaint *why)
{
	const struct profdata *p = &f->prof;
	size_t i;

	for (i = 0; i < p->nimage && p->unit == PROFDATA_TICKS; i++)
		if (p->image[i].recorded)
			return complain(why, "%s: from gnomon import, which gives the same "
					"function other addresses in each file; add up "
					"what was imported", f->path);
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

/* Check that a file is of the same kernel as the others, as far as that is known. */
static int check_kernel(struct work *w, const struct merge_file *f, struct complaint *why)
{
	const char *id = kernel_of(&f->prof);

	if (!id || !*id) {
		w->unknown[w->at] = id != NULL;
		return 0;
	}
	if (!w->known) {
		w->known = f->path;
		snprintf(w->m.buildid, sizeof(w->m.buildid), "%s", id);
	}
	if (strcmp(id, w->m.buildid) != 0)
		return complain(why, "%s: from another kernel: its build id is %s, that of %s is "
				"%s", f->path, id, w->known, w->m.buildid);
	return 0;
}

/* Check that a program is the one of that name in the files before. */
static int check_program(struct work *w, const char *path, const struct profdata_image *image,
			 struct complaint *why)
{
	const struct program *before = programs_find(&w->programs, image->name, "");

	if (!before)
		programs_append(&w->programs, image->name, image->buildid, image->file);
	else if (strcmp(before->id, image->buildid) != 0)
		return complain(why, "%s: from another build of %s: its build id is %s, that in "
				"the files before is %s", path, image->name, image->buildid,
				before->id);
	return 0;
}

/* Check the programs that a file has by name, and of which FILE.run tells the builds. */
static int check_programs(struct work *w, const struct merge_file *f, struct complaint *why)
{
	const struct profdata *p = &f->prof;
	int bad = 0;
	size_t i;

	for (i = 0; i < p->nimage && !bad; i++)
		if (p->image[i].noted)
			bad = check_program(w, f->path, &p->image[i], why);
	return bad;
}

/* Begin with the first file. */
static int begin_sum(struct work *w, const struct merge_file *f, struct complaint *why)
{
	size_t i;

	for (i = 0; i < NNEVER; i++)
		if (strcmp(never[i].format, f->prof.format) == 0)
			return complain(why, "%s: %s", f->path, never[i].why);
	for (i = 0; i < NKINDS; i++)
		if (strcmp(kinds[i]->format, f->prof.format) == 0)
			w->kind = kinds[i];
	if (!w->kind)
		return complain(why, "%s: %s cannot be added up", f->path, f->prof.format);
	w->sum = memory_zeroed(1, w->kind->size);
	w->format = f->prof.format;
	w->unit = f->prof.unit;
	w->width = f->prof.width;
	w->m.us = f->prof.us;
	w->m.run = f->prof.run;
	return 0;
}

/* Check that a file fits those before it; the first one says what the others have to be. */
static int check_file(struct work *w, const struct merge_file *f, struct complaint *why)
{
	int bad;

	if (w->at == 0)
		bad = begin_sum(w, f, why);
	else
		bad = check_kind(w, f, why);
	if (!bad)
		bad = check_addresses(f, why);
	if (!bad)
		bad = check_kernel(w, f, why);
	if (bad)
		return bad;
	return check_programs(w, f, why);
}

/* Check a file, and add it to the sum. */
static int add_file(struct work *w, struct merge_file *f, struct complaint *why)
{
	if (check_file(w, f, why) < 0)
		return -1;
	if (w->weigh && merge_find_weight(f, w->path, w->at, why) < 0)
		return -1;
	if (w->at > 0)
		runinfo_add(&w->m.run, &f->prof.run);
	return w->kind->add(w->sum, f, why);
}

/* Read the next file and add it to the sum. */
static int add_next(struct work *w, struct complaint *why)
{
	struct merge_file f = {.path = w->path[w->at]};
	int bad = profread_bytes(f.path, &f.data, &f.n, why);

	if (bad)
		return bad;
	bad = profread_data(&f.prof, f.path, f.data, f.n, why);
	if (!bad) {
		bad = add_file(w, &f, why);
		profdata_free(&f.prof);
	}
	if (!bad && w->kind->add_bytes)
		w->kind->add_bytes(w->sum, &f);
	free(f.data);
	return bad;
}

/* Say which files are only assumed to be of the kernel. */
static void tell_unknown(const struct work *w)
{
	size_t i;

	if (!w->known)
		return;
	for (i = 0; i < w->n; i++)
		if (w->unknown[i])
			fprintf(stderr, "gnomon merge: %s: its kernel's build id is not known; "
				"taken to be that of %s\n", w->path[i], w->known);
}

/* Add up all files. */
static int add_up(struct work *w, struct complaint *why)
{
	for (w->at = 0; w->at < w->n; w->at++)
		if (add_next(w, why) < 0)
			return -1;
	tell_unknown(w);
	if (w->weigh) {
		runinfo_drop_ticks(&w->m.run);
		w->m.run.weighed = 1;
	}
	snprintf(w->m.run.build, sizeof(w->m.run.build), "%s", w->m.buildid);
	return 0;
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

/* Write all of the sum but its name: it may be too long to be kept in memory first. */
static int write_sum(struct work *w, struct outfile *o, const char *path, struct complaint *why)
{
	struct outfile_stream to;

	if (outfile_open(o, path, why) < 0)
		return -1;
	outfile_stream_open(&to, o);
	w->kind->write(w->sum, &w->m, to.f);
	if (outfile_stream_close(&to, why) == 0) {
		if (!w->kind->written || w->kind->written(w->sum, why) == 0)
			return outfile_written(o, why);
	}
	outfile_drop(o);
	return -1;
}

/*
 * Close the sum, and the file that tells how it was counted. Neither takes its name before both
 * have been written.
 */
static int write_both(struct outfile *sum, const char *beside, const struct memory_stream *run,
		      struct complaint *why)
{
	struct outfile about;

	if (write_file(&about, beside, run->data, run->n, why) < 0) {
		outfile_drop(sum);
		return -1;
	}
	if (outfile_close(sum, why) < 0) {
		outfile_drop(&about);
		return -1;
	}
	return outfile_close(&about, why);
}

/* Close the sum, and remove a file beside it, which tells how another one was counted. */
static int write_alone(struct outfile *sum, const char *beside, struct complaint *why)
{
	if (outfile_close(sum, why) < 0)
		return -1;
	if (unlink(beside) < 0 && errno != ENOENT)
		return complain(why, "%s: cannot be removed, and is another's: %s", beside,
				strerror(errno));
	return 0;
}

/*
 * Write the sum, and how it was counted to PATH.run; remove that if nothing is known. A device or
 * a pipe has no file beside it.
 */
static int write_files(struct work *w, const char *path, const struct memory_stream *run,
		       struct complaint *why)
{
	char *beside = memory_format("%s%s", path, RUNINFO_SUFFIX);
	struct outfile sum;
	int bad = write_sum(w, &sum, path, why);

	if (!bad && !sum.temp)
		bad = outfile_close(&sum, why);
	else if (!bad && run->n > 0)
		bad = write_both(&sum, beside, run, why);
	else if (!bad)
		bad = write_alone(&sum, beside, why);
	free(beside);
	return bad;
}

/* Say what the sum lacks. */
static void tell_loss(const struct work *w)
{
	char *loss;

	if (w->unit != PROFDATA_TICKS)
		return;
	loss = runinfo_loss(&w->m.run);
	if (loss)
		fprintf(stderr, "gnomon merge: %s\n", loss);
	free(loss);
}

/* Read, add up and write. OUT is touched last, when everything is known to be good. */
static int merge_files(struct work *w, const char *path, struct complaint *why)
{
	struct memory_stream run;
	int bad = add_up(w, why);

	if (bad)
		return bad;
	memory_stream_open(&run);
	runinfo_print(&w->m.run, run.f);
	programs_print(&w->programs, NULL, 0, run.f);
	memory_stream_close(&run);
	bad = write_files(w, path, &run, why);
	if (!bad)
		tell_loss(w);
	free(run.data);
	return bad;
}

/* Add up the operands. */
static enum option_status merge_operands(struct option_line *l, const struct options *o)
{
	static const char *const expected[] = {"-o OUT", "a profile"};
	struct work w = {.path = l->operand, .n = l->noperand, .weigh = o->weigh};
	enum option_status status = OPTION_OK;

	if (!o->output || w.n == 0) {
		complain(&l->why, "%s expected", expected[o->output != NULL]);
		return OPTION_WRONG;
	}
	w.unknown = memory_zeroed(w.n, sizeof(*w.unknown));
	if (merge_files(&w, o->output, &l->why) < 0)
		status = OPTION_BAD;
	if (w.sum)
		w.kind->free(w.sum);
	free(w.sum);
	programs_free(&w.programs);
	free(w.unknown);
	return status;
}

/* gnomon merge */
int merge_main(int argc, char **argv)
{
	struct options o = {.output = NULL};
	struct option_line line = {.table = &table, .options = &o};
	enum option_status status = option_read(&line, argc, argv);

	if (status == OPTION_OK)
		status = merge_operands(&line, &o);
	return option_end(&line, status);
}
