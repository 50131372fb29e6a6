/* The time line of the page: the records of kptrace(5) as JSON, as page/page.h tells. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/page/page.h"
#include "tools/report/report.h"

#define SWITCH (-1) /* in the place of a node: the process runs from then on */
#define NO_WAIT (-1) /* in the place of a mode: it was ready all the time */
#define NO_LINE (-1) /* in the place of a line: it is none of the table */

/* A process as the lanes know it: a program that another has become has a lane of its own. */
struct lane {
	uint32_t pid, name;
};

/* The arrays that are filled. */
struct timeline {
	const struct profdata *p;
	const uint32_t *node, *line; /* by sample */
	json_t *cpus, *processes, *time, *process, *at, *line_at, *waits;
	size_t n; /* records so far */
	struct lane *lane;
	size_t nlane, room;
	struct distinct known;
};

/* Return the number of a process. */
static size_t lane_of(struct timeline *t, uint32_t pid, uint32_t name)
{
	struct lane key = {.pid = pid, .name = name};
	size_t i = distinct_index(&t->known, t->lane, &key, t->nlane);

	if (i < t->nlane)
		return i;
	t->lane = memory_grow(t->lane, &t->room, t->nlane + 1, sizeof(key));
	t->lane[t->nlane++] = key;
	json_array_append_new(t->processes, json_pack("[I, o]", (json_int_t)pid,
						      page_text(t->p->name[name])));
	return i;
}

/* Return how many records the ring of a CPU has overwritten. */
static uint64_t overwritten(const struct profdata *p, uint32_t cpu)
{
	size_t i;

	for (i = 0; i < p->non; i++)
		if (p->on[i].cpu == cpu)
			return p->on[i].overwritten;
	return 0;
}

/* Return the number of a record's line in the table of lines. */
static json_int_t line_at(const struct timeline *t, const struct profdata_record *r)
{
	if (r->sample == PROFDATA_NONE || t->line[r->sample] == PROFDATA_NONE)
		return NO_LINE;
	return t->line[r->sample];
}

/* Append the records [first, end), which are of one CPU, and of which `over` come before. */
static void append_cpu(struct timeline *t, size_t first, size_t end, size_t over)
{
	const struct profdata_record *r = t->p->record + first;
	uint64_t last = r->us, lost = over + overwritten(t->p, r->cpu);
	json_int_t at;

	json_array_append_new(t->cpus, json_pack("[I, I, I, I]", (json_int_t)r->cpu,
						 (json_int_t)(end - first), (json_int_t)last,
						 (json_int_t)lost));
	for (; r < t->p->record + end; r++) {
		json_array_append_new(t->time, json_integer((json_int_t)(r->us - last)));
		json_array_append_new(t->process, json_integer((json_int_t)
							       lane_of(t, r->pid, r->process)));
		at = SWITCH;
		if (r->sample != PROFDATA_NONE)
			at = t->node[r->sample];
		json_array_append_new(t->at, json_integer(at));
		json_array_append_new(t->line_at, json_integer(line_at(t, r)));
		if (PROFDATA_WAITING & 1u << r->wait) {
			json_array_append_new(t->waits, json_integer((json_int_t)t->n));
			json_array_append_new(t->waits, json_integer(r->wait));
		}
		t->n++;
		last = r->us;
	}
}

/* Return who does not run at the edges of the part that was chosen. */
static json_t *json_reach(struct timeline *t)
{
	json_t *out = json_array();
	size_t i;

	for (i = 0; i < t->p->nreach; i++) {
		const struct profdata_reach *r = &t->p->reach[i];
		json_int_t mode = NO_WAIT;

		if (PROFDATA_WAITING & 1u << r->wait)
			mode = r->wait;
		json_array_append_new(out, json_integer((json_int_t)
							lane_of(t, r->pid, r->process)));
		json_array_append_new(out, json_integer((json_int_t)r->left));
		json_array_append_new(out, json_integer((json_int_t)r->runs));
		json_array_append_new(out, json_integer(mode));
	}
	return out;
}

/* Return the end of the part that was chosen, 0 if that is the last record. */
static json_int_t part_end(const struct profdata *p)
{
	if (!p->has_to)
		return 0;
	return (json_int_t)order_min(p->to, p->last);
}

/* Return who was woken, and on which of the CPUs, as far as there is room: the last ones. */
static json_t *json_woken(const struct profdata *p, size_t most)
{
	json_t *out = json_array();
	size_t i = p->nwoken - order_min(p->nwoken, most);

	for (; i < p->nwoken; i++) {
		json_array_append_new(out, json_integer(p->woken[i].cpu));
		json_array_append_new(out, json_integer((json_int_t)p->woken[i].us));
		json_array_append_new(out, json_integer(p->woken[i].pid));
	}
	return out;
}

/* Return the marks, as far as there is room: the last ones. */
static json_t *json_marks(const struct profdata *p, size_t most)
{
	json_t *out = json_array();
	size_t i = p->nmark - order_min(p->nmark, most);

	for (; i < p->nmark; i++)
		json_array_append_new(out, json_pack("[I, I, I, o]", (json_int_t)p->mark[i].us,
						     (json_int_t)p->mark[i].cpu,
						     (json_int_t)p->mark[i].pid,
						     page_text(p->mark[i].text)));
	return out;
}

/* Each CPU has the same part of the room, for its last records. */
json_t *report_timeline(const struct profdata *p, const uint32_t *node, const uint32_t *line,
			size_t most, size_t *left)
{
	struct timeline t = {
		.p = p, .node = node, .line = line, .cpus = json_array(), .processes = json_array(),
		.time = json_array(), .process = json_array(), .at = json_array(),
		.line_at = json_array(), .waits = json_array(),
		.known = {.size = sizeof(struct lane), .key = sizeof(struct lane)},
	};
	size_t first, end, cpus = 0, over;
	json_t *out;

	for (first = 0; first < p->nrecord; first = profdata_cpu_end(p, first))
		cpus++;
	*left = 0;
	for (first = 0; first < p->nrecord; first = end) {
		end = profdata_cpu_end(p, first);
		over = end - first - order_min(end - first, most / cpus);
		*left += over;
		if (first + over < end)
			append_cpu(&t, first + over, end, over);
	}
	out = json_object();
	json_object_set_new(out, "reach", json_reach(&t));
	json_object_set_new(out, "end", json_integer(part_end(p)));
	distinct_free(&t.known);
	free(t.lane);
	json_object_set_new(out, "cpus", t.cpus);
	json_object_set_new(out, "processes", t.processes);
	json_object_set_new(out, "time", t.time);
	json_object_set_new(out, "process", t.process);
	json_object_set_new(out, "at", t.at);
	json_object_set_new(out, "line", t.line_at);
	json_object_set_new(out, "waits", t.waits);
	json_object_set_new(out, "woken", json_woken(p, most / 2));
	json_object_set_new(out, "marks", json_marks(p, most));
	json_object_set_new(out, "tick", json_real(p->us));
	json_object_set_new(out, "unit", json_string(profdata_unit_name[p->unit]));
	return out;
}
