/* The counts of two profiles by function, or by path: see compare.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/diff/compare.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* For qsort: by module, then by name. */
static int compare_names(const void *va, const void *vb)
{
	const struct compare_row *a = va, *b = vb;
	int d = strcmp(a->module, b->module);

	if (d)
		return d;
	return strcmp(a->name, b->name);
}

/* Fill rows with the functions of one profile, which is A or B. Return how many. */
static size_t append_functions(struct compare_row *row, const struct functions *f, bool is_b,
			       bool all)
{
	uint64_t count;
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		const struct function *fn = &f->function[i];

		count = fn->self;
		if (all)
			count = fn->all;
		if (!count)
			continue;
		row[n] = (struct compare_row){
			.module = profdata_image_name(f->prof, fn->image), .name = fn->name,
		};
		if (is_b)
			row[n++].b = count;
		else
			row[n++].a = count;
	}
	return n;
}

/* Add the counts of a function to those of another of the same name. */
static void add_row(void *vto, const void *vfrom)
{
	const struct compare_row *from = vfrom;
	struct compare_row *to = vto;

	to->a += from->a;
	to->b += from->b;
}

/*
 * Static functions of different files may have the same name. Nothing tells which of A's is
 * which of B's, so they are added up.
 */
struct compare_row *compare_functions(struct functions *a, struct functions *b, bool all,
				      size_t *n)
{
	struct compare_row *row;
	size_t had;

	functions_count(a);
	functions_count(b);
	row = memory_zeroed(a->n + b->n, sizeof(*row));
	had = append_functions(row, a, false, all);
	had += append_functions(row + had, b, true, all);
	*n = sorted_sum(row, had, sizeof(*row), compare_names, add_row);
	return row;
}

/* The numbers of names, each of them and 1, by the index that what has a name has; 0: not known. */
struct numbers {
	uint32_t *number;
	size_t room;
};

/* The paths being made, of which one side is at hand. */
struct maker {
	struct compare_paths *to;
	size_t nstep, room;
	struct functions *f;
	struct numbers functions, processes, images;
};

/* Return the number of the name that thing i has. Separators in it become "_". */
static uint32_t name_number(struct maker *m, struct numbers *of, size_t i, const char *name)
{
	char *text, *at;

	of->number = memory_grow_zeroed(of->number, &of->room, i + 1, sizeof(*of->number));
	if (!of->number[i]) {
		text = memory_string(name, strlen(name));
		for (at = text; (at = strpbrk(at, "; \n")) != NULL;)
			*at = '_';
		of->number[i] = (uint32_t)texts_number(&m->to->names, text, strlen(text)) + 1;
		free(text);
	}
	return of->number[i] - 1;
}

/* Add a step to the path at hand. Twice its number leaves a bit for where it is. */
static void add_step(struct maker *m, uint32_t number)
{
	m->to->step = memory_grow(m->to->step, &m->room, m->nstep + 1, sizeof(*m->to->step));
	m->to->step[m->nstep++] = 2 * number;
}

/* Add what a path begins with: its process, or the module that it ends in, if any. */
static void add_root(struct maker *m, const struct profdata_sample *s)
{
	const struct profdata *p = m->f->prof;
	const struct profdata_frame *leaf = profdata_leaf(p, s);

	if (s->process != PROFDATA_NONE)
		add_step(m, name_number(m, &m->processes, s->process, p->name[s->process]));
	else if (leaf && leaf->image != PROFDATA_NONE)
		add_step(m, name_number(m, &m->images, leaf->image, p->image[leaf->image].name));
}

/* Add a sample's path, and return how many steps it has. */
static size_t add_path(struct maker *m, const struct profdata_sample *s)
{
	size_t first = m->nstep, n, i;
	const struct step *step = functions_path(m->f, s, &n);
	uint32_t at;

	add_root(m, s);
	for (i = 0; i < n; i++) {
		at = step[i].function;
		add_step(m, name_number(m, &m->functions, at, m->f->function[at].name));
	}
	m->to->step[m->nstep - 1]++; /* it is the last one */
	return m->nstep - first;
}

/* Add the paths of one profile, which is A or B. */
static void add_side(struct maker *m, struct functions *f, bool is_b)
{
	const struct profdata_sample *s = f->prof->sample;
	size_t i;

	m->f = f;
	for (i = 0; i < f->prof->nsample; i++) {
		struct compare_path *path = &m->to->path[m->to->n++];

		path->n = add_path(m, &s[i]);
		if (is_b)
			path->b = s[i].count;
		else
			path->a = s[i].count;
	}
	free(m->functions.number);
	free(m->processes.number);
	free(m->images.number);
	m->functions = m->processes = m->images = (struct numbers){.room = 0};
}

/* Return a character of a step's text, which ends with a semicolon, or a NUL if it is the last. */
static unsigned char step_char(const struct text *t, size_t i, bool last)
{
	if (i < t->n)
		return (unsigned char)t->text[i];
	if (last)
		return 0;
	return ';';
}

/* For qsort_r: steps by their texts. */
static int compare_steps(const void *va, const void *vb, void *names)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct text *ta = (struct text *)names + a / 2, *tb = (struct text *)names + b / 2;
	size_t n = order_min(ta->n, tb->n);
	int d = memcmp(ta->text, tb->text, n);

	if (d)
		return d;
	return order(step_char(ta, n, a % 2), step_char(tb, n, b % 2));
}

/* Number the steps in the order of their texts, in which paths are then, too. */
static void sort_steps(struct compare_paths *to, size_t nstep)
{
	size_t n = 2 * to->names.n, i;
	uint32_t *place = memory_zeroed(n, sizeof(*place));

	to->sorted = memory_zeroed(n, sizeof(*to->sorted));
	for (i = 0; i < n; i++)
		to->sorted[i] = (uint32_t)i;
	qsort_r(to->sorted, n, sizeof(*to->sorted), compare_steps, to->names.text);
	for (i = 0; i < n; i++)
		place[to->sorted[i]] = (uint32_t)i;
	for (i = 0; i < nstep; i++)
		to->step[i] = place[to->step[i]];
	free(place);
}

/* For qsort: by text. No path begins another one, for the last step is marked. */
static int compare_texts(const void *va, const void *vb)
{
	const struct compare_path *a = va, *b = vb;
	size_t i;

	for (i = 0; i < order_min(a->n, b->n); i++)
		if (a->step[i] != b->step[i])
			return order(a->step[i], b->step[i]);
	return 0;
}

/* Add the counts of a path to another of the same text. */
static void add_counts(void *vto, const void *vfrom)
{
	const struct compare_path *from = vfrom;
	struct compare_path *to = vto;

	to->a += from->a;
	to->b += from->b;
}

void compare_paths(struct compare_paths *to, struct functions *a, struct functions *b)
{
	struct maker m = {.to = to};
	size_t at = 0, i;

	*to = (struct compare_paths){
		.path = memory_zeroed(a->prof->nsample + b->prof->nsample, sizeof(*to->path)),
	};
	add_side(&m, a, false);
	add_side(&m, b, true);
	sort_steps(to, m.nstep);
	for (i = 0; i < to->n; i++) {
		to->path[i].step = to->step + at;
		at += to->path[i].n;
	}
	to->n = sorted_sum(to->path, to->n, sizeof(*to->path), compare_texts, add_counts);
}

const struct text *compare_step(const struct compare_paths *p, uint32_t step)
{
	return &p->names.text[p->sorted[step] / 2];
}

void compare_paths_free(struct compare_paths *p)
{
	free(p->path);
	free(p->step);
	free(p->sorted);
	texts_free(&p->names);
}
