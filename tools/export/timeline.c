/* Time lines: see timeline.h. */
#include <stdlib.h>
#include "tools/export/export.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/order.h"

/* For qsort: by beginning, then by CPU. A CPU's spans of the same moment are in their order. */
static int compare_spans(const void *va, const void *vb)
{
	const struct timeline_span *a = va, *b = vb;

	if (a->begin != b->begin)
		return order(a->begin, b->begin);
	if (a->cpu != b->cpu)
		return order(a->cpu, b->cpu);
	return order(a->record, b->record);
}

bool timeline_of_ticks(const struct profdata *p)
{
	return p->nrecord > 0 && p->unit == PROFDATA_TICKS;
}

uint64_t timeline_ns(const struct profdata *p, uint64_t time)
{
	if (p->unit == PROFDATA_NANOSECONDS)
		return time;
	return time * 1000;
}

/* No record follows a CPU's last one, which is taken for one tick, or no time. */
struct timeline_span timeline_span(const struct profdata *p, size_t record)
{
	uint64_t longest = UINT64_MAX;
	const struct profdata_record *r = &p->record[record];
	struct timeline_span span = {
		.begin = r->us, .end = r->us + (uint64_t)p->us, .cpu = r->cpu, .pid = r->pid,
		.process = r->process, .sample = r->sample, .record = record,
	};

	if (timeline_of_ticks(p) && p->us > 0 && r->sample != PROFDATA_NONE)
		longest = (uint64_t)(2 * p->us);
	if (record + 1 < p->nrecord && r[1].cpu == r->cpu)
		span.end = r->us + order_min(r[1].us - r->us, longest);
	if (profdata_is_off(p, r))
		span.end = span.begin;
	return span;
}

struct timeline_span *timeline_spans(const struct profdata *p)
{
	struct timeline_span *span = memory_zeroed(p->nrecord, sizeof(*span));
	size_t i;

	for (i = 0; i < p->nrecord; i++)
		span[i] = timeline_span(p, i);
	qsort(span, p->nrecord, sizeof(*span), compare_spans);
	return span;
}

/* Return from frames until n are left. */
static void leave_to(struct timeline_stack *s, size_t n, timeline_call *leave, void *arg)
{
	while (s->n > n)
		leave(arg, s->frame[--s->n], s->now);
}

/* The outer frames that both have in common stay: no return from these is known. */
void timeline_change(struct timeline_stack *s, const uint32_t *frame, size_t n, uint64_t begin,
		     uint64_t end, timeline_call *enter, timeline_call *leave, void *arg)
{
	size_t same = 0;

	if (begin > s->end) {
		s->now = s->end;
		leave_to(s, 0, leave, arg);
	}
	s->now = order_max(begin, s->now);
	s->end = order_max(end, s->now);
	while (same < order_min(n, s->n) && frame[same] == s->frame[same])
		same++;
	leave_to(s, same, leave, arg);
	s->frame = memory_grow(s->frame, &s->room, n, sizeof(*s->frame));
	for (; s->n < n; s->n++) {
		s->frame[s->n] = frame[s->n];
		enter(arg, frame[s->n], s->now);
	}
}

bool timeline_of_processes(const struct profdata *p)
{
	return p->unit == PROFDATA_NANOSECONDS;
}

void timeline_stay(struct timeline_stack *s, uint64_t time)
{
	s->end = order_max(s->end, time);
}

void timeline_note(struct timeline_open *open, struct timeline_stack *s, size_t at)
{
	if (s->noted)
		return;
	s->noted = true;
	open->at = memory_grow(open->at, &open->room, open->n + 1, sizeof(*open->at));
	open->at[open->n++] = at;
}

size_t timeline_thread(struct timeline_threads *t, const struct profdata *p,
		       const struct timeline_span *span)
{
	struct timeline_thread key = {.pid = 0};
	size_t i;

	t->known.size = sizeof(key);
	t->known.key = offsetof(struct timeline_thread, on);
	if (timeline_of_processes(p))
		key.pid = span->pid;
	if (key.pid == 0)
		key.cpu = span->cpu;
	i = distinct_index(&t->known, t->thread, &key, t->n);
	if (i == t->n) {
		t->thread = memory_grow(t->thread, &t->room, i + 1, sizeof(key));
		t->thread[t->n++] = key;
	}
	t->thread[i].on = span->cpu;
	timeline_note(&t->open, &t->thread[i].stack, i);
	return i;
}

void timeline_threads_free(struct timeline_threads *t)
{
	distinct_free(&t->known);
	free(t->thread);
	free(t->open.at);
	*t = (struct timeline_threads){.n = 0};
}

/* What is in another mode are other calls, even if the functions are the same. */
void timeline_functions(struct timeline_stack *s, struct export *x,
			const struct timeline_span *span, timeline_call *enter,
			timeline_call *leave, void *arg)
{
	const struct profdata_sample *sample;
	const struct step *step;
	size_t n = 0, i;

	if (timeline_of_processes(&x->prof))
		timeline_stay(s, span->begin);
	if (span->sample != PROFDATA_NONE) {
		sample = &x->prof.sample[span->sample];
		if (sample->mode != s->mode)
			timeline_change(s, NULL, 0, span->begin, span->begin, enter, leave, arg);
		s->mode = sample->mode;
		step = export_path(x, sample, &n);
		s->next = memory_grow(s->next, &s->room_next, n, sizeof(*s->next));
		for (i = 0; i < n; i++)
			s->next[i] = step[i].function;
	}
	timeline_change(s, s->next, n, span->begin, span->end, enter, leave, arg);
}

void timeline_finish(struct timeline_stack *s, timeline_call *leave, void *arg)
{
	s->now = s->end;
	leave_to(s, 0, leave, arg);
	free(s->frame);
	free(s->next);
	*s = (struct timeline_stack){.n = 0};
}
