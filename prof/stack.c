/*
 * stack: how often the program counter was found at the end of each path of calls. Each
 * CPU has a table of its own: entries one behind the other, and a hash of where they are.
 *
 * Most paths have been met before, with the same frame pointer. So a tick first compares
 * what it sees with the entry that was met there last, and is done if nothing differs; in
 * the same system call it compares only what the kernel has called since. Otherwise it
 * writes the path where the next entry would be, and looks for it by the hash.
 */
#include "prof/port.h"
#include "prof/stack.h"
#include "prof/tick.h"

#define NAME_WORDS 8u
#define RESERVE (STACK_BODY + NAME_WORDS + STACK_MAXDEPTH + 1) /* the longest entry */
#define PROBES 32u
#define MET (32 - STACK_LOG2_MET)

/* A frame as the compiler makes it: the caller's, and where its callee returns to. */
struct frame {
	uint32_t next, ret;
} __attribute__((packed, may_alias));

/* A stretch of stack: offsets in it are from lo, and up to span there is room for a frame. */
struct window {
	const uint8_t *mem;
	uint32_t lo, span;
	uint32_t stop; /* a return address that ends it, as 0 does anywhere */
};

/* A path that is written: its addresses, innermost first. */
struct walk {
	uint32_t *out, *end;
	bool cut; /* there would have been more */
};

static inline const struct frame *frame_at(const struct window *v, uint32_t off)
{
	return (const struct frame *)(const void *)(v->mem + off);
}

/* The part of the kernel's stack that is in use. */
static inline struct window kernel_window(const struct prof_sample *s, uint32_t trap)
{
	return (struct window){s->stack, s->lo, s->hi - s->lo - 8, trap};
}

/* Make *v the page of the program's stack that has that frame; false: it cannot be read. */
static inline bool user_window(struct window *v, uint32_t fp)
{
	v->lo = fp & ~(STACK_PAGE - 1);
	v->span = STACK_PAGE - 8;
	v->stop = 0;
	if (fp % 4 || fp - v->lo > v->span)
		return false;
	v->mem = prof_port_user(v->lo);
	return v->mem;
}

static inline void take(struct walk *w, uint32_t addr)
{
	if (w->out == w->end)
		w->cut = true;
	else
		*w->out++ = addr;
}

/*
 * Take the return addresses of the frames from offset off on, as long as they lie in the
 * window: the offset of the frame that is not taken.
 */
static uint32_t follow(struct walk *w, const struct window *v, uint32_t off)
{
	while (off <= v->span) {
		const struct frame *f = frame_at(v, off);

		if (f->ret == 0 || f->ret == v->stop)
			break;
		take(w, f->ret);
		if (w->cut)
			break;
		off = f->next - v->lo;
	}
	return off;
}

/*
 * The program's callers. Its frame pointers may be anything: each page is looked up anew,
 * and they may only ascend from one to the next.
 */
static void user_part(struct walk *w, const struct stack_place *at)
{
	uint32_t fp = at->fp, before;
	struct window v;

	if (at->ret)
		take(w, at->ret);
	do {
		if (!user_window(&v, fp))
			return;
		before = fp;
		fp = follow(w, &v, fp - v.lo) + v.lo;
	} while (fp - v.lo > v.span && fp > before);
}

/* Whether a path that was cut is an interrupt's, as far as can be seen. */
static bool interrupt_beyond(const struct window *v, uint32_t off)
{
	struct stack_place at;
	unsigned i;

	for (i = 0; i < STACK_MAXDEPTH && off <= v->span; i++) {
		const struct frame *f = frame_at(v, off);

		if (f->ret == v->stop)
			return prof_port_trap(f, v->span + 8 - off, &at) == STACK_AT_INTERRUPT;
		off = f->next - v->lo;
	}
	return false;
}

/* The kernel's callers, and the program's if it called the kernel. Whether it is an interrupt. */
static bool kernel_part(struct walk *w, const struct prof_sample *s, uint32_t stop)
{
	struct window v = kernel_window(s, stop);
	struct stack_place at = s->at;
	enum stack_trap trap;
	uint32_t off;

	for (;;) {
		if (at.ret)
			take(w, at.ret);
		off = follow(w, &v, at.fp - v.lo);
		if (off > v.span)
			return false;
		if (w->cut)
			return interrupt_beyond(&v, off);
		if (frame_at(&v, off)->ret == 0)
			return false;
		trap = prof_port_trap(frame_at(&v, off), v.span + 8 - off, &at);
		if (trap == STACK_AT_NOTHING || trap == STACK_AT_INTERRUPT)
			return trap == STACK_AT_INTERRUPT;
		take(w, at.pc);
		if (trap == STACK_AT_USER) {
			user_part(w, &at);
			return false;
		}
	}
}

/*
 * The same for an entry's addresses, of which *at is the next: the offset of the first frame
 * that differs. Behind them is a word that is no return address. This is most of a tick's work.
 */
static inline uint32_t compare(const struct window *v, uint32_t off, const uint32_t **at)
{
	const uint32_t *next = *at;

	while (off <= v->span && frame_at(v, off)->ret == *next) {
		next++;
		__asm__("" : "+r"(off)); /* so that the address is not computed before both uses */
		off = frame_at(v, off)->next - v->lo;
	}
	*at = next;
	return off;
}

/* Whether the program's callers are those from at to end. */
static bool user_as_before(const struct stack_place *place, const uint32_t *at, const uint32_t *end)
{
	uint32_t fp = place->fp, before;
	struct window v;

	if (place->ret && *at++ != place->ret)
		return false;
	do {
		if (!user_window(&v, fp))
			return at == end;
		before = fp;
		fp = compare(&v, fp - v.lo, &at) + v.lo;
		if (at > end)
			return false;
	} while (fp - v.lo > v.span && fp > before);
	return at == end && (fp <= before || frame_at(&v, fp - v.lo)->ret == 0);
}

/*
 * Whether it is the same path because the process has not left the kernel since, and is in the
 * entry's kernel part again. The program's part and the name cannot have changed.
 */
static inline bool same_call(const struct prof_sample *s,
						const struct stack_met *met)
{
	const uint32_t *at = met->pc;
	struct window v;
	uint32_t off;

	if (met->entered != s->entered || met->pid != s->pid || s->mode == PROF_USER ||
	    *at++ != s->at.pc)
		return false;
	if (s->at.ret && *at++ != s->at.ret)
		return false;
	v = kernel_window(s, 0);
	off = compare(&v, s->at.fp - v.lo, &at);
	return v.span - off == met->left && at == met->program;
}

/* Whether the path is that of the entry e, which is not cut. */
static __attribute__((noinline)) bool as_before(const struct stacks *k,
						const struct prof_sample *s, struct stack_met *met)
{
	const uint32_t *e = met->entry;
	uint32_t shape = e[STACK_SHAPE], kind = shape >> STACK_KIND, off;
	const uint32_t *at = e + STACK_BODY, *end = e + stack_entry_size(shape);
	const uint32_t *name = (const uint32_t *)(const void *)s->name;
	struct stack_place place;
	const uint32_t *pc;
	struct window v;

	do
		if (*at++ != *name)
			return false;
	while (*name++ >> 24);
	pc = at;
	if (*at++ != s->at.pc)
		return false;
	if (s->mode == PROF_USER)
		return kind == STACK_USER && user_as_before(&s->at, at, end);
	if (s->at.ret && *at++ != s->at.ret)
		return false;
	v = kernel_window(s, k->trap);
	off = compare(&v, s->at.fp - v.lo, &at);
	if (off > v.span || frame_at(&v, off)->ret == 0)
		return at == end && kind == (uint32_t)s->mode;
	if (frame_at(&v, off)->ret != v.stop)
		return false;
	switch (prof_port_trap(frame_at(&v, off), v.span + 8 - off, &place)) {
	case STACK_AT_INTERRUPT:
		return at == end && kind == STACK_INTERRUPT;
	case STACK_AT_USER:
		if (*at != place.pc || kind != (uint32_t)s->mode ||
		    !user_as_before(&place, at + 1, end))
			return false;
		met->entered = s->entered;
		met->pid = s->pid;
		met->left = v.span - off;
		met->pc = pc;
		met->program = at;
		return true;
	default:
		return false;
	}
}

/* Copy the name: how many words it has. Behind its NUL they are zero. */
static uint32_t take_name(struct walk *w, const char *name)
{
	const uint32_t *word = (const uint32_t *)(const void *)name;
	uint32_t i = 0;

	do
		*w->out++ = word[i];
	while (word[i++] >> 24 && i < NAME_WORDS);
	return i;
}

static inline bool same(const uint32_t *a, const uint32_t *b, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

uint32_t stack_find(const struct stacks *k, unsigned cpu, const uint32_t *e, uint32_t n,
		    uint32_t **slot)
{
	const struct stack_cpu *c = &k->cpu[cpu];
	uint32_t hash = e[STACK_HASH], i = hash >> k->shift, mask = UINT32_MAX >> k->shift, at;
	unsigned probe;

	for (probe = 0; probe < PROBES; probe++, i++) {
		*slot = &c->slot[i & mask];
		at = __atomic_load_n(*slot, __ATOMIC_ACQUIRE);
		if (at == 0)
			return 0;
		if (c->word[at] == hash && same(c->word + at + STACK_SHAPE, e + STACK_SHAPE,
						n - STACK_SHAPE))
			return at;
	}
	*slot = NULL;
	return 0;
}

/* The entry like e, of n words, written behind the last one: where it is; 0: there is no room. */
static uint32_t enter(const struct stacks *k, unsigned cpu, struct stack_cpu *c, uint32_t *e,
		      uint32_t n)
{
	uint32_t *slot, at, sum = 0, i;

	for (i = STACK_SHAPE; i < n; i++)
		sum = (sum ^ e[i]) * 0x85ebca6bu;
	e[STACK_HASH] = sum ^ sum << 15;
	e[STACK_COUNT] = 0;
	e[n] = STACK_NOWHERE;
	at = stack_find(k, cpu, e, n, &slot);
	if (!at && slot && c->used + n + 1 + RESERVE <= k->nword) {
		at = c->used;
		__atomic_store_n(&c->used, at + n + 1, __ATOMIC_RELEASE);
		__atomic_store_n(slot, at, __ATOMIC_RELEASE);
	}
	return at;
}

/* The path was not met before with that frame pointer: walk it. Where its entry is, or 0. */
static __attribute__((noinline)) uint32_t path(struct stacks *k, const struct prof_sample *s)
{
	struct stack_cpu *c = &k->cpu[s->cpu];
	uint32_t *e = c->word + c->used, names, frames;
	enum stack_kind kind = (enum stack_kind)s->mode;
	struct walk w = {.out = e + STACK_BODY};

	names = take_name(&w, s->name);
	w.end = w.out + k->depth;
	take(&w, s->at.pc);
	if (s->mode == PROF_USER)
		user_part(&w, &s->at);
	else if (kernel_part(&w, s, k->trap))
		kind = STACK_INTERRUPT;
	frames = (uint32_t)(w.out - e) - STACK_BODY - names;
	e[STACK_SHAPE] = frames | names << STACK_NAME | (uint32_t)kind << STACK_KIND |
			 (w.cut ? STACK_CUT : 0);
	return enter(k, s->cpu, c, e, STACK_BODY + names + frames);
}

/* Note that the entry at that place was met, and what later ticks compare with it. */
static void meet(const struct stack_cpu *c, struct stack_met *met, uint32_t place)
{
	*met = (struct stack_met){.entry = c->word + place, .pc = c->word + STACK_FIRST - 1};
}

/* Have *met name the entry of the sample's path. */
static __attribute__((noinline)) void find(struct stacks *k, const struct prof_sample *s, struct stack_met *met)
{
	if (!as_before(k, s, met))
		meet(&k->cpu[s->cpu], met, path(k, s));
}

void stack_tick(struct prof *p, const struct prof_sample *s)
{
	struct stack_cpu *c = &p->stack.cpu[s->cpu];
	uint32_t pid = prof_load(&p->stack.pid), *cell;
	struct stack_met *met;

	if ((pid != STACK_EVERY && pid != s->pid) || c->left == 0)
		return;
	prof_store(&c->left, c->left - 1);
	met = &c->met[((s->at.pc ^ s->at.fp << 9) * 0x9e3779b1u) >> MET];
	if (!same_call(s, met))
		find(&p->stack, s, met);
	cell = &met->entry[STACK_COUNT];
	prof_store(cell, *cell + 1);
}

void stack_init(struct prof *p, unsigned ncpu, uint32_t trap)
{
	p->stack.ncpu = ncpu;
	p->stack.trap = trap;
	p->stack.depth = STACK_DEPTH;
	p->stack.pid = STACK_EVERY;
}

bool stack_on(const struct prof *p)
{
	return p->stack.cpu[0].word;
}

static void free_all(struct stacks *k)
{
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++) {
		prof_port_free(k->cpu[cpu].word);
		prof_port_free(k->cpu[cpu].slot);
		prof_port_free(k->cpu[cpu].met);
		k->cpu[cpu] = (struct stack_cpu){0};
	}
}

/*
 * Nothing is counted. At place 0 of a table is the beginning of an entry that equals no other:
 * it counts the ticks whose path found no room.
 */
static void empty(struct stacks *k)
{
	uint32_t nslot = (UINT32_MAX >> k->shift) + 1, i;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++) {
		struct stack_cpu *c = &k->cpu[cpu];

		for (i = 0; i < nslot; i++)
			c->slot[i] = 0;
		for (i = 0; i < 1u << STACK_LOG2_MET; i++)
			meet(c, &c->met[i], 0);
		for (i = 0; i < STACK_FIRST; i++)
			c->word[i] = i == STACK_COUNT ? 0 : STACK_NOWHERE;
		c->used = STACK_FIRST;
		c->left = stack_share(k);
	}
	k->pace.ticks_before = 0;
	k->pace.us_before = 0;
}

bool stack_open(struct prof *p)
{
	struct stacks *k = &p->stack;
	uint32_t nslot;
	unsigned cpu;

	if (stack_on(p))
		return true;
	k->nword = STACK_WORDS / k->ncpu;
	for (k->shift = 31; UINT32_MAX >> k->shift < k->nword / 4 - 1; k->shift--)
		;
	nslot = (UINT32_MAX >> k->shift) + 1;
	for (cpu = 0; cpu < k->ncpu; cpu++) {
		struct stack_cpu *c = &k->cpu[cpu];

		c->slot = prof_port_alloc(nslot * sizeof(*c->slot));
		c->met = prof_port_alloc(sizeof(*c->met) << STACK_LOG2_MET);
		c->word = prof_port_alloc(k->nword * sizeof(*c->word));
		if (!c->slot || !c->met || !c->word) {
			free_all(k);
			return false;
		}
	}
	empty(k);
	return true;
}

void stack_close(struct prof *p)
{
	prof_switch(p, PROF_STACK, false);
	prof_port_quiesce();
	free_all(&p->stack);
}

void stack_run(struct prof *p, bool on)
{
	prof_switch(p, PROF_STACK, on && stack_on(p));
}

void stack_clear(struct prof *p)
{
	bool ran = prof_wants(p, PROF_STACK);

	if (!stack_on(p))
		return;
	prof_switch(p, PROF_STACK, false);
	prof_port_quiesce();
	empty(&p->stack);
	prof_switch(p, PROF_STACK, ran);
}

void stack_depth(struct prof *p, uint32_t depth)
{
	p->stack.depth = depth;
}

void stack_only(struct prof *p, uint32_t pid)
{
	prof_store(&p->stack.pid, pid);
}
