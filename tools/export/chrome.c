/*
 * Chrome's trace format, which Perfetto reads, too:
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 *	{"displayTimeUnit": "ms", "otherData": {"lost": "lost: 3.0 %..."}, "traceEvents": [
 *	{"ph": "M", "name": "process_name", "pid": 7, "ts": 0, "args": {"name": "sh"}},
 *	{"ph": "B", "name": "main", "pid": 7, "tid": 7, "ts": 1234},	begin, in microseconds
 *	{"ph": "E", "name": "main", "pid": 7, "tid": 7, "ts": 5678}]}	and end
 *
 * A time line has a lane for each CPU, with the processes that ran there, and for each process,
 * with its functions, which go on while it does not run if it is known when they were entered and
 * left. Other profiles have no times: there, the paths of a process follow each other, each for as
 * long as all of its counts took.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"

#define DIGITS 15 /* of a time: what a double has */
#define EVENT 50  /* bytes of an event, without its name */
#define CPUS 0 /* the pid of the group of lanes that are CPUs: in the guest, idle ones have it */

/* A thread of the format's. */
struct lane {
	uint32_t pid, tid; /* the key */
	uint32_t name;	   /* of the process: the last it had */
	struct timeline_stack stack;
};

/* The file being made. */
struct writer {
	struct export *x;
	FILE *to;
	struct names names; /* of frames */
	uint32_t *of_function; /* the number of each one's name and 1; 0: it has none yet */
	size_t room_function;
	struct lane *lane;
	size_t nlane, room_lane;
	struct distinct known;
	struct timeline_open open; /* lanes of processes */
	uint32_t at;	 /* the lane whose stack is changing */
	uint32_t *frame; /* of the path at hand, as numbers of names */
	size_t n, room;
	bool first;
	uint64_t bytes; /* of begins and ends; those above EXPORT_MOST are not written */
};

/* Write an object, and free it. */
static void put_object(struct writer *w, json_t *event)
{
	if (!w->first)
		putc(',', w->to);
	putc('\n', w->to);
	w->first = false;
	if (!event || json_dumpf(event, w->to, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) < 0)
		memory_out();
	json_decref(event);
}

/* Return a time of the time line in microseconds, and parts of one if these are known. */
static json_t *json_time(const struct writer *w, uint64_t time)
{
	if (w->x->prof.unit == PROFDATA_NANOSECONDS)
		return json_real((double)time / 1000);
	return json_integer((json_int_t)time);
}

/* Write a begin or an end in the lane at hand. */
static void put_event(struct writer *w, const char *phase, uint32_t frame, uint64_t time)
{
	const struct lane *l = &w->lane[w->at];
	json_t *event;

	w->bytes += strlen(w->names.name[frame]) + EVENT;
	if (w->bytes > EXPORT_MOST)
		return;
	event = json_object();
	json_object_set_new(event, "ph", json_string(phase));
	json_object_set_new(event, "name", json_string(w->names.name[frame]));
	json_object_set_new(event, "pid", json_integer(l->pid));
	json_object_set_new(event, "tid", json_integer(l->tid));
	json_object_set_new(event, "ts", json_time(w, time));
	put_object(w, event);
}

/* A function is called, or returns. */
static void enter_frame(void *arg, uint32_t frame, uint64_t time)
{
	put_event(arg, "B", frame, time);
}

static void leave_frame(void *arg, uint32_t frame, uint64_t time)
{
	put_event(arg, "E", frame, time);
}

/* Find a lane, or make it. */
static struct lane *lane_of(struct writer *w, uint32_t pid, uint32_t tid)
{
	struct lane key = {.pid = pid, .tid = tid};

	w->at = distinct_index(&w->known, w->lane, &key, w->nlane);
	if (w->at == w->nlane) {
		w->lane = memory_grow(w->lane, &w->room_lane, w->nlane + 1, sizeof(key));
		w->lane[w->nlane++] = key;
	}
	return &w->lane[w->at];
}

/* Return the number of a name. */
static uint32_t name_number(struct writer *w, const char *name)
{
	char *valid = printable(name);
	uint32_t number = names_number(&w->names, valid);

	free(valid);
	return number;
}

/* Add a frame, by the number of its name, to the path at hand. */
static void add_frame(struct writer *w, uint32_t number)
{
	w->frame = memory_grow(w->frame, &w->room, w->n + 1, sizeof(*w->frame));
	w->frame[w->n++] = number;
}

/* Add a function. */
static void add_function(struct writer *w, uint32_t function)
{
	char buf[512];
	uint32_t *number;

	w->of_function = memory_grow_zeroed(w->of_function, &w->room_function, function + 1ull,
					    sizeof(*w->of_function));
	number = &w->of_function[function];
	if (!*number)
		*number = name_number(w, export_name(w->x, function, buf, sizeof(buf))) + 1;
	add_frame(w, *number - 1);
}

/* Add the functions of a sample. */
static void add_path(struct writer *w, const struct profdata_sample *s)
{
	size_t n, i;
	const struct step *step = export_path(w->x, s, &n);

	for (i = 0; i < n; i++)
		add_function(w, step[i].function);
}

/*
 * Put a path into a lane, for that time. One that takes none would begin and end at the same time,
 * and readers that sort events do not know then which comes first.
 */
static void show_path(struct writer *w, struct lane *l, const uint32_t *frame, size_t n,
		      uint64_t begin, uint64_t end)
{
	if (order_max(begin, l->stack.now) < end)
		timeline_change(&l->stack, frame, n, begin, end, enter_frame, leave_frame, w);
}

/* Show a span in the lane of its CPU: the process, and for an idle one where it waits. */
static void on_cpu(struct writer *w, const struct timeline_span *s)
{
	const struct profdata *p = &w->x->prof;
	const char *process = p->name[s->process];
	char *name = memory_format("%s (%u)", process, (unsigned)s->pid);

	w->n = 0;
	if (s->pid == 0)
		add_frame(w, name_number(w, process));
	else
		add_frame(w, name_number(w, name));
	if (s->pid == 0 && s->sample != PROFDATA_NONE)
		add_path(w, &p->sample[s->sample]);
	show_path(w, lane_of(w, CPUS, s->cpu), w->frame, w->n, s->begin, s->end);
	free(name);
}

/* Show a span in the lane of its process. */
static void in_process(struct writer *w, const struct timeline_span *s)
{
	struct lane *l = lane_of(w, s->pid, s->pid);

	w->n = 0;
	timeline_note(&w->open, &l->stack, w->at);
	l->name = s->process;
	if (timeline_of_processes(&w->x->prof))
		timeline_stay(&l->stack, s->begin);
	if (s->sample != PROFDATA_NONE)
		add_path(w, &w->x->prof.sample[s->sample]);
	show_path(w, l, w->frame, w->n, s->begin, s->end);
}

/* Return from all functions of processes at a moment, from which on it is not known what runs. */
static void leave_all(struct writer *w, uint64_t time)
{
	struct lane *l;
	size_t i;

	for (i = 0; i < w->open.n; i++) {
		w->at = w->open.at[i];
		l = &w->lane[w->at];
		timeline_stay(&l->stack, time);
		timeline_finish(&l->stack, leave_frame, w);
	}
	w->open.n = 0;
}

/* Write the time line, in which an instruction is a microsecond if these are the unit. */
static void put_records(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct timeline_span *span = timeline_spans(p);
	uint64_t last = 0;
	size_t i;

	for (i = 0; i < p->nrecord; i++) {
		last = order_max(last, span[i].end);
		if (timeline_of_processes(p) && profdata_is_off(p, &p->record[span[i].record]))
			leave_all(w, span[i].begin);
		on_cpu(w, &span[i]);
		if (span[i].pid != CPUS)
			in_process(w, &span[i]);
	}
	if (timeline_of_processes(p))
		leave_all(w, last);
	free(span);
}

/* Write the marks, as events of all lanes that take no time. */
static void put_marks(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	size_t i;

	for (i = 0; i < p->nmark; i++) {
		json_t *event = json_object();

		json_object_set_new(event, "ph", json_string("i"));
		json_object_set_new(event, "s", json_string("g"));
		json_object_set_new(event, "name", json_string(p->mark[i].text));
		json_object_set_new(event, "pid", json_integer(p->mark[i].pid));
		json_object_set_new(event, "tid", json_integer(p->mark[i].pid));
		json_object_set_new(event, "ts", json_time(w, p->mark[i].us));
		put_object(w, event);
	}
}

/* The path of a sample: `n` frames from `at` on in an array of all. */
struct path {
	const struct profdata_sample *sample;
	size_t at, n;
};

/* For qsort_r: by process, then in the order in which frames were met. */
static int compare_paths(const void *va, const void *vb, void *frames)
{
	const struct path *a = va, *b = vb;
	const uint32_t *fa = (uint32_t *)frames + a->at, *fb = (uint32_t *)frames + b->at;
	size_t i;

	if (a->sample->process != b->sample->process)
		return order(a->sample->process, b->sample->process);
	for (i = 0; i < a->n && i < b->n; i++)
		if (fa[i] != fb[i])
			return order(fa[i], fb[i]);
	return order(a->n, b->n);
}

/* Find the path of each sample, and sort them, so that what is alike is in one place. */
static struct path *sorted_paths(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct path *path = memory_zeroed(p->nsample, sizeof(*path));
	const char *root[2];
	size_t i, j, n;

	for (i = 0; i < p->nsample; i++) {
		path[i] = (struct path){.sample = &p->sample[i], .at = w->n};
		n = export_roots(w->x, path[i].sample, root);
		for (j = 0; j < n; j++)
			add_frame(w, name_number(w, root[j]));
		add_path(w, path[i].sample);
		path[i].n = w->n - path[i].at;
		progress_add(&w->x->progress, 1);
	}
	qsort_r(path, p->nsample, sizeof(*path), compare_paths, w->frame);
	return path;
}

/* Write a profile without times, a lane a process. */
static void put_counts(struct writer *w)
{
	struct path *path = sorted_paths(w);
	struct lane *l;
	uint64_t begin, length;
	size_t i;

	for (i = 0; i < w->x->prof.nsample; i++) {
		const struct profdata_sample *s = path[i].sample;

		l = lane_of(w, export_pid(s), 1);
		l->name = s->process;
		begin = l->stack.end;
		length = (uint64_t)llround(s->count * w->x->prof.us);
		show_path(w, l, w->frame + path[i].at, path[i].n, begin, begin + length);
	}
	free(path);
}

/* Write the name of a lane, or of the group that it is in. */
static void put_name(struct writer *w, const char *kind, const struct lane *l, const char *name)
{
	char *valid = printable(name);
	json_t *event = json_object();

	json_object_set_new(event, "ph", json_string("M"));
	json_object_set_new(event, "name", json_string(kind));
	json_object_set_new(event, "pid", json_integer(l->pid));
	json_object_set_new(event, "tid", json_integer(l->tid));
	json_object_set_new(event, "ts", json_integer(0));
	json_object_set_new(event, "args", json_pack("{s:s}", "name", valid));
	put_object(w, event);
	free(valid);
}

/* Name a lane. Those of a time line are CPUs and processes; others are sums of a process. */
static void name_lane(struct writer *w, const struct lane *l)
{
	const struct profdata *p = &w->x->prof;
	const char *process = "all";
	char *thread;

	if (l->name != PROFDATA_NONE)
		process = p->name[l->name];
	if (p->nrecord == 0) {
		thread = memory_format("%s, sums", process);
	} else if (l->pid == CPUS) {
		process = "CPUs";
		thread = memory_format("cpu %u", (unsigned)l->tid);
	} else {
		thread = memory_format("%s", process);
	}
	put_name(w, "process_name", l, process);
	put_name(w, "thread_name", l, thread);
	free(thread);
}

/* End all lanes, and name them. */
static void finish_lanes(struct writer *w)
{
	for (w->at = 0; w->at < w->nlane; w->at++) {
		timeline_finish(&w->lane[w->at].stack, leave_frame, w);
		name_lane(w, &w->lane[w->at]);
	}
}

/* Write what the format has room for beside events: how much was lost, if that is worth a word. */
static void put_other(const struct export *x, FILE *to)
{
	char *loss = profdata_loss(&x->prof);
	json_t *other = json_object();

	if (loss) {
		json_object_set_new(other, "lost", json_string(loss));
		fputs("\"otherData\":", to);
		json_dumpf(other, to, JSON_COMPACT);
		putc(',', to);
	}
	json_decref(other);
	free(loss);
}

int export_chrome(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {
		.x = x, .to = to, .first = true,
		.known = {.size = sizeof(*w.lane), .key = offsetof(struct lane, name)},
	};
	const char *unit = "ms";

	if (x->prof.us <= 0 && x->prof.nrecord == 0)
		return complain(why, "Chrome's format has times, and how long these %s took is "
				"not known", profdata_unit_name[x->prof.unit]);
	if (x->prof.nrecord + x->prof.nsample == 0)
		return complain(why, "there is nothing in it");
	if (x->prof.unit == PROFDATA_NANOSECONDS)
		unit = "ns";
	fprintf(to, "{\"displayTimeUnit\":\"%s\",", unit);
	put_other(x, to);
	fputs("\"traceEvents\":[", to);
	if (x->prof.nrecord > 0)
		put_records(&w);
	else
		put_counts(&w);
	put_marks(&w);
	finish_lanes(&w);
	fputs("\n]}\n", to);
	names_free(&w.names);
	distinct_free(&w.known);
	free(w.lane);
	free(w.open.at);
	free(w.frame);
	free(w.of_function);
	if (w.bytes > EXPORT_MOST)
		return complain(why, "its calls and returns have more than %u bytes in Chrome's "
				"format", EXPORT_MOST);
	return 0;
}
