/*
 * perf.data, which perf itself, Hotspot and others open: see perffile.h. A sample is a path with as
 * many counts as it has; of a time line of ticks it is one of them. Readers find functions and
 * lines in the files of the kernel and of programs, which they know by their build ids.
 */
#include <elf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/export/export.h"
#include "tools/export/perffile.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* What each unit is as an event. */
static const struct perffile_event event[] = {
	[PROFDATA_TICKS] = {"ticks", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	[PROFDATA_INSTRUCTIONS] = {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	[PROFDATA_BYTES] = {"bytes", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	[PROFDATA_CALLS] = {"calls", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	[PROFDATA_MICROSECONDS] = {"wait-us", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	[PROFDATA_EXECUTED] = {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	[PROFDATA_CYCLES] = {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	[PROFDATA_NANOSECONDS] = {"ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
};
_Static_assert(sizeof(event) / sizeof(event[0]) == PROFDATA_NUNITS, "each unit is an event");

/* A process as the last record left it. */
struct process {
	uint32_t pid; /* the key */
	uint32_t image; /* the program in its memory; PROFDATA_NONE: none yet */
	const char *name; /* NULL: none yet */
};

struct writer {
	struct export *x;
	struct perffile file;
	char **path; /* of images: the host's, or else the guest's */
	struct process *process;
	struct distinct known; /* of the processes */
	size_t nprocess, room_process;
	struct perffile_step *step; /* of the current sample, the innermost first */
	size_t room_step;
	uint64_t cut; /* samples with more than PERFFILE_STEPS */
};

/* Return what Linux calls the processor of the images. */
static const char *machine_of(const struct profdata *p)
{
	static const struct {
		unsigned machine, width;
		const char *name;
	} known[] = {
		{EM_386, 4, "i686"}, {EM_X86_64, 8, "x86_64"}, {EM_ARM, 4, "armv7l"},
		{EM_AARCH64, 8, "aarch64"}, {EM_RISCV, 4, "riscv32"}, {EM_RISCV, 8, "riscv64"},
	};
	const struct symbols *s;
	size_t i, k;

	for (i = 0; i < p->nimage; i++) {
		for (k = 0; p->image[i].elf && k < sizeof(known) / sizeof(known[0]); k++) {
			s = &p->image[i].elf->symbols;
			if (s->machine == known[k].machine && s->width == known[k].width)
				return known[k].name;
		}
	}
	return "i686";
}

/* Return what readers look for; the caller frees it. */
static char *path_of(const struct profdata_image *image)
{
	if (image->kernel)
		return memory_string(PERFFILE_KERNEL, strlen(PERFFILE_KERNEL));
	return export_image_file(image);
}

/* Say where the first function of a kernel is. */
static void name_text(struct perffile_text *text, const struct symbols *s)
{
	size_t i = sorted_below(s->sym, s->n, sizeof(*s->sym), text->start);

	text->symbol = "";
	if (i == s->n)
		return;
	text->symbol = s->sym[i].plain;
	text->offset = s->sym[i].start;
}

/* Tell of an image that it is in the memory of a process; of the kernel, in that of all. */
static void put_text(struct writer *w, const struct perffile_moment *at, uint32_t number)
{
	const struct image *elf = w->x->prof.image[number].elf;
	struct perffile_text text = {.path = w->path[number]};

	if (!elf)
		return; /* nobody knows where it is in memory */
	text.kernel = w->x->prof.image[number].kernel;
	text.start = elf->text;
	text.size = elf->etext - elf->text;
	if (text.kernel)
		name_text(&text, &elf->symbols);
	else
		text.offset = image_offset(elf, elf->text);
	perffile_text(&w->file, at, &text);
}

/* Tell the build id of an image. */
static void put_buildid(struct writer *w, uint32_t number)
{
	const struct profdata_image *image = &w->x->prof.image[number];
	const struct perffile_text text = {.kernel = image->kernel, .path = w->path[number]};

	if (image->elf)
		perffile_buildid(&w->file, &text, image->elf->symbols.buildid);
	else
		perffile_buildid(&w->file, &text, image->buildid);
}

/* Begin with what does not depend on processes. */
static void put_images(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	const struct perffile_moment start = {.pid = UINT32_MAX};
	/* for readers that blame a missing one on how they ran */
	const struct perffile_text nowhere = {
		.kernel = true, .path = PERFFILE_KERNEL, .symbol = "_text", .start = UINT64_MAX - 1,
		.size = 1, .offset = UINT64_MAX - 1,
	};
	bool kernel = false;
	uint32_t i;

	w->path = memory_zeroed(p->nimage, sizeof(*w->path));
	for (i = 0; i < p->nimage; i++) {
		w->path[i] = path_of(&p->image[i]);
		if (p->image[i].kernel && p->image[i].elf) {
			put_text(w, &start, i);
			kernel = true;
		}
		put_buildid(w, i);
	}
	if (!kernel)
		perffile_text(&w->file, &start, &nowhere);
}

/* Find or begin a process. */
static struct process *process_of(struct writer *w, uint32_t pid)
{
	struct process new = {.pid = pid, .image = PROFDATA_NONE};
	size_t i = distinct_index(&w->known, w->process, &new, w->nprocess);

	if (i < w->nprocess)
		return &w->process[i];
	w->process = memory_grow(w->process, &w->room_process, i + 1, sizeof(new));
	w->process[i] = new;
	w->nprocess++;
	return &w->process[i];
}

/*
 * Take a sample's steps that are in an image, the innermost first. Return how many; *program is
 * the image of those that are not the kernel's.
 */
static size_t take_steps(struct writer *w, const struct profdata_sample *s, uint32_t *program)
{
	const struct profdata *p = &w->x->prof;
	const struct step *path;
	size_t n, kept = 0;
	uint32_t image;

	path = export_path(w->x, s, &n);
	w->step = memory_grow(w->step, &w->room_step, n, sizeof(*w->step));
	*program = PROFDATA_NONE;
	while (n-- > 0) {
		image = w->x->functions.function[path[n].function].image;
		if (image == PROFDATA_NONE)
			continue;
		if (!p->image[image].kernel)
			*program = image;
		w->step[kept++] = (struct perffile_step){path[n].pc, p->image[image].kernel};
	}
	w->cut += kept > PERFFILE_STEPS;
	return order_min(kept, PERFFILE_STEPS);
}

/* Add a sample, and before it what its process has changed into. */
static void put_sample(struct writer *w, const struct profdata_sample *s,
		       const struct perffile_moment *at, uint64_t period)
{
	struct process *process = process_of(w, at->pid);
	const char *root[2] = {"[unknown]"};
	uint32_t program;
	size_t n = take_steps(w, s, &program);

	export_roots(w->x, s, root);
	if (!process->name)
		perffile_process(&w->file, at);
	if (process->name != root[0]) {
		process->name = root[0];
		perffile_name(&w->file, at, root[0]);
	}
	if (program != PROFDATA_NONE && program != process->image) {
		process->image = program;
		put_text(w, at, program);
	}
	perffile_sample(&w->file, at, period, w->step, n);
}

/* Write the ticks of a time line as they were taken. */
static void put_records(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct timeline_span *span = timeline_spans(p);
	size_t i;

	for (i = 0; i < p->nrecord; i++) {
		struct perffile_moment at = {
			.pid = span[i].pid, .cpu = span[i].cpu, .ns = span[i].begin * 1000,
		};

		if (span[i].sample != PROFDATA_NONE)
			put_sample(w, &p->sample[span[i].sample], &at, 1);
	}
	free(span);
}

/* Write the paths as if one had followed the other, for the time that they took. */
static void put_paths(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct perffile_moment at = {.ns = 0};
	const struct profdata_sample *s;
	double ns = 1000;

	if (p->us > 0)
		ns = p->us * 1000;
	for (s = p->sample; s < p->sample + p->nsample; s++) {
		at.pid = export_thread(p, s);
		put_sample(w, s, &at, s->count);
		at.ns += (uint64_t)((double)s->count * ns);
		progress_add(&w->x->progress, 1);
	}
}

static void free_writer(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->x->prof.nimage; i++)
		free(w->path[i]);
	free(w->path);
	free(w->process);
	distinct_free(&w->known);
	free(w->step);
}

int export_perfdata(struct export *x, FILE *to, struct complaint *why)
{
	const struct profdata *p = &x->prof;
	struct writer w = {.x = x, .known = {.size = sizeof(*w.process), .key = sizeof(uint32_t)}};

	(void)why;
	export_settle(&x->prof);
	perffile_open(&w.file, timeline_of_ticks(p));
	put_images(&w);
	if (p->unit == PROFDATA_TICKS && p->run.all.lost > 0)
		perffile_lost(&w.file, p->run.all.lost);
	if (timeline_of_ticks(p))
		put_records(&w);
	else
		put_paths(&w);
	perffile_write(&w.file, &event[p->unit], machine_of(p), to);
	if (w.cut)
		fprintf(stderr, "gnomon export: %s: of %" PRIu64 " paths perf.data has only the "
			"innermost %d steps\n", x->file, w.cut, PERFFILE_STEPS);
	free_writer(&w);
	return 0;
}
