/*
 * A time line of functions from entries and returns: see tracecalls.h.
 *
 * A process may enter a function on one CPU and return from it on another one. So the events of all
 * CPUs are taken in the order of time, and each process has a stack. Of entries and returns the
 * nanosecond is known, of all other records the microsecond. These come after what was in the same
 * microsecond on other CPUs, for it is more wrong to miss the call that a process slept in than to
 * show one too early; but no time that is shown is after what is known.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/tracecalls.h"

#define NS_OF_US 1000
#define DEEPEST 1024 /* calls in each other; a kernel's stack has no room for so many */
#define ROOT 0	     /* the path of a process in none of the functions */
/*
 * Functions on all paths together. A path is made for each name of a process, so that a file of
 * deep calls and many names has far more of them than lines.
 */
#define STEPS (1u << 25)

enum kind { LINE, ENTRY, RETURN };

/* What a line of the file tells. */
struct event {
	uint64_t ns;	 /* when it was, at the earliest */
	uint64_t latest; /* and at the latest */
	code_addr pc;	 /* of an entry or a return */
	uint32_t on, pid;
	uint32_t process; /* index of its name; PROFDATA_NONE: it is not told */
	unsigned line;
	uint8_t kind, wait;
	bool tick;
};

/* A path: that of its parent, and a function. */
struct node {
	code_addr pc;
	uint32_t parent, depth;
};

/* A path of a process of some name, and its sample. */
struct path {
	uint32_t node, process; /* the key */
	uint32_t sample;
};

/* A process. All CPUs have an idle one, whose number is 0. */
struct thread {
	uint32_t pid, on; /* the key; the CPU is that of an idle one, or else 0 */
	uint32_t name;	  /* PROFDATA_NONE: not known yet */
	uint32_t node;	  /* its path */
	uint32_t began;	  /* how often recording had been stopped before */
	bool running;
	uint64_t seen; /* when that was known last */
};

struct cpu {
	uint32_t thread; /* that runs on it; PROFDATA_NONE: not known */
	uint64_t last;	 /* the time of its last record */
};

struct builder {
	struct profdata *p;
	struct complaint *why;
	uint32_t image;
	struct event *event; /* CPU by CPU */
	size_t n;
	struct cpu *cpu;
	struct thread *thread;
	struct node *node;
	struct path *path;
	size_t nthread, nnode, npath, room_thread, room_node, room_path;
	struct distinct threads, nodes, paths;
	uint64_t complete; /* from then on no CPU has lost a record */
	uint32_t stops;	   /* how often recording was stopped so far */
	size_t steps;	   /* on all paths */
	struct profdata_record *record; /* by event */
	bool *made;			/* which of them have one */
};

void tracecalls_add(struct tracecalls *t, const struct tracecalls_call *call)
{
	t->call = memory_grow(t->call, &t->room, t->n + 1, sizeof(*call));
	t->call[t->n++] = *call;
}

void tracecalls_free(struct tracecalls *t)
{
	free(t->call);
	*t = (struct tracecalls){.n = 0};
}

/* Make the times of all that is no record nanoseconds, which fit: readtrace.c. */
static void convert_others(struct builder *b)
{
	struct profdata *p = b->p;
	size_t i;

	for (i = 0; i < p->nwoken; i++)
		p->woken[i].us *= NS_OF_US;
	for (i = 0; i < p->nmark; i++)
		p->mark[i].us *= NS_OF_US;
}

/* Take a record of the file: a tick, or a change of process. */
static void take_record(struct builder *b, const struct profdata_record *r, uint32_t on)
{
	struct event e = {
		.ns = r->us * NS_OF_US, .on = on, .pid = r->pid, .process = r->process,
		.kind = LINE, .wait = r->wait, .tick = r->sample != PROFDATA_NONE,
	};

	e.latest = e.ns + NS_OF_US - 1;
	b->event[b->n++] = e;
}

static void take_call(struct builder *b, const struct tracecalls_call *c)
{
	struct event e = {
		.ns = c->ns, .latest = c->ns, .on = c->on, .pid = c->pid,
		.process = PROFDATA_NONE, .pc = c->pc, .kind = ENTRY, .line = c->line,
	};

	if (c->returns)
		e.kind = RETURN;
	b->event[b->n++] = e;
}

/* What a CPU did was not after what it did next. */
static void bound_latest(struct builder *b, size_t first)
{
	size_t i;

	for (i = b->n; i > first + 1; i--)
		b->event[i - 2].latest = order_min(b->event[i - 2].latest, b->event[i - 1].latest);
}

/* Take the records and the calls of all CPUs, in the order of the file. */
static void take_events(struct builder *b, const struct tracecalls *t)
{
	const struct profdata *p = b->p;
	size_t i = 0, j = 0, first;
	uint32_t on;

	b->event = memory_zeroed(p->nrecord + t->n, sizeof(*b->event));
	for (on = 0; on < p->non; on++) {
		first = b->n;
		for (;;) {
			bool call = j < t->n && t->call[j].on == on;

			if (call && t->call[j].after <= i)
				take_call(b, &t->call[j++]);
			else if (i == p->nrecord || p->record[i].cpu != p->on[on].cpu)
				break;
			else
				take_record(b, &p->record[i++], on);
		}
		bound_latest(b, first);
		if (p->on[on].overwritten > 0 && first < b->n)
			b->complete = order_max(b->complete, b->event[first].ns);
	}
}

/* Return the process of an event, which is new if it was not met before. */
static struct thread *thread_of(struct builder *b, const struct event *e)
{
	struct thread key = {.pid = e->pid, .name = PROFDATA_NONE, .node = ROOT};
	size_t i;

	if (e->pid == 0)
		key.on = e->on;
	i = distinct_index(&b->threads, b->thread, &key, b->nthread);
	if (i == b->nthread) {
		b->thread = memory_grow(b->thread, &b->room_thread, i + 1, sizeof(key));
		b->thread[b->nthread++] = key;
	}
	return &b->thread[i];
}

/* Return the path that goes on from another one with that function. */
static uint32_t node_of(struct builder *b, uint32_t parent, code_addr pc)
{
	struct node key = {.pc = pc, .parent = parent};
	size_t i;

	if (b->nnode > 0)
		key.depth = b->node[parent].depth + 1;
	i = distinct_index(&b->nodes, b->node, &key, b->nnode);
	if (i == b->nnode) {
		b->node = memory_grow(b->node, &b->room_node, i + 1, sizeof(key));
		b->node[b->nnode++] = key;
	}
	return (uint32_t)i;
}

/* Return the path after a return. What that function had called and has not returned is left. */
static uint32_t return_from(const struct builder *b, uint32_t node, code_addr pc)
{
	uint32_t at;

	for (at = node; at != ROOT; at = b->node[at].parent)
		if (b->node[at].pc == pc)
			return b->node[at].parent;
	return node;
}

/* Add the sample of a path, whose count is made later. */
static void add_sample(struct builder *b, uint32_t node, uint32_t process)
{
	struct profdata_sample like = {.count = 1, .mode = PROFDATA_KERNEL, .process = process};
	struct profdata_frame frame[DEEPEST];
	size_t n = b->node[node].depth, i;

	for (i = n; i > 0; i--) {
		frame[i - 1] = (struct profdata_frame){
			.pc = b->node[node].pc, .image = b->image, .span = 1,
		};
		node = b->node[node].parent;
	}
	profdata_add(b->p, &like, frame, n);
	b->steps += n;
}

/* Return the sample of a process's path; PROFDATA_NONE: it is in none of the functions. */
static uint32_t sample_of(struct builder *b, const struct thread *t)
{
	struct path key = {.node = t->node, .process = t->name};
	size_t i;

	if (t->node == ROOT)
		return PROFDATA_NONE;
	i = distinct_index(&b->paths, b->path, &key, b->npath);
	if (i == b->npath) {
		key.sample = b->p->nsample;
		add_sample(b, t->node, t->name);
		b->path = memory_grow(b->path, &b->room_path, i + 1, sizeof(key));
		b->path[b->npath++] = key;
	}
	return b->path[i].sample;
}

/* Return whether from an event on nothing is known of its CPU. */
static bool is_off(const struct builder *b, const struct event *e)
{
	if (e->kind != LINE || e->tick || e->pid != 0)
		return false;
	return strcmp(b->p->name[e->process], "off") == 0;
}

/* What ran on a CPU does so no longer. */
static void leave_cpu(struct builder *b, struct cpu *c, uint64_t ns)
{
	if (c->thread == PROFDATA_NONE)
		return;
	b->thread[c->thread].running = false;
	b->thread[c->thread].seen = ns;
	c->thread = PROFDATA_NONE;
}

/*
 * A process runs on a CPU, if it did not before. Its path is not known if recording was stopped
 * meanwhile, or if it may have run on a CPU whose records of that time are lost.
 */
static void enter_cpu(struct builder *b, struct cpu *c, struct thread *t, uint64_t ns)
{
	if (t->began != b->stops || (!t->running && t->seen < b->complete))
		t->node = ROOT;
	t->began = b->stops;
	if (c->thread != t - b->thread)
		leave_cpu(b, c, ns);
	c->thread = (uint32_t)(t - b->thread);
	t->running = true;
	t->seen = ns;
}

/* Recording was stopped, on all CPUs at once. */
static void take_off(struct builder *b, const struct event *e, struct profdata_record *r)
{
	struct cpu *c = &b->cpu[e->on];

	leave_cpu(b, c, r->us);
	b->stops++;
	r->process = e->process;
	r->sample = PROFDATA_NONE;
}

/* Go where an entry or a return leads. */
static int take_step(struct builder *b, const struct event *e, struct thread *t)
{
	if (e->kind == RETURN)
		t->node = return_from(b, t->node, e->pc);
	if (e->kind != ENTRY)
		return 0;
	if (b->node[t->node].depth == DEEPEST)
		return complain(b->why, "line %u: more than %u calls in each other", e->line,
				DEEPEST);
	t->node = node_of(b, t->node, e->pc);
	return 0;
}

/* Take the next event. A tick of who runs anyway is none, but may tell a new name. */
static int take_event(struct builder *b, size_t i)
{
	const struct event *e = &b->event[i];
	struct profdata_record *r = &b->record[i];
	struct cpu *c = &b->cpu[e->on];
	struct thread *t = thread_of(b, e);
	bool same = c->thread == t - b->thread;

	*r = (struct profdata_record){
		.us = order_max(e->ns, c->last), .cpu = b->p->on[e->on].cpu, .pid = e->pid,
		.wait = e->wait,
	};
	b->made[i] = !(e->tick && same);
	if (is_off(b, e)) {
		take_off(b, e, r);
	} else {
		r->us = order_max(r->us, t->seen);
		enter_cpu(b, c, t, r->us);
		if (e->process != PROFDATA_NONE)
			t->name = e->process;
		if (take_step(b, e, t) < 0)
			return -1;
		r->process = t->name;
		if (b->made[i])
			r->sample = sample_of(b, t);
	}
	if (b->steps > STEPS)
		return complain(b->why, "its calls have more than %u functions on their paths",
				STEPS);
	c->last = r->us;
	return 0;
}

/* For qsort_r: events by time. Those of a CPU stay in their order. */
static int compare_events(const void *va, const void *vb, void *events)
{
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;
	const struct event *e = events;

	if (e[a].latest != e[b].latest)
		return order(e[a].latest, e[b].latest);
	return order(a, b);
}

/* Return the events' indices in the order of time. */
static size_t *sorted_events(struct builder *b)
{
	size_t *sorted = memory_zeroed(b->n, sizeof(*sorted)), i;

	for (i = 0; i < b->n; i++)
		sorted[i] = i;
	qsort_r(sorted, b->n, sizeof(*sorted), compare_events, b->event);
	return sorted;
}

/* Give each process the first name that it has, and one that has none "?", as the kernel does. */
static void name_threads(struct builder *b, const size_t *sorted)
{
	const struct event *e;
	struct thread *t;
	size_t i;

	for (i = 0; i < b->n; i++) {
		e = &b->event[sorted[i]];
		t = thread_of(b, e);
		if (t->name == PROFDATA_NONE && !is_off(b, e))
			t->name = e->process;
	}
	for (i = 0; i < b->nthread; i++) {
		t = &b->thread[i];
		if (t->name != PROFDATA_NONE)
			continue;
		if (t->pid == 0)
			t->name = profdata_name(b->p, "idle", 4);
		else
			t->name = profdata_name(b->p, "?", 1);
	}
}

/* Forget the ticks, whose paths are not what ran from then on. */
static void drop_samples(struct profdata *p)
{
	p->nsample = p->npath = 0;
	p->total = 0;
	memset(p->by_mode, 0, sizeof(p->by_mode));
	p->has_paths = false;
}

/* Take the events in the order of time. */
static int take_all(struct builder *b)
{
	size_t *sorted = sorted_events(b), i;
	int bad = 0;

	name_threads(b, sorted);
	for (i = 0; i < b->n && !bad; i++)
		bad = take_event(b, sorted[i]);
	free(sorted);
	return bad;
}

/* Check that what is counted does not overflow: the time from first to last on each CPU. */
static int check_sum(struct builder *b)
{
	uint64_t sum = 0, span;
	uint32_t on;

	for (on = 0; on < b->p->non; on++) {
		if (b->p->on[on].since == UINT64_MAX)
			continue;
		span = b->cpu[on].last - b->p->on[on].since;
		if (sum > UINT64_MAX - span)
			return complain(b->why, "the times of its processors add up to 2^64 ns or "
					"more");
		sum += span;
	}
	return 0;
}

/* Put the new records into the place of the old ones. */
static int put_records(struct builder *b)
{
	struct profdata *p = b->p;
	size_t i, n = 0;
	uint32_t on;

	for (on = 0; on < p->non; on++)
		p->on[on].since = UINT64_MAX;
	for (i = 0; i < b->n; i++) {
		on = b->event[i].on;
		p->on[on].since = order_min(p->on[on].since, b->record[i].us);
		if (b->made[i])
			b->record[n++] = b->record[i];
	}
	if (check_sum(b) < 0)
		return -1;
	free(p->record);
	p->record = b->record;
	b->record = NULL;
	profdata_recount(p, n);
	return 0;
}

static int build(struct builder *b, const struct tracecalls *t)
{
	size_t i;

	b->cpu = memory_zeroed(b->p->non, sizeof(*b->cpu));
	for (i = 0; i < b->p->non; i++)
		b->cpu[i].thread = PROFDATA_NONE;
	node_of(b, ROOT, 0);
	convert_others(b);
	take_events(b, t);
	drop_samples(b->p);
	b->p->unit = PROFDATA_NANOSECONDS;
	b->p->us = 1.0 / NS_OF_US;
	b->record = memory_zeroed(b->n, sizeof(*b->record));
	b->made = memory_zeroed(b->n, sizeof(*b->made));
	if (take_all(b) < 0)
		return -1;
	return put_records(b);
}

int tracecalls_apply(const struct tracecalls *t, struct profdata *p, uint32_t image,
		     struct complaint *why)
{
	struct builder b = {
		.p = p, .why = why, .image = image,
		.threads = {.size = sizeof(struct thread), .key = offsetof(struct thread, name)},
		.nodes = {.size = sizeof(struct node), .key = sizeof(struct node)},
		.paths = {.size = sizeof(struct path), .key = offsetof(struct path, sample)},
	};
	int bad = build(&b, t);

	free(b.event);
	free(b.cpu);
	free(b.thread);
	free(b.node);
	free(b.path);
	free(b.record);
	free(b.made);
	distinct_free(&b.threads);
	distinct_free(&b.nodes);
	distinct_free(&b.paths);
	return bad;
}
