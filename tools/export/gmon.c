/* gmon.out of one image of a profile, for gprof: gmon(5). Of a path it has only the end. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "tools/export/export.h"
#include "tools/memory.h"
#include "tools/profile/gmonfile.h"

#define CELL 4u /* bytes of text that a cell counts for, as in the kernel's */
#define TEXT_MOST (1u << 26) /* bytes; a program of GMON_MOST has less */

/* Note that an image is in the profile. -1 and why: it is the second one. */
static int note_image(const struct profdata *p, uint32_t *only, uint32_t image,
		      struct complaint *why)
{
	if (image == PROFDATA_NONE)
		return 0;
	if (*only == image)
		return 0;
	if (*only != PROFDATA_NONE)
		return complain(why, "gmon.out is of one program, and this is of %s and %s; choose "
				"one with --module", p->image[*only].name, p->image[image].name);
	*only = image;
	return 0;
}

/* Find the image that all of the profile is in. -1 and why: there are several, or none. */
static int find_image(const struct profdata *p, uint32_t *image, struct complaint *why)
{
	const struct profdata_frame *leaf;
	size_t i;

	*image = PROFDATA_NONE;
	for (i = 0; i < p->nsample; i++) {
		leaf = profdata_leaf(p, &p->sample[i]);
		if (leaf && note_image(p, image, leaf->image, why) < 0)
			return -1;
	}
	for (i = 0; i < p->narc && *image == PROFDATA_NONE; i++)
		*image = p->arc[i].image;
	if (*image == PROFDATA_NONE)
		return complain(why, "gmon.out holds ticks by address, and of these no address is "
				"known");
	if (!p->image[*image].elf)
		return complain(why, "there is no file of %s; give it with --image",
				p->image[*image].name);
	return 0;
}

/* Find the ticks per second, which must be a whole number to within 0.01 %. */
static int find_rate(const struct profdata *p, uint32_t *rate, struct complaint *why)
{
	double hz;
	bool in_range;

	if (p->unit != PROFDATA_TICKS)
		return complain(why, "gmon.out holds ticks, not %s", profdata_unit_name[p->unit]);
	if (p->us <= 0)
		return complain(why, "gmon.out needs the length of a tick, which is not known");
	hz = 1e6 / p->us;
	in_range = hz >= 0.5 && hz <= INT32_MAX;
	*rate = (uint32_t)lround(hz);
	if (!in_range || fabs(hz / *rate - 1) > 1e-4)
		return complain(why, "gmon.out needs a whole number of ticks a second, and a tick "
				"is %g us", p->us);
	return 0;
}

/* The range of text that has cells. */
struct cells {
	code_addr lo;
	size_t size;	 /* bytes */
	uint32_t *count; /* size / CELL of them */
	uint64_t missed; /* ticks that are not in the range */
};

/* Return the cell of an address, NULL for none. */
static uint32_t *cell_of(const struct cells *cells, const struct profdata_frame *leaf)
{
	if (!leaf)
		return NULL;
	if (leaf->pc < cells->lo)
		return NULL;
	if (leaf->pc - cells->lo >= cells->size)
		return NULL;
	return &cells->count[(leaf->pc - cells->lo) / CELL];
}

/* Count all samples in cells. -1 and why: a cell is full. */
static int count_samples(struct cells *cells, const struct profdata *p, struct complaint *why)
{
	uint32_t *c;
	size_t i;

	for (i = 0; i < p->nsample; i++) {
		c = cell_of(cells, profdata_leaf(p, &p->sample[i]));
		if (!c) {
			cells->missed += p->sample[i].count;
			continue;
		}
		if (p->sample[i].count > UINT32_MAX - *c)
			return complain(why, "gmon.out cannot hold more than %" PRIu32 " ticks at "
					"one place", UINT32_MAX);
		*c += (uint32_t)p->sample[i].count;
	}
	return 0;
}

/* Write the calls of one image. gprof reads a count as a signed number. */
static void put_arcs(struct gmonfile *f, const struct profdata *p, uint32_t image)
{
	const struct profdata_arc *a;

	for (a = p->arc; a < p->arc + p->narc; a++)
		if (a->image == image)
			gmonfile_arc(f, a->frompc, a->selfpc, a->count, INT32_MAX);
}

/* Say what the file has no place for. */
static void tell_missing(const struct export *x, uint64_t missed)
{
	if (x->prof.has_paths)
		fprintf(stderr, "gnomon export: %s: gmon.out has no call paths; only their ends "
			"are in it\n", x->file);
	if (missed)
		fprintf(stderr, "gnomon export: %s: gmon.out has no place for %" PRIu64 " ticks "
			"outside of the program's text\n", x->file, missed);
}

int export_gmon(struct export *x, FILE *to, struct complaint *why)
{
	const struct profdata *p = &x->prof;
	struct gmonfile f = {.to = to};
	struct cells cells = {.missed = 0};
	const struct image *elf;
	uint32_t image;

	if (find_rate(p, &f.rate, why) < 0 || find_image(p, &image, why) < 0)
		return -1;
	elf = p->image[image].elf;
	f.width = elf->symbols.width;
	cells.lo = elf->text & ~(code_addr)(CELL - 1);
	if (elf->etext - cells.lo > TEXT_MOST)
		return complain(why, "%s has more than %u bytes of text", elf->path, TEXT_MOST);
	cells.size = (elf->etext - cells.lo + CELL - 1) & ~(size_t)(CELL - 1);
	cells.count = memory_zeroed(cells.size / CELL, sizeof(*cells.count));
	if (count_samples(&cells, p, why) < 0) {
		free(cells.count);
		return -1;
	}
	gmonfile_head(&f);
	gmonfile_ticks(&f, cells.lo, cells.count, cells.size / CELL);
	free(cells.count);
	put_arcs(&f, p, image);
	if (gmonfile_check(&f, why) < 0)
		return -1;
	tell_missing(x, cells.missed);
	return 0;
}
