/* A profile in memory: see profdata.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/profile/profdata.h"

#define CALIBRATED 0.001 /* how well a boot finds out the rate of its clock: 1 part of 1000 */

const char *const profdata_unit_name[] = {
	[PROFDATA_TICKS] = "ticks",
	[PROFDATA_INSTRUCTIONS] = "instructions",
	[PROFDATA_BYTES] = "bytes",
	[PROFDATA_CALLS] = "calls",
	[PROFDATA_MICROSECONDS] = "us",
	[PROFDATA_EXECUTED] = "instructions",
	[PROFDATA_CYCLES] = "cycles",
	[PROFDATA_NANOSECONDS] = "nanoseconds",
};

_Static_assert(sizeof(profdata_unit_name) / sizeof(profdata_unit_name[0]) == PROFDATA_NUNITS,
	       "each unit has a name");

const char *const profdata_mode_name[] = {
	[PROFDATA_KERNEL] = "kernel",
	[PROFDATA_INTERRUPT] = "interrupt",
	[PROFDATA_USER] = "user",
	[PROFDATA_IDLE] = "idle",
	[PROFDATA_OUTSIDE] = "outside",
	[PROFDATA_IN_USE] = "in_use",
	[PROFDATA_FREED] = "freed",
	[PROFDATA_PIPE] = "pipe",
	[PROFDATA_SLEEP] = "sleep",
	[PROFDATA_CHILD] = "child",
	[PROFDATA_LOCK] = "lock",
	[PROFDATA_DEVICE] = "device",
	[PROFDATA_READY] = "ready",
	[PROFDATA_NPATH] = "overflow",
};

const char *const profdata_mode_step[PROFDATA_NMODES] = {
	[PROFDATA_KERNEL] = "[kernel]",
	[PROFDATA_INTERRUPT] = "[interrupt]",
	[PROFDATA_USER] = "[user]",
	[PROFDATA_IDLE] = "[idle]",
	[PROFDATA_OUTSIDE] = "[outside]",
	[PROFDATA_IN_USE] = "[in_use]",
	[PROFDATA_FREED] = "[freed]",
	[PROFDATA_PIPE] = "[pipe]",
	[PROFDATA_SLEEP] = "[sleep]",
	[PROFDATA_CHILD] = "[child]",
	[PROFDATA_LOCK] = "[lock]",
	[PROFDATA_DEVICE] = "[device]",
	[PROFDATA_READY] = "[ready]",
	[PROFDATA_NPATH] = "[overflow]",
};

void profdata_init(struct profdata *p, const char *format, enum profdata_unit unit)
{
	const struct profdata_frame *frame;

	*p = (struct profdata){
		.format = format, .unit = unit,
		.known = {.size = sizeof(*frame), .key = sizeof(*frame)},
	};
}

void profdata_free(struct profdata *p)
{
	size_t i;

	for (i = 0; i < p->nimage; i++) {
		free(p->image[i].name);
		free(p->image[i].path);
		free(p->image[i].file);
	}
	for (i = 0; i < p->nname; i++)
		free(p->name[i]);
	free(p->image);
	free(p->frame);
	free(p->path);
	distinct_free(&p->known);
	texts_free(&p->known_names);
	texts_free(&p->known_images);
	free(p->sample);
	free(p->memory);
	free(p->arc);
	free(p->name);
	free(p->record);
	free(p->on);
	free(p->ambiguous);
	free(p->reach);
	free(p->woken);
	for (i = 0; i < p->nmark; i++)
		free(p->mark[i].text);
	free(p->mark);
	calls_free(&p->timed);
	profdata_init(p, p->format, p->unit);
}

/* A build id is hexadecimal, so the text has no other meaning. */
uint32_t profdata_image(struct profdata *p, const char *name, const char *path,
			const char *buildid, bool kernel)
{
	char *key = memory_format("%d:%s:%s", kernel, buildid, name);
	size_t i = texts_number(&p->known_images, key, strlen(key));
	struct profdata_image *image;

	free(key);
	if (i < p->nimage)
		return i;
	p->image = memory_grow(p->image, &p->room_image, p->nimage + 1, sizeof(*p->image));
	image = &p->image[p->nimage];
	*image = (struct profdata_image){
		.name = printable(name),
		.kernel = kernel,
	};
	if (path)
		image->path = memory_string(path, strlen(path));
	strncat(image->buildid, buildid, sizeof(image->buildid) - 1);
	return p->nimage++;
}

uint32_t profdata_name(struct profdata *p, const char *name, size_t n)
{
	size_t i = texts_number(&p->known_names, name, n);

	if (i < p->nname)
		return i;
	p->name = memory_grow(p->name, &p->room_name, p->nname + 1, sizeof(*p->name));
	p->name[p->nname] = printable(p->known_names.text[i].text);
	return p->nname++;
}

/* Append a frame, without a look whether there is such a one. Return its index. */
static uint32_t add_frame(struct profdata *p, const struct profdata_frame *frame)
{
	p->frame = memory_grow(p->frame, &p->room_frame, p->nframe + 1, sizeof(*p->frame));
	p->frame[p->nframe] = *frame;
	return p->nframe++;
}

/* Append a sample with room for its path, and count it. Return where the path is to be put. */
static uint32_t *add_sample(struct profdata *p, const struct profdata_sample *like, size_t depth)
{
	struct profdata_sample *s;

	p->sample = memory_grow(p->sample, &p->room_sample, p->nsample + 1, sizeof(*p->sample));
	p->path = memory_grow(p->path, &p->room_path, p->npath + depth, sizeof(*p->path));
	s = &p->sample[p->nsample++];
	*s = *like;
	s->path = p->npath;
	s->depth = depth;
	p->npath += depth;
	p->total += s->count;
	p->by_mode[s->mode] += s->count;
	p->has_paths |= depth > 1;
	return p->path + s->path;
}

void profdata_add(struct profdata *p, const struct profdata_sample *like,
		  const struct profdata_frame *frame, size_t depth)
{
	size_t over = depth - order_min(depth, UINT16_MAX), i, at;
	struct profdata_frame key;
	uint32_t *path;

	if (like->count == 0)
		return;
	path = add_sample(p, like, depth - over);
	p->sample[p->nsample - 1].cut |= over > 0;
	for (i = over; i < depth; i++) {
		key = frame[i];
		if (i + 1 == depth)
			key.span = (uint32_t)order_max(key.span, 1);
		at = distinct_index(&p->known, p->frame, &key, p->nframe);
		if (at == p->nframe)
			at = add_frame(p, &key);
		*path++ = (uint32_t)at;
	}
}

void profdata_more(struct profdata *p, uint32_t sample, uint64_t count)
{
	p->sample[sample].count += count;
	p->total += count;
	p->by_mode[p->sample[sample].mode] += count;
}

/* The frame is not looked for: those who add counts by address have each address once. */
static struct profdata_sample *add_pc(struct profdata *p, uint32_t image, code_addr pc,
				      uint32_t span, uint64_t count)
{
	struct profdata_sample like = {
		.count = count, .mode = PROFDATA_KERNEL, .process = PROFDATA_NONE,
	};
	uint32_t *path;

	if (image != PROFDATA_NONE && !p->image[image].kernel)
		like.mode = PROFDATA_USER;
	path = add_sample(p, &like, 1);
	*path = add_frame(p, &(struct profdata_frame){.pc = pc, .image = image, .span = span});
	return &p->sample[p->nsample - 1];
}

void profdata_add_pc(struct profdata *p, uint32_t image, code_addr pc, uint32_t span,
		     uint64_t count)
{
	if (count > 0)
		add_pc(p, image, pc, span, count);
}

void profdata_add_memory(struct profdata *p, uint32_t image, code_addr pc, uint64_t bytes,
			 const struct profdata_memory *memory)
{
	p->memory = memory_grow(p->memory, &p->room_memory, p->nmemory + 1, sizeof(*p->memory));
	p->memory[p->nmemory++] = *memory;
	add_pc(p, image, pc, 1, bytes)->memory = (uint32_t)p->nmemory;
}

bool *profdata_used_images(const struct profdata *p)
{
	bool *used = memory_zeroed(p->nimage, sizeof(*used));
	size_t i;

	for (i = 0; i < p->nframe; i++)
		if (p->frame[i].image != PROFDATA_NONE)
			used[p->frame[i].image] = true;
	for (i = 0; i < p->narc; i++)
		if (p->arc[i].image != PROFDATA_NONE)
			used[p->arc[i].image] = true;
	return used;
}

bool profdata_has_memory(const struct profdata *p)
{
	return p->nmemory > 0 || strcmp(p->format, "memory") == 0;
}

struct profdata_memory profdata_memory_of(const struct profdata *p,
					  const struct profdata_sample *s)
{
	if (s->memory > 0)
		return p->memory[s->memory - 1];
	if (p->nmemory > 0)
		return (struct profdata_memory){.blocks = 0};
	return (struct profdata_memory){.total = s->count, .allocated = s->times};
}

void profdata_add_mode(struct profdata *p, enum profdata_mode mode, uint64_t count)
{
	profdata_add(p, &(struct profdata_sample){
				.count = count, .mode = mode, .process = PROFDATA_NONE,
			}, NULL, 0);
}

void profdata_add_arc(struct profdata *p, const struct profdata_arc *arc)
{
	if (arc->count == 0)
		return;
	p->arc = memory_grow(p->arc, &p->room_arc, p->narc + 1, sizeof(*p->arc));
	p->arc[p->narc++] = *arc;
}

bool profdata_same_tick(enum profdata_unit unit, double us, double other_us)
{
	if (unit == PROFDATA_CYCLES)
		return fabs(us - other_us) < CALIBRATED * us;
	return us == other_us;
}

double profdata_ms(const struct profdata *p, uint64_t ticks)
{
	return ticks * p->us / 1000;
}

char *profdata_loss(const struct profdata *p)
{
	if (p->unit != PROFDATA_TICKS)
		return NULL;
	return runinfo_loss(&p->run);
}

/* A period that is a whole number of microseconds is printed as one. */
void profdata_print(const struct profdata *p, const char *file)
{
	char *shown = printable(file);
	int decimals = 2;

	printf("%s: %s, %" PRIu64 " %s", shown, p->format, p->total, profdata_unit_name[p->unit]);
	free(shown);
	if (p->us <= 0)
		return;
	if (p->us == (uint32_t)p->us)
		decimals = 0;
	if (p->unit == PROFDATA_TICKS)
		printf(" of %.*f us", decimals, p->us);
	printf(", %.2f ms", profdata_ms(p, p->total));
}

/* Give the records the samples' new numbers, where PROFDATA_NONE is one that is gone. */
static void profdata_renumber(struct profdata *p, const uint32_t *to)
{
	size_t i, n = 0;

	for (i = 0; i < p->nrecord; i++) {
		struct profdata_record r = p->record[i];

		if (r.sample != PROFDATA_NONE) {
			r.sample = to[r.sample];
			if (r.sample == PROFDATA_NONE)
				continue;
		}
		p->record[n++] = r;
	}
	p->nrecord = n;
}

/* Frames stay where they are, for samples refer to them by index. Sums are made anew. */
void profdata_filter(struct profdata *p, bool (*keep)(const struct profdata *p,
						      const struct profdata_sample *s, void *arg),
		     void *arg)
{
	uint32_t *to = memory_zeroed(p->nsample + 1, sizeof(*to));
	size_t i, n = 0;

	memset(p->by_mode, 0, sizeof(p->by_mode));
	p->total = 0;
	p->has_paths = false;
	for (i = 0; i < p->nsample; i++) {
		to[i] = PROFDATA_NONE;
		if (!keep(p, &p->sample[i], arg))
			continue;
		to[i] = n;
		p->total += p->sample[i].count;
		p->by_mode[p->sample[i].mode] += p->sample[i].count;
		p->has_paths |= p->sample[i].depth > 1;
		p->sample[n++] = p->sample[i];
	}
	p->nsample = n;
	profdata_renumber(p, to);
	free(to);
}

/* For profdata_filter(): whether some record is of that sample. */
static bool is_used(const struct profdata *p, const struct profdata_sample *s, void *used)
{
	return ((const bool *)used)[s - p->sample];
}

bool profdata_is_off(const struct profdata *p, const struct profdata_record *r)
{
	if (r->pid != 0 || r->sample != PROFDATA_NONE)
		return false;
	return strcmp(p->name[r->process], "off") == 0;
}

size_t profdata_cpu_end(const struct profdata *p, size_t first)
{
	size_t end = first;

	while (end < p->nrecord && p->record[end].cpu == p->record[first].cpu)
		end++;
	return end;
}

/*
 * What a record counts: itself as a tick, or, in a time line of functions, what ran up to the CPU's
 * next record.
 */
static uint64_t record_count(const struct profdata *p, size_t i)
{
	const struct profdata_record *r = &p->record[i];

	if (!profdata_of_functions(p))
		return 1;
	if (i + 1 == p->nrecord || r[1].cpu != r->cpu)
		return 0;
	return r[1].us - r->us;
}

void profdata_recount(struct profdata *p, size_t n)
{
	bool *used = memory_zeroed(p->nsample + 1, sizeof(*used));
	uint32_t at;
	size_t i;

	p->nrecord = n;
	for (i = 0; i < p->nsample; i++)
		p->sample[i].count = 0;
	for (i = 0; i < n; i++) {
		at = p->record[i].sample;
		if (at == PROFDATA_NONE)
			continue;
		used[at] = true;
		p->sample[at].count += record_count(p, i);
	}
	profdata_filter(p, is_used, used);
	free(used);
}

/* Such samples become OUTSIDE and lose their addresses. */
void profdata_sum_outside(struct profdata *p)
{
	const struct profdata_frame *leaf;
	struct profdata_sample *s;

	for (s = p->sample; s < p->sample + p->nsample; s++) {
		bool outside = s->mode == PROFDATA_USER;

		leaf = profdata_leaf(p, s);
		if (leaf)
			outside = !p->image[leaf->image].kernel;
		if (!outside)
			continue;
		p->by_mode[s->mode] -= s->count;
		p->by_mode[PROFDATA_OUTSIDE] += s->count;
		s->mode = PROFDATA_OUTSIDE;
		s->depth = 0;
		s->cut = false;
	}
}

/* For profdata_filter(): whether a sample is in a program. */
static bool in_program(const struct profdata *p, const struct profdata_sample *s, void *unused)
{
	(void)p;
	(void)unused;
	return s->mode == PROFDATA_USER;
}

/* In coverage the mode tells the kernel from programs. */
void profdata_split(struct profdata *p)
{
	uint64_t calls = p->by_mode[PROFDATA_KERNEL];

	if (p->unit != PROFDATA_INSTRUCTIONS || calls == 0)
		return;
	if (calls == p->total) {
		p->unit = PROFDATA_CALLS;
		return;
	}
	p->calls = calls;
	profdata_filter(p, in_program, NULL);
}
