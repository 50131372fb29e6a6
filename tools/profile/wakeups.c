/* Why processes did not run, and who woke them: see wakeups.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/runs.h"
#include "tools/profile/wakeups.h"
#include "tools/sorted.h"

/* The records of a CPU. */
struct lane {
	const struct profdata_record *first, *end;
};

struct finder {
	const struct profdata *p;
	struct runs runs;
	struct lane *lane; /* by number of the CPU */
	size_t nlane;
	const struct profdata_record **began; /* of each record, the first of what ran then */
	struct profdata_woken *woken; /* process by process, in order of time */
	struct wakeup *found;
	size_t n, room;
};

/* For qsort(): process by process, in order of time. */
static int compare_woken(const void *va, const void *vb)
{
	const struct profdata_woken *a = va, *b = vb;

	if (a->pid != b->pid)
		return order(a->pid, b->pid);
	return order(a->us, b->us);
}

/* Prepare to look for who was woken. */
static void sort_woken(struct finder *f)
{
	const struct profdata *p = f->p;

	f->woken = memory_zeroed(p->nwoken + 1, sizeof(*f->woken));
	if (p->nwoken == 0)
		return;
	memcpy(f->woken, p->woken, p->nwoken * sizeof(*f->woken));
	qsort(f->woken, p->nwoken, sizeof(*f->woken), compare_woken);
}

/* For qsort() and bsearch(): by number of the CPU. */
static int compare_lanes(const void *va, const void *vb)
{
	const struct lane *a = va, *b = vb;

	return order(a->first->cpu, b->first->cpu);
}

/* Prepare to look for what ran on a CPU. */
static void sort_lanes(struct finder *f)
{
	const struct profdata *p = f->p;
	size_t first, end, i;

	f->lane = memory_zeroed(p->non + 1, sizeof(*f->lane));
	f->began = memory_zeroed(p->nrecord + 1, sizeof(*f->began));
	for (first = 0; first < p->nrecord; first = end) {
		end = profdata_cpu_end(p, first);
		f->lane[f->nlane++] = (struct lane){p->record + first, p->record + end};
		for (i = first; i < end; i++) {
			f->began[i] = p->record + i;
			if (i > first && p->record[i].pid == p->record[i - 1].pid)
				f->began[i] = f->began[i - 1];
		}
	}
	if (f->nlane > 0)
		qsort(f->lane, f->nlane, sizeof(*f->lane), compare_lanes);
}

/* Return when a process was woken last in a time, or NULL. */
static const struct profdata_woken *woken_in(const struct finder *f, uint32_t pid, uint64_t from,
					     uint64_t to)
{
	struct profdata_woken last = {.pid = pid, .us = to};
	size_t low = 0, high = f->p->nwoken, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_woken(&f->woken[middle], &last) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || f->woken[low - 1].pid != pid || f->woken[low - 1].us < from)
		return NULL;
	return &f->woken[low - 1];
}

/* Return the last record of a CPU that is not after a moment, or NULL. */
static const struct profdata_record *record_at(const struct lane *lane, uint64_t time)
{
	size_t n = (size_t)(lane->end - lane->first);
	size_t after = sorted_below(lane->first, n, sizeof(*lane->first), time + 1);

	if (after == 0)
		return NULL;
	return &lane->first[after - 1];
}

/* Return the last record of what ran on a CPU before the process of this one did, or NULL. */
static const struct profdata_record *before(const struct finder *f, const struct lane *lane,
					    const struct profdata_record *r)
{
	const struct profdata_record *began = f->began[r - f->p->record];

	if (began == lane->first)
		return NULL;
	return began - 1;
}

/* Return the records of a CPU, or NULL. */
static const struct lane *lane_of(const struct finder *f, uint32_t cpu)
{
	const struct profdata_record key = {.cpu = cpu};

	return bsearch(&(struct lane){.first = &key}, f->lane, f->nlane, sizeof(*f->lane),
		       compare_lanes);
}

/*
 * Note who woke a process on a CPU. The parent of one that has ended is woken only after the change
 * to what runs next. What an idle CPU wakes, an interrupt does.
 */
static void find_waker(const struct finder *f, const struct profdata_woken *woken,
		       struct wakeup *to)
{
	const struct lane *lane = lane_of(f, woken->cpu);
	const struct profdata_record *r = NULL;

	to->waker = WAKER_UNKNOWN;
	if (lane)
		r = record_at(lane, woken->us);
	if (r && to->cause == PROFDATA_CHILD)
		r = before(f, lane, r);
	if (!r || profdata_is_off(f->p, r))
		return;
	to->waker = WAKER_INTERRUPT;
	if (r->pid == 0)
		return;
	to->waker = WAKER_PROCESS;
	to->by_pid = r->pid;
	to->by = r->process;
}

/* Return how much of a time is in the part of the time line that was chosen. */
static uint64_t length_in(const struct profdata *p, uint64_t from, uint64_t to)
{
	if (p->has_from)
		from = order_max(from, p->from);
	if (p->has_to)
		to = order_min(to, p->to);
	if (to <= from)
		return 0;
	return to - from;
}

/* Note that a process did not run from one moment to another, if there is something of it. */
static void add(struct finder *f, uint64_t left, uint64_t runs, uint8_t wait, struct wakeup new)
{
	const struct profdata_woken *woken = NULL;
	uint64_t ready = left;

	new.cause = PROFDATA_READY;
	if (PROFDATA_WAITING & 1u << wait) {
		new.cause = wait;
		new.waker = WAKER_UNKNOWN;
		ready = runs;
		woken = woken_in(f, new.pid, left, runs);
	}
	if (woken)
		ready = woken->us;
	if (woken && (wait == PROFDATA_SLEEP || wait == PROFDATA_DEVICE))
		new.waker = WAKER_INTERRUPT;
	else if (woken)
		find_waker(f, woken, &new);
	new.waited = length_in(f->p, left, ready);
	new.ready = length_in(f->p, ready, runs);
	if (new.waited + new.ready == 0)
		return;
	f->found = memory_grow(f->found, &f->room, f->n + 1, sizeof(new));
	f->found[f->n++] = new;
}

/*
 * Take the times between the runs [run, end) of a process. What reaches over an edge of the part
 * that was chosen is between none of these.
 */
static void add_between(struct finder *f, const struct run *run, const struct run *end)
{
	uint64_t left = run->to;

	for (run++; run < end; run++) {
		if (left < run->from && !runs_was_off(&f->runs, left, run->from))
			add(f, left, run->from, run->wait,
			    (struct wakeup){.pid = run->pid, .process = run->process});
		left = order_max(left, run->to);
	}
}

struct wakeup *wakeups_find(const struct profdata *p, size_t *n)
{
	struct finder f = {.p = p};
	const struct profdata_reach *reach;
	size_t first, end;

	sort_woken(&f);
	sort_lanes(&f);
	runs_find(&f.runs, p);
	for (reach = p->reach; reach < p->reach + p->nreach; reach++)
		add(&f, reach->left, reach->runs, reach->wait,
		    (struct wakeup){.pid = reach->pid, .process = reach->process});
	for (first = 0; first < f.runs.n; first = end) {
		end = runs_end(&f.runs, first);
		add_between(&f, f.runs.run + first, f.runs.run + end);
	}
	runs_free(&f.runs);
	free(f.lane);
	free(f.began);
	free(f.woken);
	*n = f.n;
	return f.found;
}
