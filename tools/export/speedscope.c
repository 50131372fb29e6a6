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
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/printable.h"

/*
 * Calls and returns of a time line. Where processes with deep stacks take turns on a CPU, each
 * change is one of all their functions: the file would have far more of them than the profile.
 */
#define EVENTS_MOST 10000000u

#define EXACT 9007199254740992.0 /* 2^53: JavaScript has all whole numbers up to this */

/* A file being written as it is made: only its frames, which come last, are kept. They come in the
 * order in which roots and functions are met. */
struct writer {
	struct export *x;
	FILE *to;
	bool bad;  /* there was no memory for a value */
	bool some; /* the list being written has an element */
	json_t *frames;
	size_t events; /* of all CPUs; those above EVENTS_MOST are not written */
	uint32_t *path; /* of the sample at hand: indices of frames */
	size_t n, room_path;
	struct names roots;
	uint32_t *of_root, *of_function; /* by number: index of the frame + 1; 0: none yet */
	size_t room_root, room_function;
};

/* Write a value, and drop it. */
static void put_value(struct writer *w, json_t *value)
{
	const size_t how = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);

	if (!value || json_dumpf(value, w->to, how) < 0)
		w->bad = true;
	json_decref(value);
}

/* Write a member of an object; not its first. */
static void put_member(struct writer *w, const char *name, json_t *value)
{
	fprintf(w->to, ",\"%s\":", name);
	put_value(w, value);
}

/* Begin a member that is a list, and end it. */
static void begin_list(struct writer *w, const char *name)
{
	fprintf(w->to, ",\"%s\":[", name);
	w->some = false;
}

static void end_list(struct writer *w)
{
	putc(']', w->to);
	w->some = true; /* the list that this one is in */
}

/* What comes next is an element of the list. */
static void next_element(struct writer *w)
{
	if (w->some)
		putc(',', w->to);
	w->some = true;
}

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
			       origin.line) +
		     1;
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

/* Write a sample's path. */
static void add_sample(struct writer *w, const struct profdata_sample *s)
{
	size_t i;

	find_path(w, s);
	next_element(w);
	putc('[', w->to);
	for (i = 0; i < w->n; i++) {
		if (i > 0)
			putc(',', w->to);
		fprintf(w->to, "%" PRIu32, w->path[i]);
	}
	putc(']', w->to);
}

/* Return the unit in the schema's words, which has none for instructions and bare ticks. */
static const char *unit_word(const struct profdata *p)
{
	if (p->unit == PROFDATA_NANOSECONDS)
		return "nanoseconds";
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

/* Begin a profile: what is the same in all. */
static void begin_profile(struct writer *w, const char *type, json_t *name, const char *unit)
{
	next_element(w);
	fprintf(w->to, "{\"type\":\"%s\"", type);
	put_member(w, "name", name);
	put_member(w, "unit", json_string(unit));
}

/* Write the profile that all samples make. */
static void add_sampled(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	double us = 1;
	char *unit = memory_format(" (%s)", profdata_unit_name[p->unit]);
	size_t i;

	if (p->us > 0 && p->unit != PROFDATA_NANOSECONDS)
		us = p->us;
	begin_profile(w, "sampled", title(w->x, unit), unit_word(p));
	free(unit);
	put_member(w, "startValue", json_integer(0));
	put_member(w, "endValue", json_number(p->total * us));
	begin_list(w, "samples");
	for (i = 0; i < p->nsample; i++) {
		add_sample(w, &p->sample[i]);
		progress_add(&w->x->progress, 1);
	}
	end_list(w);
	begin_list(w, "weights");
	for (i = 0; i < p->nsample; i++) {
		next_element(w);
		put_value(w, json_number(p->sample[i].count * us));
	}
	end_list(w);
	putc('}', w->to);
}

/* Write an event of the CPU at hand. */
static void add_event(struct writer *w, const char *type, uint32_t frame, uint64_t time)
{
	if (w->events++ >= EVENTS_MOST)
		return;
	next_element(w);
	fprintf(w->to, "{\"type\":\"%s\",\"frame\":%" PRIu32 ",\"at\":%" PRIu64 "}", type, frame,
		time);
}

/* A function is called, or returns. */
static void enter_frame(void *arg, uint32_t frame, uint64_t time)
{
	add_event(arg, "O", frame, time);
}

static void leave_frame(void *arg, uint32_t frame, uint64_t time)
{
	add_event(arg, "C", frame, time);
}

/* Write the profile of a CPU, whose records begin with that one. Return where they end. */
static size_t add_evented(struct writer *w, size_t first)
{
	const struct profdata *p = &w->x->prof;
	const struct profdata_record *r = &p->record[first];
	const char *unit = "microseconds";
	struct timeline_stack stack = {.now = r->us, .end = r->us};
	struct timeline_span span;
	char name[32];
	uint64_t end;
	size_t i;

	if (p->unit == PROFDATA_NANOSECONDS)
		unit = unit_word(p);
	snprintf(name, sizeof(name), "cpu %u", (unsigned)r->cpu);
	begin_profile(w, "evented", json_string(name), unit);
	put_member(w, "startValue", json_integer((json_int_t)r->us));
	begin_list(w, "events");
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
	end_list(w);
	put_member(w, "endValue", json_integer((json_int_t)end));
	putc('}', w->to);
	return i;
}

/* Weights are times if a tick has a known length, else counts. */
int export_speedscope(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {.x = x, .to = to, .frames = json_array()};
	size_t i = 0;

	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"", to);
	put_member(&w, "exporter", json_string("gnomon export"));
	put_member(&w, "name", title(x, ""));
	put_member(&w, "activeProfileIndex", json_integer(0));
	begin_list(&w, "profiles");
	while (i < x->prof.nrecord)
		i = add_evented(&w, i);
	if (x->prof.nrecord == 0)
		add_sampled(&w);
	end_list(&w);
	put_member(&w, "shared", json_pack("{s:o}", "frames", w.frames));
	fputs("}\n", to);
	names_free(&w.roots);
	free(w.of_root);
	free(w.of_function);
	free(w.path);
	if (w.events > EVENTS_MOST)
		return complain(why, "its time line has more than %u calls and returns for "
				"speedscope; --from and --to select a part", EVENTS_MOST);
	if (w.bad)
		return complain(why, "there is not enough memory for these data");
	return 0;
}
