/*
 * Chrome's trace format, which Perfetto reads, too:
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 *	{"displayTimeUnit": "ms", "traceEvents": [
 *	{"ph": "M", "name": "process_name", "pid": 7, "ts": 0, "args": {"name": "sh"}},
 *	{"ph": "B", "name": "main", "pid": 7, "tid": 7, "ts": 1234},	begin, in microseconds
 *	{"ph": "E", "name": "main", "pid": 7, "tid": 7, "ts": 5678}]}	and end
 *
 * A time line has a lane for each CPU, with the processes that ran there, and for each process,
 * with its functions. Other profiles have no times: there, the paths of a process follow each
 * other, each for as long as all of its counts took.
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
	struct lane *lane;
	size_t nlane, room_lane;
	struct distinct known;
	uint32_t at;	 /* the lane whose stack is changing */
	uint32_t *frame; /* of the path at hand, as numbers of names */
	size_t n, room;
	bool first, bad;
};

/* Write an object, and free it. JSON is UTF-8, which a name need not be: then it is NULL. */
static void put(struct writer *w, json_t *event)
{
	fputs(w->first ? "\n" : ",\n", w->to);
	w->first = false;
	w->bad |= !event || json_dumpf(event, w->to, JSON_COMPACT) < 0;
	json_decref(event);
}

/* Write a begin or an end in the lane at hand. */
static void put_event(struct writer *w, const char *phase, uint32_t frame, uint64_t us)
{
	const struct lane *l = &w->lane[w->at];

	put(w, json_pack("{s:s, s:s, s:I, s:I, s:I}", "ph", phase, "name", w->names.name[frame],
			 "pid", (json_int_t)l->pid, "tid", (json_int_t)l->tid, "ts",
			 (json_int_t)us));
}

/* A function is called, or returns. */
static void enter(void *arg, uint32_t frame, uint64_t us)
{
	put_event(arg, "B", frame, us);
}

static void leave(void *arg, uint32_t frame, uint64_t us)
{
	put_event(arg, "E", frame, us);
}

/* Find a lane, or make it. */
static struct lane *lane(struct writer *w, uint32_t pid, uint32_t tid)
{
	struct lane key = {.pid = pid, .tid = tid};

	w->at = distinct_index(&w->known, w->lane, &key, w->nlane);
	if (w->at == w->nlane) {
		w->lane = memory_grow(w->lane, &w->room_lane, w->nlane + 1, sizeof(key));
		w->lane[w->nlane++] = key;
	}
	return &w->lane[w->at];
}

/* Add a frame to the path at hand. What is no UTF-8 gets question marks. */
static void add_frame(struct writer *w, const char *name)
{
	char *valid = export_utf8(name);

	w->frame = memory_grow(w->frame, &w->room, w->n + 1, sizeof(*w->frame));
	w->frame[w->n++] = names_number(&w->names, valid);
	free(valid);
}

/* Add the functions of a sample. */
static void add_path(struct writer *w, const struct profdata_sample *s)
{
	char buf[512];
	size_t n, i;
	const struct step *step = export_path(w->x, s, &n);

	for (i = 0; i < n; i++)
		add_frame(w, export_name(w->x, step[i].function, buf, sizeof(buf)));
}

/* Put the path at hand into a lane, for that time. */
static void show(struct writer *w, struct lane *l, uint64_t begin, uint64_t end)
{
	timeline_change(&l->stack, w->frame, w->n, begin, end, enter, leave, w);
}

/* Show a span in the lane of its CPU: the process, and for an idle one where it waits. */
static void on_cpu(struct writer *w, const struct timeline_span *s)
{
	const struct profdata *p = &w->x->prof;
	char *name = memory_format("%s (%u)", p->name[s->process], (unsigned)s->pid);

	w->n = 0;
	add_frame(w, s->pid ? name : p->name[s->process]);
	if (s->pid == 0 && s->sample != PROFDATA_NONE)
		add_path(w, &p->sample[s->sample]);
	show(w, lane(w, CPUS, s->cpu), s->begin, s->end);
	free(name);
}

/* Show a span in the lane of its process. */
static void in_process(struct writer *w, const struct timeline_span *s)
{
	struct lane *l = lane(w, s->pid, s->pid);

	w->n = 0;
	l->name = s->process;
	if (s->sample != PROFDATA_NONE)
		add_path(w, &w->x->prof.sample[s->sample]);
	show(w, l, s->begin, s->end);
}

/* Write the time line. */
static void put_records(struct writer *w)
{
	struct timeline_span *span = timeline_spans(&w->x->prof);
	size_t i;

	for (i = 0; i < w->x->prof.nrecord; i++) {
		on_cpu(w, &span[i]);
		if (span[i].pid != CPUS)
			in_process(w, &span[i]);
	}
	free(span);
}

/* The path of a sample: `n` frames from `at` on in an array of all. */
struct path {
	const struct profdata_sample *sample;
	size_t at, n;
};

/* For qsort_r: by process, then in the order in which frames were met. */
static int compare(const void *va, const void *vb, void *frames)
{
	const struct path *a = va, *b = vb;
	const uint32_t *fa = (uint32_t *)frames + a->at, *fb = (uint32_t *)frames + b->at;
	size_t i;

	if (a->sample->process != b->sample->process)
		return a->sample->process < b->sample->process ? -1 : 1;
	for (i = 0; i < a->n && i < b->n; i++)
		if (fa[i] != fb[i])
			return fa[i] < fb[i] ? -1 : 1;
	return a->n < b->n ? -1 : a->n > b->n;
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
			add_frame(w, root[j]);
		add_path(w, path[i].sample);
		path[i].n = w->n - path[i].at;
		progress_add(&w->x->progress, 1);
	}
	qsort_r(path, p->nsample, sizeof(*path), compare, w->frame);
	return path;
}

/* Write a profile without times, a lane a process. */
static void put_counts(struct writer *w)
{
	struct path *path = sorted_paths(w);
	size_t i;

	for (i = 0; i < w->x->prof.nsample; i++) {
		const struct profdata_sample *s = path[i].sample;
		struct lane *l = lane(w, s->process == PROFDATA_NONE ? 0 : s->process + 1, 1);

		l->name = s->process;
		timeline_change(&l->stack, w->frame + path[i].at, path[i].n, l->stack.end,
				l->stack.end + (uint64_t)llround(s->count * w->x->prof.us), enter,
				leave, w);
	}
	free(path);
}

/* Write the name of a lane, or of the group that it is in. */
static void put_name(struct writer *w, const char *kind, const struct lane *l, const char *name)
{
	char *valid = export_utf8(name);

	put(w, json_pack("{s:s, s:s, s:I, s:I, s:i, s:{s:s}}", "ph", "M", "name", kind, "pid",
			 (json_int_t)l->pid, "tid", (json_int_t)l->tid, "ts", 0, "args", "name",
			 valid));
	free(valid);
}

/* End all lanes, and name them. */
static void finish(struct writer *w)
{
	const struct profdata *p = &w->x->prof;

	for (w->at = 0; w->at < w->nlane; w->at++) {
		struct lane *l = &w->lane[w->at];
		bool cpu = p->nrecord > 0 && l->pid == CPUS;
		const char *process = l->name == PROFDATA_NONE ? "all" : p->name[l->name];
		char *thread = cpu ? memory_format("cpu %u", (unsigned)l->tid) :
				     memory_format("%s%s", process, p->nrecord ? "" : ", sums");

		timeline_finish(&l->stack, leave, w);
		put_name(w, "process_name", l, cpu ? "CPUs" : process);
		put_name(w, "thread_name", l, thread);
		free(thread);
	}
}

int export_chrome(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {
		.x = x, .to = to, .first = true,
		.known = {.size = sizeof(*w.lane), .key = offsetof(struct lane, name)},
	};

	if (x->prof.us <= 0)
		return complain(why, "Chrome's format has times, and how long these %s took is "
				"not known", profdata_unit_name[x->prof.unit]);
	if (x->prof.nrecord + x->prof.nsample == 0)
		return complain(why, "there is nothing in it");
	fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", to);
	if (x->prof.nrecord > 0)
		put_records(&w);
	else
		put_counts(&w);
	finish(&w);
	fputs("\n]}\n", to);
	names_free(&w.names);
	distinct_free(&w.known);
	free(w.lane);
	free(w.frame);
	return w.bad ? complain(why, "there is not enough memory for these data") : 0;
}
