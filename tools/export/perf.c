/*
 * The text of perf script, which other programs read in place of perf's own files: a line for each
 * sample, then its path, the innermost step first, and an empty line.
 *
 *	sh 3 1.234500: 1 ticks:
 *		        c0100075 sched+0x35 ([kernel.kallsyms])
 *		          400010 main+0x10 (/bin/sh)
 *
 * Lines that begin with # are comments.
 *
 * Most readers count samples, whatever the number before the event's name, the period, says. So a
 * path has as many samples as it has counts, unless these were too many for a text.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/export.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/order.h"

/* The most samples. Of waits there are always more microseconds, so these get by with fewer. */
#define SAMPLES_MOST 100000
#define WAITS_MOST 5000
#define STEPS_MOST 5000000 /* of all samples; paths may be very deep */

/* The name of what each unit counts, as an event of perf's. */
static const char *const event[] = {
	[PROFDATA_TICKS] = "ticks", [PROFDATA_INSTRUCTIONS] = "instructions",
	[PROFDATA_BYTES] = "bytes", [PROFDATA_CALLS] = "calls",
	[PROFDATA_MICROSECONDS] = "wait-us",
	[PROFDATA_EXECUTED] = "instructions",
	[PROFDATA_CYCLES] = "cycles",
	[PROFDATA_NANOSECONDS] = "ns",
};
_Static_assert(sizeof(event) / sizeof(event[0]) == PROFDATA_NUNITS, "each unit is an event");

/* The line of a sample. */
struct moment {
	uint32_t pid;
	uint64_t cpu; /* UINT64_MAX: not known */
	uint64_t us;
	uint64_t period;
};

/* Write a word: without blanks, which end it. */
static void put_word(FILE *to, const char *s)
{
	for (; *s; s++) {
		if ((unsigned char)*s <= ' ')
			putc('_', to);
		else
			putc(*s, to);
	}
}

/* Write a step without an address. */
static void put_name(FILE *to, const char *name)
{
	fprintf(to, "\t%16x ", 0);
	put_word(to, name);
	fputs(" ([unknown])\n", to);
}

/* Return what perf would call an image. */
static const char *image_word(const struct profdata_image *image)
{
	if (image->kernel)
		return "[kernel.kallsyms]";
	if (image->path)
		return image->path;
	return image->name;
}

/* Write a step of a path. */
static void put_step(const struct export *x, const struct step *step, FILE *to)
{
	const struct function *f = &x->functions.function[step->function];

	if (f->image == PROFDATA_NONE) {
		put_name(to, f->name);
		return;
	}
	fprintf(to, "\t%16" PRIx64 " ", step->pc);
	if (f->inlined) {
		put_word(to, f->name);
		fputs(" (inlined)\n", to);
		return;
	}
	if (f->end > 0) {
		put_word(to, f->name);
		fprintf(to, "+0x%" PRIx64, step->pc - f->start);
	} else {
		fputs("[unknown]", to);
	}
	fputs(" (", to);
	put_word(to, image_word(&x->prof.image[f->image]));
	fputs(")\n", to);
}

/* Write a sample. What a process waited for is the step that its path begins with. */
static void put_sample(struct export *x, const struct profdata_sample *s, const struct moment *at,
		       FILE *to)
{
	const char *root[2] = {"[unknown]"};
	const struct step *step;
	size_t n;

	export_roots(x, s, root);
	step = export_path(x, s, &n);
	put_word(to, root[0]);
	fprintf(to, " %" PRIu32 " ", at->pid);
	if (at->cpu != UINT64_MAX)
		fprintf(to, "[%03" PRIu64 "] ", at->cpu);
	fprintf(to, "%" PRIu64 ".%06" PRIu64 ": %" PRIu64 " %s:\n", at->us / 1000000,
		at->us % 1000000, at->period, event[x->prof.unit]);
	while (n-- > 0)
		put_step(x, &step[n], to);
	if (PROFDATA_WAITING & 1u << s->mode)
		put_name(to, profdata_mode_step[s->mode]);
	putc('\n', to);
}

/* Write the samples of a time line as they were taken. */
static void put_records(struct export *x, FILE *to)
{
	struct timeline_span *span = timeline_spans(&x->prof);
	size_t i;

	for (i = 0; i < x->prof.nrecord; i++) {
		struct moment at = {
			.pid = span[i].pid, .cpu = span[i].cpu, .us = span[i].begin, .period = 1,
		};

		if (span[i].sample != PROFDATA_NONE)
			put_sample(x, &x->prof.sample[span[i].sample], &at, to);
	}
	free(span);
}

/*
 * Write a sample for each `period` counts, in the order of the profile. For readers that take what
 * lies between two samples of a process for the length of one, those of each process follow each
 * other, from 0 on. Return how many paths had none.
 */
static size_t put_counts(struct export *x, uint64_t period, FILE *to)
{
	const struct profdata *p = &x->prof;
	uint64_t *number = memory_zeroed(p->nname + p->nimage + 1, sizeof(*number));
	struct moment at = {.cpu = UINT64_MAX, .period = period};
	double us = period;
	const struct profdata_sample *s;
	uint64_t left = period / 2;
	size_t without = 0;

	if (p->us > 0)
		us = period * p->us;
	for (s = p->sample; s < p->sample + p->nsample; s++) {
		uint64_t n = s->count / period + (s->count % period + left) / period;

		left = (s->count % period + left) % period;
		without += n == 0;
		at.pid = export_thread(p, s);
		for (; n > 0; n--) {
			at.us = (uint64_t)((double)number[at.pid]++ * us);
			put_sample(x, s, &at, to);
		}
		progress_add(&x->progress, 1);
	}
	free(number);
	return without;
}

/* Say how much was lost, if that is worth a word. */
static void put_loss(const struct export *x, FILE *to)
{
	char *loss = profdata_loss(&x->prof);

	if (loss)
		fprintf(to, "# %s\n#\n", loss);
	free(loss);
}

/* Return for how many counts a sample stands, so that samples and their steps are not too many. */
static uint64_t period_of(const struct profdata *p)
{
	uint64_t most = SAMPLES_MOST;
	double steps = 0;
	size_t i;

	if (p->unit == PROFDATA_MICROSECONDS)
		most = WAITS_MOST;
	for (i = 0; i < p->nsample; i++)
		steps += (double)p->sample[i].count * p->sample[i].depth;
	return order_max(p->total / (most + 1), (uint64_t)(steps / STEPS_MOST)) + 1;
}

/* A longer period takes samples out evenly, so that shares stay the same, but for rare paths. */
int export_perf(struct export *x, FILE *to, struct complaint *why)
{
	uint64_t period = period_of(&x->prof);
	size_t without;

	(void)why;
	put_loss(x, to);
	if (timeline_of_ticks(&x->prof)) {
		put_records(x, to);
		return 0;
	}
	without = put_counts(x, period, to);
	if (period > 1)
		fprintf(stderr, "gnomon export: %s: a sample stands for %" PRIu64 " %s, and %zu "
			"paths with less are left out\n", x->file, period,
			profdata_unit_name[x->prof.unit], without);
	return 0;
}
