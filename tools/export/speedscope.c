/*
 * speedscope's file format: https://www.speedscope.app/file-format-schema.json
 *
 *	{"shared": {"frames": [{"name": "main", "file": "a.c", "line": 3}, ...]},
 *	 "profiles": [{"type": "sampled", "unit": "microseconds", "endValue": 1500,
 *	               "samples": [[0, 1, 4], ...],	paths: indices of frames, outermost first
 *	               "weights": [500, ...]}]}		of the samples, which add up to endValue
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/memory.h"

#define EXACT 9007199254740992.0 /* 2^53: JavaScript has all whole numbers up to this */

/* The file being made. Frames come in the order in which roots and functions are met. */
struct writer {
	struct export *x;
	json_t *frames, *samples, *weights;
	struct names roots;
	uint32_t *of_root, *of_function; /* by number: index of the frame + 1; 0: none yet */
	size_t room_root, room_function;
};

/* Make a string. JSON is UTF-8, which a name in an ELF file need not be. */
static json_t *text(const char *s)
{
	json_t *string = json_string(s);
	char *copy, *c;

	if (string)
		return string;
	copy = memory_string(s, strlen(s));
	for (c = copy; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

/* Make a number, a whole one if possible. */
static json_t *number(double v)
{
	return v == floor(v) && v < EXACT ? json_integer((json_int_t)v) : json_real(v);
}

/* Add a frame. Return its index. */
static size_t add_frame(struct writer *w, const char *name, const char *file, unsigned line)
{
	json_t *frame = json_object();

	json_object_set_new(frame, "name", text(name));
	if (file)
		json_object_set_new(frame, "file", text(file));
	if (file && line)
		json_object_set_new(frame, "line", json_integer(line));
	json_array_append_new(w->frames, frame);
	return json_array_size(w->frames) - 1;
}

/* Return the entry of a number in a list, which grows with zeros to hold it. */
static uint32_t *entry(uint32_t **list, size_t *room, uint32_t number)
{
	*list = memory_grow_zeroed(*list, room, number + 1, sizeof(**list));
	return &(*list)[number];
}

/* Return the index of a root's frame, added if it is new. */
static json_t *root_frame(struct writer *w, const char *name)
{
	uint32_t *f = entry(&w->of_root, &w->room_root, names_number(&w->roots, name));

	if (!*f)
		*f = add_frame(w, name, NULL, 0) + 1;
	return json_integer(*f - 1);
}

/* Return the index of a function's frame, added if it is new. */
static json_t *function_frame(struct writer *w, uint32_t function)
{
	uint32_t *f = entry(&w->of_function, &w->room_function, function);
	struct export_origin origin;
	char buf[512];

	if (!*f) {
		origin = export_origin(w->x, function);
		*f = add_frame(w, export_name(w->x, function, buf, sizeof(buf)), origin.file,
			       origin.line) + 1;
	}
	return json_integer(*f - 1);
}

/* Add a sample and its weight. */
static void add_sample(struct writer *w, const struct profdata_sample *s, double us)
{
	json_t *stack = json_array();
	const struct step *step;
	const char *root[2];
	size_t i, n, nroot = export_roots(w->x, s, root);

	for (i = 0; i < nroot; i++)
		json_array_append_new(stack, root_frame(w, root[i]));
	step = export_path(w->x, s, &n);
	for (i = 0; i < n; i++)
		json_array_append_new(stack, function_frame(w, step[i].function));
	json_array_append_new(w->samples, stack);
	json_array_append_new(w->weights, number(s->count * us));
}

/* Return the unit in the schema's words, which has none for instructions and bare ticks. */
static const char *unit(const struct profdata *p)
{
	if (p->us > 0)
		return "microseconds";
	return p->unit == PROFDATA_BYTES ? "bytes" : "none";
}

/* Make the file: one profile of the type "sampled", and the frames, which are shared. */
static json_t *make_file(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	double us = p->us > 0 ? p->us : 1;
	const char *slash = strrchr(w->x->file, '/'), *last = slash ? slash + 1 : w->x->file;
	json_t *profile, *file;
	char *name = memory_format("%s (%s)", last, profdata_unit_name[p->unit]);

	profile = json_pack("{s:s, s:o, s:s, s:i, s:o, s:o, s:o}", "type", "sampled",
			    "name", text(name), "unit", unit(p), "startValue", 0,
			    "endValue", number(p->total * us), "samples", w->samples,
			    "weights", w->weights);
	file = json_pack("{s:s, s:s, s:o, s:i, s:[o], s:{s:o}}", "$schema",
			 "https://www.speedscope.app/file-format-schema.json", "exporter",
			 "gnomon export", "name", text(last), "activeProfileIndex", 0,
			 "profiles", profile, "shared", "frames", w->frames);
	free(name);
	return file;
}

/* Weights are times if a tick has a known length, else counts. */
int export_speedscope(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {
		.x = x, .frames = json_array(), .samples = json_array(),
		.weights = json_array(),
	};
	json_t *file;
	size_t i;
	int bad;

	for (i = 0; i < x->prof.nsample; i++) {
		add_sample(&w, &x->prof.sample[i], x->prof.us > 0 ? x->prof.us : 1);
		progress_add(&x->progress, 1);
	}
	file = make_file(&w);
	bad = !file || json_dumpf(file, to, JSON_COMPACT | JSON_REAL_PRECISION(17)) < 0;
	putc('\n', to);
	json_decref(file);
	names_free(&w.roots);
	free(w.of_root);
	free(w.of_function);
	return bad ? complain(why, "there is not enough memory for these data") : 0;
}
