/* A profile's paths, names and facts as exports show them: see export.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/export.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/profile/coverage.h"

/* For qsort_r: by the image of the frame whose number is in place of a count, then by address. */
static int compare_addresses(const void *va, const void *vb, void *frames)
{
	const struct count_at *a = va, *b = vb;
	const struct profdata_frame *frame = frames;

	if (frame[a->count].image != frame[b->count].image)
		return order(frame[a->count].image, frame[b->count].image);
	return order(a->pc, b->pc);
}

/*
 * Gather the frames whose instruction is not known yet, each with its number in place of a count.
 * A call has at least two bytes, so the two before a return address are in it.
 */
static void gather_frames(const struct profdata *p, struct counts *c)
{
	const struct profdata_frame *frame;
	struct count_at at;
	size_t i;

	for (i = 0; i < p->nframe; i++) {
		frame = &p->frame[i];
		if (frame->image == PROFDATA_NONE)
			continue;
		if (frame->span == 1)
			continue;
		at = (struct count_at){.pc = frame->pc, .span = frame->span, .count = i};
		if (frame->span == 0) {
			at.pc -= 2;
			at.span = 2;
		}
		c->at[c->n++] = at;
	}
}

/* Return how many of the frames from `at` on are of the image of the first one. */
static size_t frames_alike(const struct profdata *p, const struct count_at *at,
			   const struct count_at *end)
{
	uint32_t image = p->frame[at->count].image;
	size_t n = 1;

	while (at + n < end && p->frame[at[n].count].image == image)
		n++;
	return n;
}

/* All frames of an image are settled at once, in the order of their addresses. */
void export_settle(struct profdata *p)
{
	struct counts all = {.at = memory_zeroed(p->nframe, sizeof(*all.at))}, c;
	const struct count_at *at;
	struct image *elf;

	gather_frames(p, &all);
	qsort_r(all.at, all.n, sizeof(*all.at), compare_addresses, p->frame);
	for (c.at = all.at; c.at < all.at + all.n; c.at += c.n) {
		c.n = frames_alike(p, c.at, all.at + all.n);
		elf = p->image[p->frame[c.at->count].image].elf;
		if (elf)
			coverage_settle(elf, &c);
	}
	for (at = all.at; at < all.at + all.n; at++)
		if (at->span == 1)
			p->frame[at->count].pc = at->pc + !p->frame[at->count].span;
	free(all.at);
}

/* A return address is that of the instruction after the call. */
code_addr export_address(const struct step *step, bool last)
{
	if (last || step->pc == 0)
		return step->pc;
	return step->pc - 1;
}

uint32_t export_pid(const struct profdata_sample *s)
{
	if (s->process == PROFDATA_NONE)
		return 0;
	return s->process + 1;
}

uint32_t export_thread(const struct profdata *p, const struct profdata_sample *s)
{
	const struct profdata_frame *leaf = profdata_leaf(p, s);

	if (s->process != PROFDATA_NONE && s->mode == PROFDATA_IDLE)
		return 0;
	if (s->process != PROFDATA_NONE)
		return export_pid(s);
	if (!leaf)
		return 0;
	if (leaf->image == PROFDATA_NONE)
		return 0;
	return leaf->image + 1;
}

/* Note the file that an inlined function is in, when it is first met. */
static void note_origin(struct export *x, const struct step *step)
{
	struct export_origin *o;

	x->origin = memory_grow_zeroed(x->origin, &x->room_origin, step->function + 1, sizeof(*o));
	o = &x->origin[step->function];
	if (!o->known)
		*o = (struct export_origin){.known = true, .file = step->file};
}

/* An inlined step's place is in its own function; the step around it has that of the call. */
const struct step *export_path(struct export *x, const struct profdata_sample *s, size_t *n)
{
	const struct step *step = functions_path(&x->functions, s, n);
	size_t i, kept = 0;

	x->path = memory_grow(x->path, &x->room_path, *n, sizeof(*x->path));
	for (i = 0; i < *n; i++) {
		bool inlined = x->functions.function[step[i].function].inlined;

		if (inlined)
			note_origin(x, &step[i]);
		if (!inlined || x->options.inlined)
			x->path[kept++] = step[i];
	}
	*n = kept;
	return x->path;
}

/* A sample without an address has its mode as its only step, so the mode is no root then. */
size_t export_roots(const struct export *x, const struct profdata_sample *s, const char *root[2])
{
	const struct profdata_frame *leaf = profdata_leaf(&x->prof, s);
	size_t n = 0;

	if (s->process != PROFDATA_NONE) {
		root[n++] = x->prof.name[s->process];
		if (leaf)
			root[n++] = profdata_mode_step[s->mode];
	} else if (leaf && leaf->image != PROFDATA_NONE) {
		root[n++] = x->prof.image[leaf->image].name;
	}
	return n;
}

/* With the image, unknown functions of two images are not taken for one. */
const char *export_name(const struct export *x, uint32_t function, char *buf, size_t n)
{
	const struct function *f = &x->functions.function[function];

	if (strcmp(f->name, "?") != 0)
		return f->name;
	if (f->image == PROFDATA_NONE)
		return f->name;
	snprintf(buf, n, "%s:?", x->prof.image[f->image].name);
	return buf;
}

/* The outermost place of its first instruction is the function's own. */
struct export_origin export_origin(struct export *x, uint32_t function)
{
	const struct function *f = &x->functions.function[function];
	struct place place[IMAGE_PLACES];
	struct step step = {.function = function};
	size_t n;

	note_origin(x, &step);
	if (x->origin[function].file || f->inlined || f->end == 0)
		return x->origin[function];
	n = image_places(x->prof.image[f->image].elf, f->start, place);
	x->origin[function].file = place[n - 1].file;
	x->origin[function].line = place[n - 1].line;
	return x->origin[function];
}

/* Say how often in which mode. */
static void mode_facts(const struct profdata *p, void (*say)(void *arg, const char *fact),
		       void *arg)
{
	char fact[128];
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++) {
		if (!p->by_mode[i])
			continue;
		snprintf(fact, sizeof(fact), "%s: %" PRIu64 " %s", profdata_mode_name[i],
			 p->by_mode[i], profdata_unit_name[p->unit]);
		say(arg, fact);
	}
}

/* What was counted, how long a tick is, how often in which mode, and what is missing. */
void export_facts(const struct export *x, void (*say)(void *arg, const char *fact), void *arg)
{
	const struct profdata *p = &x->prof;
	char fact[512], *loss, *shown = printable(x->file);

	snprintf(fact, sizeof(fact), "file: %s (%s)", shown, p->format);
	free(shown);
	say(arg, fact);
	if (p->us > 0 && p->unit == PROFDATA_TICKS)
		snprintf(fact, sizeof(fact), "total: %" PRIu64 " ticks of %g us", p->total, p->us);
	else
		snprintf(fact, sizeof(fact), "total: %" PRIu64 " %s", p->total,
			 profdata_unit_name[p->unit]);
	say(arg, fact);
	if (profdata_is_time(p))
		mode_facts(p, say, arg);
	snprintf(fact, sizeof(fact), "left out: %" PRIu64 " calls in the kernel", p->calls);
	if (p->calls)
		say(arg, fact);
	loss = profdata_loss(p);
	if (loss)
		say(arg, loss);
	free(loss);
}

char *export_image_file(const struct profdata_image *image)
{
	const char *guest = image->name;
	char *host = NULL;

	if (image->elf)
		host = realpath(image->elf->path, NULL);
	if (host)
		return host;
	if (image->path)
		guest = image->path;
	return memory_string(guest, strlen(guest));
}
