/* What reaches over the edges of a part of a time line: see reach.h. */
#include "tools/memory.h"
#include "tools/profile/reach.h"
#include "tools/profile/runs.h"

/* Note that the process of a run did not run before it, since it left. */
static void note(struct profdata *p, const struct runs *runs, uint64_t left,
		 const struct run *next)
{
	struct profdata_reach new = {
		.left = left, .runs = next->from, .pid = next->pid, .process = next->process,
		.wait = next->wait,
	};

	if (runs_was_off(runs, left, next->from))
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
	struct runs runs;
	size_t first, end;

	if (p->unit == PROFDATA_EXECUTED)
		return;
	runs_find(&runs, p);
	for (first = 0; first < runs.n; first = end) {
		end = runs_end(&runs, first);
		if (find_edge(p, &runs, runs.run + first, runs.run + end, from) < to)
			find_edge(p, &runs, runs.run + first, runs.run + end, to);
	}
	runs_free(&runs);
}
