/* What was counted on the lines of the source: see places.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/places.h"
#include "tools/sorted.h"

/* Return the text, or "" in the place of NULL. */
static const char *or_empty(const char *text)
{
	if (!text)
		return "";
	return text;
}

/* For qsort: by file, line, image and function. */
static int compare_places(const void *va, const void *vb)
{
	const struct line_count *a = va, *b = vb;
	int d = strcmp(or_empty(a->file), or_empty(b->file));

	if (d)
		return d;
	if (a->line != b->line)
		return order(a->line, b->line);
	if (a->image != b->image)
		return order(a->image, b->image);
	return strcmp(a->function, b->function);
}

/* For qsort: idle ones last, then the most first. */
static int compare_counts(const void *va, const void *vb)
{
	const struct line_count *a = va, *b = vb;

	if (a->idle != b->idle)
		return order(a->idle, b->idle);
	if (a->count != b->count)
		return order(b->count, a->count);
	return compare_places(va, vb);
}

/* Return what one count of an image is on. */
static struct line_count line_of(struct report *r, uint32_t image, const struct count_at *at)
{
	struct image *elf = r->prof.image[image].elf;
	struct place place = image_line(elf, at->pc);
	uint32_t function = functions_at(&r->functions, image, at->pc);

	return (struct line_count){
		.file = place.file, .dir = place.dir, .line = place.line, .image = image,
		.function = place.function, .count = at->count,
		.runs = at->count, .pc = at->pc,
		.idle = functions_idle(&r->functions.function[function]),
		.shared = coverage_shared(elf, at),
	};
}

/* Add a count to another of the same line. */
static void add_count(void *to, const void *from)
{
	struct line_count *a = to;
	const struct line_count *b = from;

	a->count += b->count;
	a->runs = order_max(a->runs, b->runs);
	a->shared |= b->shared;
}

struct line_count *places_count(struct report *r, const struct counts *all, size_t *n)
{
	struct line_count *line = NULL;
	const struct count_at *at;
	size_t room = 0;
	uint32_t image;

	*n = 0;
	for (image = 0; image < r->prof.nimage; image++) {
		for (at = all[image].at; at < all[image].at + all[image].n; at++) {
			line = memory_grow(line, &room, *n + 1, sizeof(*line));
			line[(*n)++] = line_of(r, image, at);
		}
	}
	*n = sorted_sum(line, *n, sizeof(*line), compare_places, add_count);
	if (*n)
		qsort(line, *n, sizeof(*line), compare_counts);
	return line;
}

/* A line, and its place among all. */
struct ranked {
	struct line_count line;
	uint32_t rank;
};

/* Return the lines in the order of compare_places(). */
static struct ranked *rank_lines(const struct line_count *line, size_t n)
{
	struct ranked *ranked = memory_zeroed(n, sizeof(*ranked));
	size_t i;

	for (i = 0; i < n; i++)
		ranked[i] = (struct ranked){.line = line[i], .rank = (uint32_t)i};
	if (n)
		qsort(ranked, n, sizeof(*ranked), compare_places);
	return ranked;
}

/* Return what was counted from an address of an image on, NULL: nothing. */
static const struct count_at *count_from(const struct counts *c, code_addr pc)
{
	size_t low = 0, high = c->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (c->at[middle].from < pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == c->n || c->at[low].from != pc)
		return NULL;
	return &c->at[low];
}

uint32_t *places_of_frames(struct report *r, const struct counts *all,
			   const struct line_count *line, size_t n)
{
	uint32_t *of = memory_zeroed(r->prof.nframe, sizeof(*of));
	struct ranked *ranked = rank_lines(line, n), *found;
	const struct profdata_frame *frame;
	const struct count_at *at;
	struct line_count wanted;
	size_t i;

	for (i = 0; i < r->prof.nframe; i++) {
		frame = &r->prof.frame[i];
		of[i] = PROFDATA_NONE;
		at = NULL;
		if (frame->image != PROFDATA_NONE)
			at = count_from(&all[frame->image], frame->pc);
		if (!at)
			continue;
		wanted = line_of(r, frame->image, at);
		found = bsearch(&wanted, ranked, n, sizeof(*ranked), compare_places);
		if (found)
			of[i] = found->rank;
	}
	free(ranked);
	return of;
}
