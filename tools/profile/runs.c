/* When the processes of a time line ran: see runs.h. */
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/runs.h"
#include "tools/sorted.h"

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

/* For qsort(). */
static int compare_times(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return order(*a, *b);
}

void runs_find(struct runs *runs, const struct profdata *p)
{
	size_t first, end;

	*runs = (struct runs){.n = 0};
	for (first = 0; first < p->nrecord; first = end) {
		end = profdata_cpu_end(p, first);
		add_cpu(runs, p, first, end);
	}
	if (runs->n > 0)
		qsort(runs->run, runs->n, sizeof(*runs->run), compare_runs);
	if (runs->noff > 0)
		qsort(runs->off, runs->noff, sizeof(*runs->off), compare_times);
}

void runs_free(struct runs *runs)
{
	free(runs->run);
	free(runs->off);
}

size_t runs_end(const struct runs *runs, size_t first)
{
	size_t end = first;

	while (end < runs->n && runs->run[end].pid == runs->run[first].pid)
		end++;
	return end;
}

bool runs_was_off(const struct runs *runs, uint64_t from, uint64_t to)
{
	size_t i = sorted_below(runs->off, runs->noff, sizeof(*runs->off), from);

	return i < runs->noff && runs->off[i] < to;
}
