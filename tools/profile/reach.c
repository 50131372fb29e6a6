/* What reaches over the edges of a part of a time line: see reach.h. */
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/reach.h"

/* From when to when a process ran on a CPU, and what it had waited for. */
struct run {
	uint64_t from, to;
	uint32_t pid, process;
	uint8_t wait;
};

struct runs {
	struct run *run;
	size_t n, room;
	uint64_t *off; /* moments at which recording was stopped, of which there are few */
	size_t noff, room_off;
};

/* Return whether a record tells nothing but that the process of a run still does. */
static bool goes_on(const struct profdata *p, const struct run *run,
		    const struct profdata_record *r)
{
	if (!profdata_of_functions(p))
		return r->sample != PROFDATA_NONE;
	if (r->wait)
		return false;
	return run && run->pid == r->pid && run->process == r->process;
}

/* Add the runs on the CPU whose records are [first, end). The last one goes on. */
static void add_cpu(struct runs *to, const struct profdata *p, size_t first, size_t end)
{
	struct run *open = NULL;
	size_t i;

	for (i = first; i < end; i++) {
		const struct profdata_record *r = &p->record[i];

		if (profdata_is_off(p, r)) {
			to->off = memory_grow(to->off, &to->room_off, to->noff + 1,
					      sizeof(*to->off));
			to->off[to->noff++] = r->us;
		}
		if (goes_on(p, open, r))
			continue;
		if (open)
			open->to = r->us;
		open = NULL;
		if (r->pid == 0)
			continue;
		to->run = memory_grow(to->run, &to->room, to->n + 1, sizeof(*to->run));
		open = &to->run[to->n++];
		*open = (struct run){r->us, UINT64_MAX, r->pid, r->process, r->wait};
	}
}

/* For qsort(): process by process, in order of time. */
static int compare_runs(const void *va, const void *vb)
{
	const struct run *a = va, *b = vb;

	if (a->pid != b->pid)
		return order(a->pid, b->pid);
	return order(a->from, b->from);
}

/* Return whether recording was stopped between. */
static bool was_off(const struct runs *runs, uint64_t from, uint64_t to)
{
	size_t i;

	for (i = 0; i < runs->noff; i++)
		if (runs->off[i] >= from && runs->off[i] < to)
			return true;
	return false;
}

/* Note that the process of a run did not run before it, since it left. */
static void note(struct profdata *p, const struct runs *runs, uint64_t left,
		 const struct run *next)
{
	struct profdata_reach new = {
		.left = left, .runs = next->from, .pid = next->pid, .process = next->process,
		.wait = next->wait,
	};

	if (was_off(runs, left, next->from))
		return;
	p->reach = memory_grow(p->reach, &p->room_reach, p->nreach + 1, sizeof(new));
	p->reach[p->nreach++] = new;
}

/*
 * Of the runs [run, end) of a process find the first that is after an edge, and note it, if the
 * process ran before the edge, but not there. Return until when it does not run.
 */
static uint64_t find_edge(struct profdata *p, const struct runs *runs, const struct run *run,
			  const struct run *end, uint64_t edge)
{
	uint64_t left = 0;
	const struct run *first = run;

	for (; run < end && run->from < edge; run++)
		if (run->to > left)
			left = run->to;
	if (run == first || run == end)
		return 0;
	if (left >= edge || run->from == edge)
		return 0;
	note(p, runs, left, run);
	return run->from;
}

void reach_find(struct profdata *p, uint64_t from, uint64_t to)
{
	struct runs runs = {.n = 0};
	size_t first, end;

	if (p->unit == PROFDATA_EXECUTED)
		return;
	for (first = 0; first < p->nrecord; first = end) {
		end = profdata_cpu_end(p, first);
		add_cpu(&runs, p, first, end);
	}
	if (runs.n > 0)
		qsort(runs.run, runs.n, sizeof(*runs.run), compare_runs);
	for (first = 0; first < runs.n; first = end) {
		end = first;
		while (end < runs.n && runs.run[end].pid == runs.run[first].pid)
			end++;
		if (find_edge(p, &runs, runs.run + first, runs.run + end, from) < to)
			find_edge(p, &runs, runs.run + first, runs.run + end, to);
	}
	free(runs.run);
	free(runs.off);
}
