/* calls: stacks of return addresses, and tables of callers and callees. See prof_call.h. */
#include "prof/prof_hooks.h"
#include "prof/prof_text.h"

#define PROBES 16u /* cells of the hash that a pair may be in */


PROF_ASSERT((PROF_CALL_ARCS & (PROF_CALL_ARCS - 1)) == 0, "a mask finds a cell");

void prof_call_init(struct prof *p, unsigned ncpu, prof_addr back)
{
	p->call.ncpu = ncpu;
	p->call.digits = 2 * sizeof(prof_addr);
	for (unsigned cpu = 0; cpu < ncpu; cpu++)
		p->call.cpu[cpu] = (struct prof_call_cpu){.on = &p->on, .back = back};
}

void prof_call_cost(struct prof *p, uint32_t in, uint32_t out)
{
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		p->call.cpu[cpu].in = in;
		p->call.cpu[cpu].cost = in + out;
	}
}

void prof_call_thread(struct prof_call_stack *s, prof_addr lo, prof_addr hi)
{
	s->frame[0] = (struct prof_call_frame){.slot = (prof_addr *)hi};
	s->lo = lo;
	s->busy = false;
	s->offset = 0;
	s->top = s->frame;
}

/* Return whether calls are counted, not only measured. */
static inline bool call_counts(const struct prof_call_cpu *c)
{
	return prof_load(c->on) & PROF_CALLS;
}

/* Return the logarithm of n, which is not 0. Where it takes an instruction, compilers know it. */
static inline unsigned call_log2(uint32_t n)
{
#if defined(__i386__) || defined(__x86_64__) || defined(__aarch64__)
	return 31 - (unsigned)__builtin_clz(n);
#else
	unsigned log2 = 0;

	while (n >>= 1)
		log2++;
	return log2;
#endif
}

/* Return the cell of a histogram that has calls of that time. */
static inline unsigned call_span(uint64_t time)
{
	uint32_t high = (uint32_t)(time >> 32);
	unsigned span;

	if (__builtin_expect(!high, 1))
		return call_log2((uint32_t)time | 1);
	span = 32 + call_log2(high);
	if (span >= PROF_CALL_SPANS)
		span = PROF_CALL_SPANS - 1;
	return span;
}

/* Return which cell of the table is the first one for the pair. */
static inline uint32_t call_hash(prof_addr from, prof_addr self)
{
	uint32_t hash = ((uint32_t)from ^ (uint32_t)self << 4) * 0x9e3779b1u;

	return hash / (UINT32_MAX / PROF_CALL_ARCS + 1);
}

/* Return the cell of the pair, or a free one for it; NULL: there is no room. */
static __attribute__((noinline)) struct prof_call_arc *
call_find(const struct prof_call_cpu *c, prof_addr from, prof_addr self)
{
	uint32_t i = call_hash(from, self);

	for (uint32_t n = 0; n < PROBES; n++, i++) {
		struct prof_call_arc *a = &c->arc[i & (PROF_CALL_ARCS - 1)];

		if (a->self == self && a->from == from)
			return a;
		if (a->self)
			continue;
		a->from = from;
		a->self = self;
		a->shortest = UINT64_MAX;
		return a;
	}
	return NULL;
}

/* Return the same; mostly it is the first cell that is looked at. */
static inline struct prof_call_arc *call_arc(const struct prof_call_cpu *c,
					     const struct prof_call_frame *f)
{
	struct prof_call_arc *a = &c->arc[call_hash(f->from, f->self)];

	if (a->self != f->self || a->from != f->from)
		return call_find(c, f->from, f->self);
	return a;
}

/* Count a call that took `spent`. False: no calls are counted, or there is no room for its pair. */
static inline __attribute__((always_inline)) bool
call_count(const struct prof_call_cpu *c, const struct prof_call_frame *f, uint64_t spent)
{
	struct prof_call_arc *a = NULL;

	if (call_counts(c))
		a = call_arc(c, f);
	if (!a)
		return false;
	a->total += spent;
	a->own += spent - f->inner;
	if (spent < a->shortest)
		a->shortest = spent;
	if (spent > a->longest)
		a->longest = spent;
	a->span[call_span(spent)]++;
	return true;
}

/* The innermost call is over: add its time, or what is known of it, to that of who made it. */
static inline void call_pop(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t spent)
{
	struct prof_call_frame *f = s->top;

	if (f > s->frame + 1)
		f[-1].inner += spent;
	else
		c->inside += spent;
	__atomic_store_n(&s->top, f - 1, __ATOMIC_RELEASE);
}

/*
 * Forget the innermost call, which will not return: the stack is already above it. What its callees
 * took is all that is known of its time.
 */
static __attribute__((noinline)) void call_forget(struct prof_call_cpu *c,
						  struct prof_call_stack *s)
{
	call_pop(c, s, s->top->inner);
	c->left++;
}

/*
 * Forget calls that the thread has left before this entry, and return where it is noted where that
 * comes from: in the function that has jumped here at its end, if its return address, and slot, are
 * the same. NULL: the entry is on another stack.
 */
static __attribute__((noinline)) const prof_addr *call_settle(struct prof_call_cpu *c,
							      struct prof_call_stack *s,
							      const struct prof_call_site *at)
{
	const prof_addr *slot = &at->ret, *past = slot + 1;

	if ((prof_addr)slot < s->lo || slot >= s->frame[0].slot)
		return NULL;
	if (at->ret == c->back)
		past = slot;
	while (s->top->slot < past)
		call_forget(c, s);
	if (at->ret == c->back)
		return &s->top->self;
	return &at->ret;
}

/* Almost always the entry is below the last one on the stack. */
uint64_t *prof_call_enter(struct prof_call_cpu *c, struct prof_call_stack *s,
			  struct prof_call_site *at)
{
	const prof_addr *from = &at->ret;
	struct prof_call_frame *f;

	if (!call_counts(c))
		return NULL;
	if (!s || s->busy) {
		c->lost++;
		return NULL;
	}
	s->busy = true;
	if (from >= s->top->slot || (prof_addr)from < s->lo)
		from = call_settle(c, s, at);
	f = s->top + 1;
	if (!from || f > &s->frame[PROF_CALL_DEPTH]) {
		c->lost++;
		s->busy = false;
		return NULL;
	}
	f->slot = &at->ret;
	f->self = at->self;
	f->ret = at->ret;
	f->from = *from;
	f->shown = false;
	f->inner = 0;
	f->start = s->offset;
	__atomic_store_n(&s->top, f, __ATOMIC_RELEASE); /* before its address is hidden */
	__atomic_store_n(&at->ret, c->back, __ATOMIC_RELEASE);
	s->busy = false;
	return &f->start;
}

/* The innermost call took `spent`: count it, and return its return address. */
static inline __attribute__((always_inline)) prof_addr
call_over(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t spent)
{
	const struct prof_call_frame *f = s->top;

	if (!call_count(c, f, spent)) {
		spent = f->inner;
		c->lost++;
	}
	call_pop(c, s, spent);
	s->busy = false;
	return f->ret;
}

/* The same for any time; it was quicker than what measuring takes, at least, if it is negative. */
static __attribute__((noinline)) prof_addr call_over_long(struct prof_call_cpu *c,
							  struct prof_call_stack *s,
							  uint64_t spent)
{
	if (spent - s->top->inner > INT64_MAX)
		spent = s->top->inner;
	return call_over(c, s, spent);
}

/* Most times have 32 bits, with which processors of 32 bits take half as many instructions. */
prof_addr prof_call_leave(struct prof_call_cpu *c, struct prof_call_stack *s, const prof_addr *slot,
			  uint64_t now)
{
	const struct prof_call_frame *f;
	uint64_t spent;

	s->busy = true;
	while (s->top->slot < slot)
		call_forget(c, s);
	f = s->top;
	spent = now + s->offset - f->start - c->in;
	s->offset -= c->cost;
	if (__builtin_expect(spent <= UINT32_MAX && f->inner <= spent, 1))
		return call_over(c, s, (uint32_t)spent);
	return call_over_long(c, s, spent);
}

void prof_call_end(struct prof_call_cpu *c, struct prof_call_stack *s)
{
	while (s->top > s->frame)
		call_forget(c, s);
}

void prof_call_away(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t time)
{
	s->busy = true;
	s->offset -= time;
	for (struct prof_call_frame *f = s->top; f > s->frame && call_counts(c); f--) {
		struct prof_call_arc *a = call_arc(c, f);

		if (a)
			a->away += time;
	}
	s->busy = false;
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

prof_addr prof_call_real(const struct prof_call_cpu *c, const struct prof_call_stack *s,
			 prof_addr ret)
{
	const struct prof_call_frame *f;

	for (f = s->top; f > s->frame && ret == c->back; f--)
		ret = f->ret;
	return ret;
}

void prof_call_close(struct prof *p, uint32_t bit)
{
	prof_pause(p, bit);
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		prof_hook_free(p->call.cpu[cpu].arc);
		p->call.cpu[cpu].arc = NULL;
	}
}

uint64_t prof_call_shortest(const struct prof *p)
{
	uint64_t shortest = UINT64_MAX;

	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++)
		for (uint32_t i = 0; i < PROF_CALL_ARCS; i++) {
			const struct prof_call_arc *a = &p->call.cpu[cpu].arc[i];

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
		struct prof_call_cpu *c = &p->call.cpu[cpu];

		c->arc = prof_hook_alloc(PROF_CALL_ARCS * sizeof(*c->arc));
		if (!c->arc) {
			prof_call_close(p, bit);
			return false;
		}
	}
	prof_call_clear(p, bit);
	return true;
}

void prof_call_clear(struct prof *p, uint32_t bit)
{
	(void)bit;
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++) {
		struct prof_call_cpu *c = &p->call.cpu[cpu];

		c->lost = c->left = 0;
		c->inside = 0;
		if (!c->arc)
			continue;
		for (uint32_t i = 0; i < PROF_CALL_ARCS; i++)
			c->arc[i] = (struct prof_call_arc){.from = 0};
	}
}

/* Return how many calls were counted. */
static uint64_t call_number(const struct prof_call_arc *a)
{
	uint64_t n = 0;

	for (unsigned b = 0; b < PROF_CALL_SPANS; b++)
		n += a->span[b];
	return n;
}

/* Write a pair. If none of its calls is over, it has only `away`. */
static void call_put_arc(struct prof_text *t, const struct prof_call_arc *a, unsigned cpu,
			 uint32_t digits)
{
	uint64_t n = call_number(a);

	prof_text_number(t, "", cpu);
	prof_text_address(t, a->from, digits);
	prof_text_address(t, a->self, digits);
	prof_text_number(t, " ", n);
	prof_text_number(t, " ", a->total);
	prof_text_number(t, " ", a->own);
	prof_text_number(t, " ", a->away);
	prof_text_number(t, " ", n ? a->shortest : 0);
	prof_text_number(t, " ", a->longest);
	for (unsigned b = 0; b < PROF_CALL_SPANS; b++) {
		if (a->span[b] == 0)
			continue;
		prof_text_number(t, " ", b);
		prof_text_number(t, ":", a->span[b]);
	}
	prof_text_char(t, '\n');
}

/* Write what a CPU has counted. Return how many pairs it has. */
static uint32_t call_put_cpu(struct prof_text *t, const struct prof *p, unsigned cpu)
{
	const struct prof_call_cpu *c = &p->call.cpu[cpu];
	uint32_t n = 0;

	prof_text_number(t, "# cpu=", cpu);
	prof_text_number(t, " inside=", c->inside);
	prof_text_number(t, " lost=", c->lost);
	prof_text_number(t, " left=", c->left);
	prof_text_char(t, '\n');
	if (!c->arc)
		return 0;
	for (uint32_t i = 0; i < PROF_CALL_ARCS; i++) {
		if (c->arc[i].self == 0)
			continue;
		call_put_arc(t, &c->arc[i], cpu, p->call.digits);
		n++;
	}
	return n;
}

/* Calls that return meanwhile are lost. */
int prof_call_write(struct prof *p, uint32_t bit, const struct prof_sink *to)
{
	struct prof_text t = {.to = to};
	bool ran = prof_pause(p, bit);
	uint32_t n = 0;

	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++)
		n += call_put_cpu(&t, p, cpu);
	prof_text_number(&t, "# pairs=", n);
	prof_text_char(&t, '\n');
	prof_switch(p, bit, ran);
	return prof_text_end(&t);
}
