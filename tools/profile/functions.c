/* The functions of a profile: see functions.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/functions.h"
#include "tools/texts.h"

#define UNKNOWN UINT32_MAX /* no function has a number yet */

/* The numbers of the functions of one image. */
struct numbers {
	uint32_t nowhere; /* of all text that no symbol covers */
	size_t last;	  /* index of the symbol found last: the next address is often in it */
	uint32_t number;  /* of that one's function; UNKNOWN: none was found */
};

/* A symbol that was met. Very many images may have one file, and few of its symbols each. */
struct met {
	uint32_t image, symbol; /* the key: a symbol's index */
	uint32_t function;	/* its number */
};

/* The steps of a frame, once its functions and lines have been looked up. */
struct known {
	size_t step; /* index */
	uint32_t n;  /* 0: not yet */
};

struct functions_cache {
	bool lines;
	struct numbers *numbers; /* by image */
	struct met *met;
	size_t nmet, room_met;
	struct distinct known_met;
	uint32_t no_image, cut;
	uint32_t mode[PROFDATA_NMODES];
	struct known *known; /* by frame */
	size_t room_known;
	struct step *step; /* of known frames, the outermost first */
	size_t nstep, room_step;
	struct step *path; /* what functions_path() returns */
	size_t npath, room_path;
	size_t room_function, room_inlined;
	uint32_t *inlined; /* numbers of inlined functions */
	struct texts names; /* of these: IMAGE:NAME */
};

/* Add a function. Return its number. */
static uint32_t functions_add(struct functions *f, const struct function *like)
{
	f->function = memory_grow(f->function, &f->cache->room_function, f->n + 1,
				  sizeof(*f->function));
	f->function[f->n] = *like;
	return f->n++;
}

/* Return the number in *slot; a function that has only a name gets it now. */
static uint32_t functions_named(struct functions *f, uint32_t *slot, const char *name,
				uint32_t image)
{
	if (*slot == UNKNOWN)
		*slot = functions_add(f, &(struct function){.name = name, .plain = name,
								.image = image});
	return *slot;
}

void functions_init(struct functions *f, const struct profdata *prof, bool lines)
{
	struct functions_cache *c = memory_zeroed(1, sizeof(*c));
	size_t i;

	*f = (struct functions){.prof = prof, .cache = c};
	c->lines = lines;
	c->known_met.size = sizeof(*c->met);
	c->known_met.key = offsetof(struct met, function);
	c->no_image = c->cut = UNKNOWN;
	for (i = 0; i < PROFDATA_NMODES; i++)
		c->mode[i] = UNKNOWN;
	c->numbers = memory_zeroed(prof->nimage, sizeof(*c->numbers));
	for (i = 0; i < prof->nimage; i++)
		c->numbers[i].nowhere = c->numbers[i].number = UNKNOWN;
}

/* Names belong to the images and the profile. */
void functions_free(struct functions *f)
{
	free(f->cache->numbers);
	free(f->cache->met);
	distinct_free(&f->cache->known_met);
	free(f->cache->known);
	free(f->cache->step);
	free(f->cache->path);
	free(f->cache->inlined);
	texts_free(&f->cache->names);
	free(f->cache);
	free(f->function);
}

/* Return the number of a symbol's function in an image. */
static uint32_t functions_of_symbol(struct functions *f, uint32_t image, const struct symbol *s)
{
	const struct image *elf = f->prof->image[image].elf;
	struct functions_cache *c = f->cache;
	struct met key = {.image = image, .symbol = (uint32_t)(s - elf->symbols.sym)};
	size_t i = distinct_index(&c->known_met, c->met, &key, c->nmet);

	if (i < c->nmet)
		return c->met[i].function;
	key.function = functions_add(f, &(struct function){
						.name = s->name,
						.plain = s->plain,
						.image = image,
						.start = s->start,
						.end = s->end,
					});
	c->met = memory_grow(c->met, &c->room_met, i + 1, sizeof(*c->met));
	c->met[c->nmet++] = key;
	return key.function;
}

/* Text without symbols is one function in each image, "?". */
uint32_t functions_at(struct functions *f, uint32_t image, code_addr pc)
{
	const struct symbol *s = NULL;
	struct numbers *numbers;
	const struct image *elf;
	size_t before;

	if (image == PROFDATA_NONE)
		return functions_named(f, &f->cache->no_image, "?", PROFDATA_NONE);
	elf = f->prof->image[image].elf;
	numbers = &f->cache->numbers[image];
	before = numbers->last;
	if (elf)
		s = symbols_near(&elf->symbols, &numbers->last, pc);
	if (!s)
		return functions_named(f, &numbers->nowhere, "?", image);
	if (numbers->last != before || numbers->number == UNKNOWN)
		numbers->number = functions_of_symbol(f, image, s);
	return numbers->number;
}

/* Return the number of what stands for samples of a mode without an address. */
static uint32_t of_mode(struct functions *f, enum profdata_mode mode)
{
	return functions_named(f, &f->cache->mode[mode], profdata_mode_step[mode], PROFDATA_NONE);
}

uint32_t functions_leaf(struct functions *f, const struct profdata_sample *s)
{
	const struct profdata_frame *leaf = profdata_leaf(f->prof, s);

	if (!leaf)
		return of_mode(f, s->mode);
	return functions_at(f, leaf->image, leaf->pc);
}

/* Return the number of an inlined function, which has one for each image and name. */
static uint32_t functions_inlined(struct functions *f, uint32_t image, const char *name)
{
	struct functions_cache *c = f->cache;
	size_t known = c->names.n, i;
	char *key = memory_format("%" PRIu32 ":%s", image, name);

	i = texts_number(&c->names, key, strlen(key));
	free(key);
	if (i < known)
		return c->inlined[i];
	c->inlined = memory_grow(c->inlined, &c->room_inlined, i + 1, sizeof(uint32_t));
	c->inlined[i] = functions_add(f, &(struct function){
						 .name = name,
						 .plain = name,
						 .image = image,
						 .inlined = true,
					 });
	return c->inlined[i];
}

/*
 * Append the steps of a frame. Return how many. The instruction after a call may be in another
 * line than the call, or in another function.
 */
static uint32_t steps_of(struct functions *f, const struct profdata_frame *frame)
{
	code_addr pc = frame->pc - (frame->span == 0);
	uint32_t image = frame->image, function;
	struct functions_cache *c = f->cache;
	struct place place[IMAGE_PLACES] = {{.file = NULL}};
	struct image *elf = NULL;
	size_t i, n = 1;

	if (image != PROFDATA_NONE)
		elf = f->prof->image[image].elf;
	if (c->lines)
		n = image_places(elf, pc, place);
	c->step = memory_grow(c->step, &c->room_step, c->nstep + n, sizeof(*c->step));
	for (i = 0; i < n; i++) {
		if (i + 1 < n)
			function = functions_inlined(f, image, place[i].function);
		else
			function = functions_at(f, image, pc);
		c->step[c->nstep + n - 1 - i] = (struct step){
			.function = function, .pc = frame->pc,
			.file = place[i].file, .line = place[i].line,
		};
	}
	c->nstep += n;
	return n;
}

/* Return what is known of a frame; it is looked up when it is first met. */
static const struct known *functions_look(struct functions *f, uint32_t frame)
{
	struct functions_cache *c = f->cache;
	struct known *k;

	if (frame >= c->room_known)
		c->known = memory_grow_zeroed(c->known, &c->room_known, f->prof->nframe,
					      sizeof(*c->known));
	k = &c->known[frame];
	if (!k->n) {
		k->step = c->nstep;
		k->n = steps_of(f, &f->prof->frame[frame]);
	}
	return k;
}

/* Append n steps to the path; those that are hidden only if all must be shown. */
static void functions_put(struct functions *f, const struct step *step, size_t n, bool all)
{
	struct functions_cache *c = f->cache;
	size_t i;

	c->path = memory_grow(c->path, &c->room_path, c->npath + n, sizeof(*c->path));
	for (i = 0; i < n; i++)
		if (all || !f->function[step[i].function].hidden)
			c->path[c->npath++] = step[i];
}

const struct step *functions_path(struct functions *f, const struct profdata_sample *s, size_t *n)
{
	const uint32_t *frame = profdata_path(f->prof, s);
	struct functions_cache *c = f->cache;
	const struct known *k;
	size_t i;

	c->npath = 0;
	if (s->cut)
		functions_put(
			f,
			&(struct step){
				.function = functions_named(f, &c->cut, "[cut]", PROFDATA_NONE),
			},
			1, false);
	for (i = 0; i < s->depth; i++) {
		k = functions_look(f, frame[i]);
		functions_put(f, c->step + k->step, k->n, false);
	}
	if (s->depth == 0)
		functions_put(f, &(struct step){.function = of_mode(f, s->mode)}, 1, true);
	*n = c->npath;
	return c->path;
}

const struct step *functions_caused(struct functions *f, const struct profdata_sample *s, size_t *n)
{
	const struct step *path = functions_path(f, s, n);
	struct functions_cache *c = f->cache;
	struct step cause;

	if (s->mode != PROFDATA_INTERRUPT)
		return path;
	cause = (struct step){.function = of_mode(f, s->mode)};
	if (path[0].function == cause.function)
		return path;
	c->path = memory_grow(c->path, &c->room_path, c->npath + 1, sizeof(*c->path));
	memmove(c->path + 1, c->path, c->npath * sizeof(*c->path));
	c->path[0] = cause;
	*n = ++c->npath;
	return c->path;
}

/* Add a sample to what was counted in a function and in what it called. */
static void add_all(struct function *f, const struct profdata_sample *s)
{
	f->all += s->count;
	if (s->mode == PROFDATA_IDLE)
		f->idle += s->count;
}

/*
 * Count one path, each function in it once: seen[function] is the stamp of the last path that
 * had it, and stamps are not 0.
 */
static void count_path(struct functions *f, const struct profdata_sample *s, uint32_t **seen,
		       size_t *room, uint32_t stamp)
{
	const struct step *step;
	size_t i, n;

	step = functions_path(f, s, &n);
	*seen = memory_grow_zeroed(*seen, room, f->n, sizeof(uint32_t));
	f->function[step[n - 1].function].self += s->count;
	for (i = 0; i < n; i++) {
		if ((*seen)[step[i].function] == stamp)
			continue;
		(*seen)[step[i].function] = stamp;
		add_all(&f->function[step[i].function], s);
	}
}

/* Without paths and inlined functions, the symbol of a sample is all there is. */
void functions_count(struct functions *f)
{
	const struct profdata *p = f->prof;
	uint32_t *seen = NULL, i;
	size_t room = 0, j;

	for (j = 0; j < f->n; j++)
		f->function[j].self = f->function[j].all = f->function[j].idle = 0;
	for (j = 0; j < p->nsample; j++) {
		if (p->has_paths || f->cache->lines) {
			count_path(f, &p->sample[j], &seen, &room, j + 1);
			continue;
		}
		i = functions_leaf(f, &p->sample[j]);
		f->function[i].self += p->sample[j].count;
		add_all(&f->function[i], &p->sample[j]);
	}
	free(seen);
}

/* For qsort_r: idle ones last, then the most `self` first, then the most `all`, then by name. */
static int compare_functions(const void *va, const void *vb, void *arg)
{
	const struct function *a = (struct function *)arg + *(const uint32_t *)va;
	const struct function *b = (struct function *)arg + *(const uint32_t *)vb;

	if (functions_idle(a) != functions_idle(b))
		return order(functions_idle(a), functions_idle(b));
	if (a->self != b->self)
		return order(b->self, a->self);
	if (a->all != b->all)
		return order(b->all, a->all);
	return strcmp(a->name, b->name);
}

uint32_t *functions_sorted(const struct functions *f, size_t *n)
{
	uint32_t *order = memory_zeroed(f->n, sizeof(*order)), i;

	*n = 0;
	for (i = 0; i < f->n; i++)
		if (f->function[i].all)
			order[(*n)++] = i;
	qsort_r(order, *n, sizeof(*order), compare_functions, f->function);
	return order;
}

/* Return the function that a sample's own counts are given to, as functions_count() does. */
static uint32_t own_function(struct functions *f, const struct profdata_sample *s)
{
	const struct step *step;
	size_t n;

	if (!f->prof->has_paths && !f->cache->lines)
		return functions_leaf(f, s);
	step = functions_path(f, s, &n);
	return step[n - 1].function;
}

struct profdata_memory *functions_memory(struct functions *f)
{
	const struct profdata *p = f->prof;
	struct profdata_memory *memory, *sum, more;
	size_t i;

	if (!profdata_has_memory(p))
		return NULL;
	memory = memory_zeroed(f->n, sizeof(*memory));
	for (i = 0; i < p->nsample; i++) {
		more = profdata_memory_of(p, &p->sample[i]);
		sum = &memory[own_function(f, &p->sample[i])];
		sum->blocks += more.blocks;
		sum->total += more.total;
		sum->allocated += more.allocated;
	}
	return memory;
}
