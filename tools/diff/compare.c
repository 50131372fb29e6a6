/* The counts of two profiles by function, or by path: see compare.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/diff/compare.h"
#include "tools/memory.h"
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

/* Return what a path begins with: its process, or the module that it ends in; or NULL. */
static const char *root_of(const struct functions *f, const struct profdata_sample *s)
{
	const struct profdata_frame *leaf = profdata_leaf(f->prof, s);

	if (s->process != PROFDATA_NONE)
		return f->prof->name[s->process];
	if (!leaf)
		return NULL;
	if (leaf->image == PROFDATA_NONE)
		return NULL;
	return f->prof->image[leaf->image].name;
}

/* Append the name of a step. Separators in it become "_". Return the length of the text. */
static size_t append_step(char **text, size_t *room, size_t at, const char *name)
{
	size_t n = strlen(name), i;

	*text = memory_grow(*text, room, at + n + 2, 1);
	if (at)
		(*text)[at++] = ';';
	memcpy(*text + at, name, n + 1);
	for (i = at; i < at + n; i++)
		if (strchr("; \n", (*text)[i]))
			(*text)[i] = '_';
	return at + n;
}

/* Return a sample's path as text, which the caller frees. */
static char *text_of(struct functions *f, const struct profdata_sample *s)
{
	const char *root = root_of(f, s);
	const struct step *step;
	size_t i, n, room = 0, at = 0;
	char *text = NULL;

	step = functions_path(f, s, &n);
	if (root)
		at = append_step(&text, &room, at, root);
	for (i = 0; i < n; i++)
		at = append_step(&text, &room, at, f->function[step[i].function].name);
	return text;
}

/* For qsort: by text. */
static int compare_text(const void *va, const void *vb)
{
	const struct compare_path *a = va, *b = vb;

	return strcmp(a->path, b->path);
}

/* Fill rows with the paths of one profile, which is A or B. Return how many. */
static size_t append_paths(struct compare_path *path, struct functions *f, bool is_b)
{
	const struct profdata_sample *s = f->prof->sample;
	size_t i;

	for (i = 0; i < f->prof->nsample; i++) {
		path[i] = (struct compare_path){.path = text_of(f, &s[i])};
		if (is_b)
			path[i].b = s[i].count;
		else
			path[i].a = s[i].count;
	}
	return i;
}

/* Add the counts of a path to another of the same text. */
static void add_path(void *vto, const void *vfrom)
{
	const struct compare_path *from = vfrom;
	struct compare_path *to = vto;

	to->a += from->a;
	to->b += from->b;
	free(from->path);
}

struct compare_path *compare_paths(struct functions *a, struct functions *b, size_t *n)
{
	struct compare_path *path;
	size_t had;

	path = memory_zeroed(a->prof->nsample + b->prof->nsample, sizeof(*path));
	had = append_paths(path, a, false);
	had += append_paths(path + had, b, true);
	*n = sorted_sum(path, had, sizeof(*path), compare_text, add_path);
	return path;
}

void compare_paths_free(struct compare_path *path, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(path[i].path);
	free(path);
}
