/*
 * The page of gnomon-report(1) --html: the lines of the source on which most was counted, each with
 * its part of every process and mode, and with the function whose source shows it.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/page/page.h"
#include "tools/report/picture.h"
#include "tools/report/places.h"

#define MISSING 5 /* reasons why lines are not known, at most */

/* A process in a mode: the first two steps of paths. */
struct group {
	uint32_t process, mode;
};

/* What a group has on a line. */
struct part {
	uint32_t line, group; /* the key */
	uint64_t count;
};

/* A function that has source, but no row with it in the table. */
struct apart {
	struct function function;
	const char *file; /* of an inlined one: others of its name are in other files */
};

/* The lines on their way to the page. */
struct hot {
	struct picture *p;
	struct line_count *line; /* all of them, the most first */
	size_t n, rows;		 /* the first `rows` of the n are shown */
	uint32_t *of_frame;
	struct group *group;
	size_t ngroup, room_group;
	struct part *part;
	size_t npart, room_part;
	struct distinct known_groups, known_parts;
	uint32_t *process; /* by number: itself, or PROFDATA_NONE if its frame is folded */
	struct apart *apart;
	size_t napart, room_apart;
	json_t *functions, *json_apart; /* the rows of the table, and those beside it */
};

/*
 * Return the processes by their numbers, with PROFDATA_NONE in the place of those whose frames are
 * folded: they cannot be chosen, and there may be very many.
 */
static uint32_t *shown_processes(const struct picture *p)
{
	const struct profdata *prof = &p->r->prof;
	uint64_t *count = memory_zeroed(prof->nname, sizeof(*count));
	uint32_t *shown = memory_zeroed(prof->nname, sizeof(*shown)), name;
	size_t i;

	for (i = 0; i < prof->nsample; i++)
		if (prof->sample[i].process != PROFDATA_NONE)
			count[prof->sample[i].process] += prof->sample[i].count;
	for (name = 0; name < prof->nname; name++) {
		shown[name] = name;
		if (report_percent(p->r, (double)count[name]) < p->percent)
			shown[name] = PROFDATA_NONE;
	}
	free(count);
	return shown;
}

/* Return the line of a sample, if it is shown; else PROFDATA_NONE. */
static uint32_t hot_line(const struct hot *h, const struct profdata_sample *s)
{
	uint32_t line;

	if (s->depth == 0)
		return PROFDATA_NONE;
	line = h->of_frame[profdata_path(&h->p->r->prof, s)[s->depth - 1]];
	if (line >= h->rows)
		return PROFDATA_NONE;
	return line;
}

/* Return the number of a sample's group. */
static uint32_t hot_group(struct hot *h, const struct profdata_sample *s)
{
	struct group key = {.process = PROFDATA_NONE, .mode = s->mode};
	size_t i;

	if (s->process != PROFDATA_NONE)
		key.process = h->process[s->process];
	i = distinct_index(&h->known_groups, h->group, &key, h->ngroup);

	if (i == h->ngroup) {
		h->group = memory_grow(h->group, &h->room_group, i + 1, sizeof(key));
		h->group[h->ngroup++] = key;
	}
	return (uint32_t)i;
}

/* Add a sample to its group's part of its line. */
static void hot_add(struct hot *h, const struct profdata_sample *s)
{
	struct part key = {.line = hot_line(h, s)};
	size_t i;

	if (key.line == PROFDATA_NONE)
		return;
	key.group = hot_group(h, s);
	i = distinct_index(&h->known_parts, h->part, &key, h->npart);
	if (i == h->npart) {
		h->part = memory_grow(h->part, &h->room_part, i + 1, sizeof(key));
		h->part[h->npart++] = key;
	}
	h->part[i].count += s->count;
}

/* For qsort: by line, then the largest first. */
static int compare_parts(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;

	if (a->line != b->line)
		return order(a->line, b->line);
	if (a->count != b->count)
		return order(b->count, a->count);
	return order(a->group, b->group);
}

/* Count the parts, and show fewer lines if there is no room for so many. */
static void hot_count(struct hot *h)
{
	const struct profdata *prof = &h->p->r->prof;
	size_t i, most = PAGE_PARTS / h->p->r->parts;

	for (i = 0; i < prof->nsample; i++)
		hot_add(h, &prof->sample[i]);
	if (h->npart)
		qsort(h->part, h->npart, sizeof(*h->part), compare_parts);
	if (h->npart > most)
		h->rows = h->part[most].line;
}

/* Return [GROUP, COUNT, ...] of a line, whose parts begin at *next. */
static json_t *json_parts(const struct hot *h, size_t line, size_t *next)
{
	json_t *out = json_array();

	for (; *next < h->npart && h->part[*next].line == line; ++*next) {
		json_array_append_new(out, json_integer(h->part[*next].group));
		json_array_append_new(out, page_count(h->part[*next].count));
	}
	return out;
}

/* Return [PROCESS, MODE] of each group. */
static json_t *json_groups(const struct hot *h)
{
	const struct profdata *prof = &h->p->r->prof;
	json_t *out = json_array();
	const char *process;
	size_t i;

	for (i = 0; i < h->ngroup; i++) {
		process = "";
		if (h->group[i].process != PROFDATA_NONE)
			process = prof->name[h->group[i].process];
		json_array_append_new(out, json_pack("[o, s]", page_text(process),
						     profdata_mode_step[h->group[i].mode]));
	}
	return out;
}

/* Return the function whose source has a line: the innermost that is inlined there, if one is. */
static struct function function_of(const struct hot *h, const struct line_count *l)
{
	struct functions *all = &h->p->r->functions;
	struct place place[IMAGE_PLACES];
	struct image *elf = h->p->r->prof.image[l->image].elf;

	if (image_places(elf, l->pc, place) == 1)
		return all->function[functions_at(all, l->image, l->pc)];
	return (struct function){.name = place[0].function, .image = l->image, .inlined = true};
}

/* Return whether two are the same function. */
static bool same_function(const struct function *a, const struct function *b)
{
	if (a->image != b->image || a->inlined != b->inlined)
		return false;
	return a->start == b->start && strcmp(a->name, b->name) == 0;
}

/* Return where a function with source is in the table, or the number of its rows. */
static size_t table_row(const struct hot *h, const struct function *f)
{
	const struct picture *p = h->p;
	size_t i;

	for (i = 0; i < p->annotated; i++)
		if (same_function(f, &p->r->functions.function[p->sorted[i]]))
			return i;
	return p->rows;
}

/* Put a function beside the table, for its source and code. */
static void add_apart(struct hot *h, const struct apart *new)
{
	const struct function *f = &new->function;
	json_t *row = json_object();
	uint64_t total = 0;

	json_object_set_new(row, "name", page_text(f->name));
	json_object_set_new(row, "image", page_text(profdata_image_name(&h->p->r->prof, f->image)));
	if (f->inlined)
		json_object_set_new(row, "inlined", json_true());
	json_object_set_new(row, "where", json_string(""));
	if (h->p->text < PAGE_TEXT / h->p->r->parts)
		total = picture_annotate(h->p, f, new->file, row, false);
	else
		json_object_set_new(row, "missing", json_string("the page has no room for it"));
	json_object_set_new(row, "self", json_pack("[o]", page_count(total)));
	json_array_append_new(h->json_apart, row);
	h->apart = memory_grow(h->apart, &h->room_apart, h->napart + 1, sizeof(*new));
	h->apart[h->napart++] = *new;
}

/* Return whether the source of a row of the page has a line. */
static bool source_has(const json_t *row, const struct line_count *l)
{
	const char *where = json_string_value(json_object_get(row, "where"));
	const json_t *source = json_object_get(row, "source");
	size_t i, n = json_array_size(source), file = 0;

	if (l->file)
		file = strlen(l->file);
	if (file == 0 || strncmp(where, l->file, file) != 0 || where[file] != ':')
		return false;
	for (i = 0; i < n; i++)
		if (json_integer_value(json_array_get(json_array_get(source, i), 0)) == l->line)
			return true;
	return false;
}

/* Return whether what is beside the table has the lines of a file, if that one matters. */
static bool apart_has(const struct apart *a, const char *file)
{
	if (!file)
		return true;
	if (!a->file)
		return false;
	return strcmp(file, a->file) == 0;
}

/* Return where among those beside the table a function is, which is put there if it is not. */
static size_t apart_row(struct hot *h, const struct apart *wanted)
{
	size_t i;

	for (i = 0; i < h->napart; i++) {
		if (!same_function(&wanted->function, &h->apart[i].function))
			continue;
		if (apart_has(&h->apart[i], wanted->file))
			return i;
	}
	add_apart(h, wanted);
	return i;
}

/* Return the row with a line's source and code: of the table, or, after all these, one apart. */
static size_t hot_row(struct hot *h, const struct line_count *l)
{
	struct apart wanted = {.function = function_of(h, l)};
	size_t i = table_row(h, &wanted.function);

	if (wanted.function.inlined)
		wanted.file = l->file;
	if (i < h->p->rows && (!wanted.file || source_has(json_array_get(h->functions, i), l)))
		return i;
	return h->p->rows + apart_row(h, &wanted);
}

/* Add where a line's source is: in that of a row, or else here. */
static void add_source(struct hot *h, const struct line_count *l, json_t *out)
{
	size_t i = hot_row(h, l), rows = h->p->rows;
	const char *text = source_line(&h->p->r->sources, l->dir, l->file, l->line);
	const json_t *row = json_array_get(h->functions, i);

	json_object_set_new(out, "row", json_integer((json_int_t)i));
	if (i >= rows)
		row = json_array_get(h->json_apart, i - rows);
	if (source_has(row, l))
		return;
	if (!text)
		text = "";
	json_object_set_new(out, "text", page_text(text + strspn(text, " \t")));
}

/* Return a line's row, whose parts begin at *next. */
static json_t *json_line(struct hot *h, size_t i, size_t *next)
{
	const struct line_count *l = &h->line[i];
	const char *file = l->file;
	json_t *out = json_object();

	if (!file)
		file = "";
	json_object_set_new(out, "file", page_text(file));
	json_object_set_new(out, "line", json_integer(l->line));
	json_object_set_new(out, "function", page_text(l->function));
	json_object_set_new(out, "image", page_text(h->p->r->prof.image[l->image].name));
	if (l->shared)
		json_object_set_new(out, "shared", json_true());
	if (l->idle)
		json_object_set_new(out, "idle", json_true());
	if (report_has_runs(h->p->r))
		json_object_set_new(out, "runs", page_count(l->runs));
	add_source(h, l, out);
	json_object_set_new(out, "by", json_parts(h, i, next));
	return out;
}

/* Return why some lines are not known: of a few images, for there may be very many. */
static json_t *json_missing(struct hot *h)
{
	struct report *r = h->p->r;
	json_t *out = json_array();
	size_t i;

	report_missing(r, h->line, h->n);
	for (i = 0; i < r->nmissing && i < MISSING; i++)
		json_array_append_new(out, page_text(r->missing[i].text));
	if (i < r->nmissing) {
		char *more = memory_format("and none for some in %zu other programs",
					   r->nmissing - i);

		json_array_append_new(out, json_string(more));
		free(more);
	}
	report_missing_free(r);
	return out;
}

/* Return the line of each sample. */
static uint32_t *hot_lines(const struct hot *h)
{
	const struct profdata *prof = &h->p->r->prof;
	uint32_t *line = memory_zeroed(prof->nsample, sizeof(*line));
	size_t i;

	for (i = 0; i < prof->nsample; i++)
		line[i] = hot_line(h, &prof->sample[i]);
	return line;
}

json_t *picture_lines(struct picture *p, json_t *functions, uint32_t **line)
{
	struct hot h = {
		.p = p, .functions = functions, .json_apart = json_array(),
		.process = shown_processes(p),
		.known_groups = {.size = sizeof(struct group), .key = sizeof(struct group)},
		.known_parts = {.size = sizeof(struct part), .key = 2 * sizeof(uint32_t)},
	};
	json_t *rows = json_array(), *out = json_object();
	size_t i, next = 0;

	h.line = places_count(p->r, p->counts, &h.n);
	h.of_frame = places_of_frames(p->r, p->counts, h.line, h.n);
	h.rows = order_min(h.n, PAGE_LINES / p->r->parts);
	hot_count(&h);
	for (i = 0; i < h.rows; i++)
		json_array_append_new(rows, json_line(&h, i, &next));
	json_object_set_new(out, "rows", rows);
	json_object_set_new(out, "groups", json_groups(&h));
	json_object_set_new(out, "apart", h.json_apart);
	json_object_set_new(out, "left", json_integer((json_int_t)(h.n - h.rows)));
	json_object_set_new(out, "missing", json_missing(&h));
	*line = hot_lines(&h);
	distinct_free(&h.known_groups);
	distinct_free(&h.known_parts);
	free(h.process);
	free(h.apart);
	free(h.group);
	free(h.part);
	free(h.of_frame);
	free(h.line);
	return out;
}
