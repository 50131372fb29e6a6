/*
 * speedscope's file format: https://www.speedscope.app/file-format-schema.json
 *
 *	{"shared": {"frames": [{"name": "main", "file": "a.c", "line": 3}, ...]},
 *	 "profiles": [{"type": "sampled", "unit": "microseconds", "endValue": 1500,
 *	               "samples": [[0, 1, 4], ...],	paths: indices of frames, outermost first
 *	               "weights": [500, ...]}]}		of the samples, which add up to endValue
 *
 * A time line has a profile for each CPU, with calls and returns:
 *
 *	{"type": "evented", "unit": "microseconds", "startValue": 1000, "endValue": 2500,
 *	 "events": [{"type": "O", "frame": 0, "at": 1000}, ...
 *	            {"type": "C", "frame": 0, "at": 2500}]}
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/printable.h"

#define EXACT 9007199254740992.0 /* 2^53: JavaScript has all whole numbers up to this */

/* The file being made. Frames come in the order in which roots and functions are met. */
struct writer {
	struct export *x;
	json_t *frames, *profiles, *samples, *weights, *events;
	uint32_t *path; /* of the sample at hand: indices of frames */
	size_t n, room_path;
	struct names roots;
	uint32_t *of_root, *of_function; /* by number: index of the frame + 1; 0: none yet */
	size_t room_root, room_function;
};

/* Make a string. */
static json_t *json_text(const char *s)
{
	char *valid = printable(s);
	json_t *string = json_string(valid);

	free(valid);
	return string;
}

/* Make a number, a whole one if possible. */
static json_t *json_number(double v)
{
	if (v == floor(v) && v < EXACT)
		return json_integer((json_int_t)v);
	return json_real(v);
}

/* Add a frame. Return its index. */
static size_t add_frame(struct writer *w, const char *name, const char *file, unsigned line)
{
	json_t *frame = json_object();

	json_object_set_new(frame, "name", json_text(name));
	if (file)
		json_object_set_new(frame, "file", json_text(file));
	if (file && line)
		json_object_set_new(frame, "line", json_integer(line));
	json_array_append_new(w->frames, frame);
	return json_array_size(w->frames) - 1;
}

/* Return the entry of a number in a list, which grows with zeros to hold it. */
static uint32_t *list_entry(uint32_t **list, size_t *room, uint32_t number)
{
	*list = memory_grow_zeroed(*list, room, number + 1, sizeof(**list));
	return &(*list)[number];
}

/* Return the index of a root's frame, added if it is new. */
static uint32_t root_frame(struct writer *w, const char *name)
{
	uint32_t *f = list_entry(&w->of_root, &w->room_root, names_number(&w->roots, name));

	if (!*f)
		*f = add_frame(w, name, NULL, 0) + 1;
	return *f - 1;
}

/* Return the index of a function's frame, added if it is new. */
static uint32_t function_frame(struct writer *w, uint32_t function)
{
	uint32_t *f = list_entry(&w->of_function, &w->room_function, function);
	struct export_origin origin;
	char buf[512];

	if (!*f) {
		origin = export_origin(w->x, function);
		*f = add_frame(w, export_name(w->x, function, buf, sizeof(buf)), origin.file,
			       origin.line) + 1;
	}
	return *f - 1;
}

/* Add a frame to the path at hand. */
static void add_step(struct writer *w, uint32_t frame)
{
	w->path = memory_grow(w->path, &w->room_path, w->n + 1, sizeof(*w->path));
	w->path[w->n++] = frame;
}

/* Make a sample's path the one at hand. */
static void find_path(struct writer *w, const struct profdata_sample *s)
{
	const struct step *step;
	const char *root[2];
	size_t i, n, nroot = export_roots(w->x, s, root);

	w->n = 0;
	for (i = 0; i < nroot; i++)
		add_step(w, root_frame(w, root[i]));
	step = export_path(w->x, s, &n);
	for (i = 0; i < n; i++)
		add_step(w, function_frame(w, step[i].function));
}

/* Add a sample and its weight. */
static void add_sample(struct writer *w, const struct profdata_sample *s, double us)
{
	json_t *stack = json_array();
	size_t i;

	find_path(w, s);
	for (i = 0; i < w->n; i++)
		json_array_append_new(stack, json_integer(w->path[i]));
	json_array_append_new(w->samples, stack);
	json_array_append_new(w->weights, json_number(s->count * us));
}

/* Return the unit in the schema's words, which has none for instructions and bare ticks. */
static const char *unit_word(const struct profdata *p)
{
	if (p->us > 0)
		return "microseconds";
	if (p->unit == PROFDATA_BYTES)
		return "bytes";
	return "none";
}

/*
 * Return the name of the file or of a profile in it, which is what speedscope shows; with how much
 * was lost, if that is worth a word.
 */
static json_t *title(const struct export *x, const char *rest)
{
	char *loss = profdata_loss(&x->prof), *text;
	json_t *string;

	if (loss)
		text = memory_format("%s%s; %s", basename(x->file), rest, loss);
	else
		text = memory_format("%s%s", basename(x->file), rest);
	string = json_text(text);
	free(text);
	free(loss);
	return string;
}

/* Add the profile that all samples make. */
static void add_sampled(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	double us = 1;
	char *unit = memory_format(" (%s)", profdata_unit_name[p->unit]);
	json_t *profile = json_object();
	size_t i;

	if (p->us > 0)
		us = p->us;
	w->samples = json_array();
	w->weights = json_array();
	for (i = 0; i < p->nsample; i++) {
		add_sample(w, &p->sample[i], us);
		progress_add(&w->x->progress, 1);
	}
	json_object_set_new(profile, "type", json_string("sampled"));
	json_object_set_new(profile, "name", title(w->x, unit));
	json_object_set_new(profile, "unit", json_string(unit_word(p)));
	json_object_set_new(profile, "startValue", json_integer(0));
	json_object_set_new(profile, "endValue", json_number(p->total * us));
	json_object_set_new(profile, "samples", w->samples);
	json_object_set_new(profile, "weights", w->weights);
	json_array_append_new(w->profiles, profile);
	free(unit);
}

/* Add an event to the CPU at hand. */
static void add_event(struct writer *w, const char *type, uint32_t frame, uint64_t us)
{
	json_array_append_new(w->events, json_pack("{s:s, s:I, s:I}", "type", type, "frame",
						   (json_int_t)frame, "at", (json_int_t)us));
}

/* A function is called, or returns. */
static void enter_frame(void *arg, uint32_t frame, uint64_t us)
{
	add_event(arg, "O", frame, us);
}

static void leave_frame(void *arg, uint32_t frame, uint64_t us)
{
	add_event(arg, "C", frame, us);
}

/* Add the profile of a CPU, whose records begin with that one. Return where they end. */
static size_t add_evented(struct writer *w, size_t first)
{
	const struct profdata *p = &w->x->prof;
	const struct profdata_record *r = &p->record[first];
	struct timeline_stack stack = {.now = r->us, .end = r->us};
	struct timeline_span span;
	json_t *profile = json_object();
	char name[32];
	uint64_t end;
	size_t i;

	w->events = json_array();
	for (i = first; i < p->nrecord && p->record[i].cpu == r->cpu; i++) {
		span = timeline_span(p, i);
		w->n = 0;
		if (span.sample == PROFDATA_NONE)
			add_step(w, root_frame(w, p->name[span.process]));
		else
			find_path(w, &p->sample[span.sample]);
		timeline_change(&stack, w->path, w->n, span.begin, span.end, enter_frame,
				leave_frame, w);
	}
	end = stack.end;
	timeline_finish(&stack, leave_frame, w);
	snprintf(name, sizeof(name), "cpu %u", (unsigned)r->cpu);
	json_object_set_new(profile, "type", json_string("evented"));
	json_object_set_new(profile, "name", json_string(name));
	json_object_set_new(profile, "unit", json_string("microseconds"));
	json_object_set_new(profile, "startValue", json_integer((json_int_t)r->us));
	json_object_set_new(profile, "endValue", json_integer((json_int_t)end));
	json_object_set_new(profile, "events", w->events);
	json_array_append_new(w->profiles, profile);
	return i;
}

/* Make the file: its profiles, and the frames, which they share. */
static json_t *make_file(struct writer *w)
{
	json_t *file = json_object();

	json_object_set_new(file, "$schema",
			    json_string("https://www.speedscope.app/file-format-schema.json"));
	json_object_set_new(file, "exporter", json_string("gnomon export"));
	json_object_set_new(file, "name", title(w->x, ""));
	json_object_set_new(file, "activeProfileIndex", json_integer(0));
	json_object_set_new(file, "profiles", w->profiles);
	json_object_set_new(file, "shared", json_pack("{s:o}", "frames", w->frames));
	return file;
}

/* Weights are times if a tick has a known length, else counts. */
int export_speedscope(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {
		.x = x, .frames = json_array(), .profiles = json_array(),
	};
	json_t *file;
	size_t i = 0;
	int bad;

	while (i < x->prof.nrecord)
		i = add_evented(&w, i);
	if (x->prof.nrecord == 0)
		add_sampled(&w);
	file = make_file(&w);
	bad = !file || json_dumpf(file, to, JSON_COMPACT | JSON_REAL_PRECISION(17)) < 0;
	putc('\n', to);
	json_decref(file);
	names_free(&w.roots);
	free(w.of_root);
	free(w.of_function);
	free(w.path);
	if (bad)
		return complain(why, "there is not enough memory for these data");
	return 0;
}
