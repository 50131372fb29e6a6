/* calls: stacks of return addresses, and tables of callers and callees. See prof_call.h. */
#include "prof/prof_hooks.h"
#include "prof/prof_text.h"

#define PROBES 16u /* cells of the hash that a pair may be in */

PROF_ASSERT(sizeof(struct prof_call_arc) == PROF_CALL_CELL, "a hash is an offset");
PROF_ASSERT((PROF_CALL_TABLE & (PROF_CALL_TABLE - 1)) == 0, "a mask finds a cell");

void prof_call_init(struct prof *p, unsigned cpu, struct prof_call_cpu *c, prof_addr back)
{
	p->trace.none.at = &p->trace.nothing;
	*c = (struct prof_call_cpu){.prof = p, .back = back, .ring = &p->trace.none, .cpu = cpu};
	p->call.cpu[cpu] = c;
	p->call.ncpu = cpu + 1;
	p->call.digits = 2 * sizeof(prof_addr);
}

void prof_call_cost(struct prof *p, uint32_t in, uint32_t out)
{
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		p->call.cpu[cpu]->in = in;
		p->call.cpu[cpu]->cost = in + out;
	}
}

void prof_call_thread(struct prof_call_stack *s, prof_addr lo, prof_addr hi)
{
	*s = (struct prof_call_stack){.top = s->frame};
	for (unsigned i = 0; i < PROF_CALL_DEPTH; i++)
		s->frame[i].lo = lo;
	s->frame[0].slot = (prof_addr *)hi;
	s->frame[PROF_CALL_DEPTH].lo = (prof_addr)-1;
}

/* Return the cell of a histogram that has calls of that time. */
static inline unsigned call_span(uint64_t time)
{
	unsigned span = 0;

	for (; time >= 256; time >>= 8)
		span += 8;
	for (; time > 1; time >>= 1)
		span++;
	return span < PROF_CALL_SPANS ? span : PROF_CALL_SPANS - 1;
}

/*
 * Return the cell of the pair, or a free one for it; NULL: there is no room. The cells that it may
 * be in lie side by side, in an order by which the second, which a stub looks at, is in the table.
 */
static struct prof_call_arc *call_find(const struct prof_call_cpu *c, prof_addr from,
				       prof_addr self)
{
	uint32_t i = (uint32_t)(from + self) * PROF_CALL_HASH / PROF_CALL_CELL;

	for (uint32_t n = 0; n < PROBES; n++) {
		struct prof_call_arc *a = &c->arc[(i ^ n) & (PROF_CALL_TABLE - 1)];

		if (a->self == self && a->from == from)
			return a;
		if (a->self || a >= &c->arc[PROF_CALL_ARCS])
			continue;
		a->from = from; /* all else is 0 */
		a->self = self;
		a->shortest = UINT64_MAX;
		a->least = UINT32_MAX;
		return a;
	}
	return NULL;
}

/* Return a time, or none if measuring took longer than the call. */
static uint64_t call_time(uint64_t spent)
{
	return spent > INT64_MAX ? 0 : spent;
}

/* The innermost call is over, at that time of the thread's clock, and a part of who made it. */
static uint64_t call_pop(struct prof_call_stack *s, uint64_t clock)
{
	struct prof_call_frame *f = s->top;
	uint64_t spent = call_time(clock - f->start);

	f->arc->total += spent;
	f[-1].arc->inner += spent;
	__atomic_store_n(&s->top, f - 1, __ATOMIC_RELEASE);
	return spent;
}

/* Forget the innermost call, which will not return, or is not counted: only its time is. */
static void call_forget(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t clock)
{
	call_pop(s, clock);
	c->left++;
}

/* Note an entry, or a return: 1. */
static void call_note(struct prof_call_cpu *c, const struct prof_call_arc *a, unsigned what,
		      uint64_t now)
{
	struct prof_trace_ring *r = c->ring;

	if (c->stub)
		return;
	uint32_t i = __atomic_fetch_add(&r->n, 1, __ATOMIC_RELAXED) & r->mask;
	r->at[i].time = now;
	r->at[i].pid = c->pid;
	r->at[i].entry = (uint32_t)((prof_addr)a - c->less[what]);
}

/* Say which times of 32 bits change neither the shortest nor the longest, and fire no trigger. */
static void call_bound(const struct prof_trace *t, struct prof_call_arc *a)
{
	a->least = UINT32_MAX;
	if (a->shortest < UINT32_MAX)
		a->least = (uint32_t)a->shortest | !a->shortest;
	a->most = UINT32_MAX;
	if (a->longest < UINT32_MAX)
		a->most = (uint32_t)a->longest;
	if (a->self != t->function)
		return;
	if (a->most >= t->limit)
		a->most = (uint32_t)t->limit - 1;
}

/* Count the innermost call, which is over. */
static void call_count(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t now)
{
	const struct prof_trace *t = &c->prof->trace;
	struct prof_call_arc *a = s->top->arc;
	uint64_t spent = call_pop(s, now + c->offset - c->in);

	if (spent < a->shortest)
		a->shortest = spent;
	if (spent > a->longest)
		a->longest = spent;
	call_bound(t, a);
	a->span[call_span(spent)]++;
	call_note(c, a, 1, now);
	if (a->self != t->function)
		return;
	if (c->others)
		return;
	if (PROF_HAVE_STACK && spent >= t->limit)
		prof_trace_fire(c->prof, c->cpu, c->pid, now);
}

/*
 * Forget calls that the thread has left before this entry, and return where it is noted where that
 * comes from: in the function that has jumped here at its end, if its return address, and slot, are
 * the same. NULL: the entry is on another stack, or there is no room.
 */
static const prof_addr *call_settle(struct prof_call_cpu *c, struct prof_call_stack *s,
				    const struct prof_call_site *at, uint64_t clock)
{
	const prof_addr *slot = &at->ret, *past = slot + 1;

	if ((prof_addr)slot < s->frame[0].lo || slot >= s->frame[0].slot)
		return NULL;
	if (at->ret == c->back)
		past = slot;
	while (s->top->slot < past)
		call_forget(c, s, clock);
	if ((prof_addr)slot < s->top->lo)
		return NULL;
	if (at->ret == c->back)
		return &s->top->arc->self;
	return &at->ret;
}

/* Almost always the entry is below the last one on the stack. */
uint64_t *prof_call_enter(struct prof_call_cpu *c, struct prof_call_site *at, uint64_t now)
{
	struct prof_call_stack *s = c->stack;
	const prof_addr *from = &at->ret;
	struct prof_call_arc *a = NULL;

	if (!(prof_load(&c->prof->on) & PROF_CALLS))
		return NULL;
	if (!s || s->busy) {
		c->lost++;
		return NULL;
	}
	s->busy = true;
	if (from >= s->top->slot || (prof_addr)from < s->top->lo)
		from = call_settle(c, s, at, now + c->offset);
	if (from)
		a = call_find(c, *from, at->self);
	if (!a) {
		c->lost++;
		s->busy = false;
		return NULL;
	}
	struct prof_call_frame *f = s->top + 1;
	f->slot = &at->ret;
	f->ret = at->ret;
	f->arc = a;
	f->start = c->offset;
	__atomic_store_n(&s->top, f, __ATOMIC_RELEASE); /* before its address is hidden */
	__atomic_store_n(&at->ret, c->back, __ATOMIC_RELEASE);
	call_note(c, a, 0, now);
	s->busy = false;
	return &f->start;
}

/* Almost always it is the innermost call. */
prof_addr prof_call_leave(struct prof_call_cpu *c, const prof_addr *slot, uint64_t now)
{
	struct prof_call_stack *s = c->stack;

	s->busy = true;
	while (s->top->slot < slot)
		call_forget(c, s, now + c->offset);
	prof_addr ret = s->top->ret;
	call_count(c, s, now);
	c->offset -= c->cost;
	s->busy = false;
	return ret;
}

/*
 * A thread leaves a CPU: count what its calls under way took so far there, 1 time. Or it comes to
 * one: -1 times, for all of it will be counted when they are over.
 */
static void call_share(struct prof_call_stack *s, uint64_t times)
{
	for (struct prof_call_frame *f = s->top; f > s->frame; f--) {
		uint64_t past = times * (s->past - f->start);

		f->arc->total += past;
		f[-1].arc->inner += past;
	}
}

/* Each CPU has cells of its own. */
void prof_call_run(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t now)
{
	struct prof_call_arc *none = &c->arc[PROF_CALL_ARCS + 1], *a;

	if (c->stack) {
		c->stack->left = now;
		c->stack->past = now + c->offset;
		call_share(c->stack, 1);
	}
	c->stack = s;
	c->offset = s->past - now;
	s->frame[0].arc = &c->arc[PROF_CALL_ARCS];
	for (struct prof_call_frame *f = s->top; f > s->frame; f--) {
		a = f->arc->self ? call_find(c, f->arc->from, f->arc->self) : NULL;
		f->arc = a ? a : none;
		f->arc->away += now - s->left;
	}
	call_share(s, (uint64_t)-1);
}

void prof_call_end(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t now)
{
	struct prof_call_stack *runs = c->stack;

	prof_call_run(c, s, now);
	while (s->top > s->frame)
		call_forget(c, s, s->past);
	if (runs)
		prof_call_run(c, runs, now);
}

/*
 * The innermost first: of calls with the same slot, that is of functions which jump to the next at
 * their ends, the outermost has the address. A slot that has something else is of a call whose
 * entry or return is being counted right now, or that was left.
 */
void prof_call_show(const struct prof_call_cpu *c, struct prof_call_stack *s)
{
	for (struct prof_call_frame *f = s->top; f > s->frame; f--) {
		f->shown = *f->slot == c->back;
		if (f->shown)
			*f->slot = f->ret;
	}
}

void prof_call_hide(const struct prof_call_cpu *c, struct prof_call_stack *s)
{
	for (struct prof_call_frame *f = s->top; f > s->frame; f--) {
		if (f->shown)
			*f->slot = c->back;
		f->shown = false;
	}
}

prof_addr prof_call_real(const struct prof_call_cpu *c, prof_addr ret)
{
	const struct prof_call_stack *s = c->stack;

	if (!s)
		return ret;
	for (const struct prof_call_frame *f = s->top; f > s->frame && ret == c->back; f--)
		ret = f->ret;
	return ret;
}

void prof_call_close(struct prof *p, uint32_t bit)
{
	if (PROF_HAVE_STACK && p->trace.what & PROF_CALLS)
		prof_trace_close(p, PROF_TRACE);
	prof_pause(p, bit);
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		prof_hook_free(p->call.cpu[cpu]->arc);
		p->call.cpu[cpu]->arc = NULL;
		p->call.cpu[cpu]->stack = NULL;
	}
}

uint64_t prof_call_shortest(const struct prof *p)
{
	uint64_t shortest = UINT64_MAX;

	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++)
		for (uint32_t i = 0; i < PROF_CALL_ARCS; i++) {
			const struct prof_call_arc *a = &p->call.cpu[cpu]->arc[i];

			if (a->self && a->shortest < shortest)
				shortest = a->shortest;
		}
	return shortest;
}

bool prof_call_open(struct prof *p, uint32_t bit, uint32_t per_ms)
{
	(void)per_ms; /* times are shown in the clock's units */
	prof_call_close(p, bit);
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		struct prof_call_cpu *c = p->call.cpu[cpu];

		c->arc = prof_hook_alloc(PROF_CALL_TABLE * sizeof(*c->arc));
		if (!c->arc) {
			prof_call_close(p, bit);
			return false;
		}
		c->less[0] = (prof_addr)c->arc - PROF_TRACE_CALL;
		c->less[1] = c->less[0] - 1;
	}
	prof_call_clear(p, bit);
	return true;
}

void prof_call_clear(struct prof *p, uint32_t bit)
{
	(void)bit;
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		struct prof_call_cpu *c = p->call.cpu[cpu];

		c->lost = c->left = 0;
		for (uint32_t i = 0; c->arc && i < PROF_CALL_TABLE; i++)
			c->arc[i] = (struct prof_call_arc){.from = 0};
	}
}

/* Write a pair. If none of its calls is over, it has only `away`. */
static void call_put_arc(struct prof_text *t, const struct prof_call_arc *a, unsigned cpu,
			 uint32_t digits)
{
	uint64_t n = 0, total = call_time(a->total), own = total - a->inner;
	uint32_t span[PROF_CALL_SPANS]; /* calls return meanwhile */

	for (unsigned b = 0; b < PROF_CALL_SPANS; b++) {
		span[b] = a->span[b];
		n += span[b];
	}
	if (own > total)
		own = 0;
	prof_text_print(t, "%", (uint64_t[]){cpu});
	prof_text_steps(t, (prof_addr[]){a->self, a->from}, 2, digits);
	prof_text_print(t, " % % % % % %", (uint64_t[]){n, total, own, a->away,
							n ? a->shortest : 0, a->longest});
	for (unsigned b = 0; b < PROF_CALL_SPANS; b++)
		if (span[b] > 0)
			prof_text_print(t, " %:%", (uint64_t[]){b, span[b]});
	prof_text_char(t, '\n');
}

/* Write what a CPU has counted. Return how many pairs it has. */
static uint32_t call_put_cpu(struct prof_text *t, const struct prof *p, unsigned cpu)
{
	const struct prof_call_cpu *c = p->call.cpu[cpu];
	uint64_t inside = c->arc ? c->arc[PROF_CALL_ARCS].inner : 0;
	uint32_t n = 0;

	prof_text_print(t, "# cpu=% inside=% lost=% left=%\n",
			(uint64_t[]){cpu, inside, c->lost, c->left});
	for (uint32_t i = 0; c->arc && i < PROF_CALL_ARCS; i++) {
		if (c->arc[i].self == 0)
			continue;
		call_put_arc(t, &c->arc[i], cpu, p->call.digits);
		n++;
	}
	return n;
}

/* No pairs come meanwhile. */
int prof_call_write(struct prof *p, uint32_t bit, const struct prof_sink *to)
{
	struct prof_text t = {.to = to};
	bool ran = prof_pause(p, bit);
	uint32_t n = 0;

	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++)
		n += call_put_cpu(&t, p, cpu);
	prof_text_print(&t, "# pairs=%\n", (uint64_t[]){n});
	prof_switch(p, bit, ran);
	return prof_text_end(&t);
}
