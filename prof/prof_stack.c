/*
 * stack: how often the program counter was found at the end of each path of calls. Each CPU
 * has a table of its own: entries one after the other, and a hash of where they are. An entry:
 *
 *	hash, count, shape | name | pc | return addresses, innermost first | PROF_STACK_NOWHERE
 *
 * How long processes waited is in tables of the same kind, with times before each entry. They are
 * written by who waited, not in ticks, which may come meanwhile.
 *
 * A tick tries two ways to find its entry:
 *
 *	same_path()	The entry that was found last at this pc and frame pointer is compared:
 *			what the kernel called, and then, unless this is the same system call
 *			still, the program's part.
 *	add_path()	The path is written where the next entry would be, and the hash says
 *			whether there is one like it.
 */
#include "prof/arch/prof_arch.h"
#include "prof/prof_hooks.h"
#include "prof/prof_stacktable.h"
#include "prof/prof_tick.h"

#define NAME_WORDS 8u
#define RESERVE (PROF_STACK_BODY + NAME_WORDS + PROF_STACK_MAXDEPTH + 1) /* the longest entry */
#define PROBES 32u

/* A frame as the compiler makes it: the caller's, and where its callee returns to. */
struct frame {
	prof_addr next, ret;
} __attribute__((packed, may_alias));

/*
 * A part of a stack. Frame pointers less lo are offsets of frames in mem, and up to span there is
 * room for one.
 */
struct window {
	const uint8_t *mem;
	prof_addr lo, span;
	prof_addr stop; /* a return address that ends it, as 0 does anywhere */
};

/* A path that is being written: its addresses, innermost first. */
struct walk {
	prof_addr *out, *end;
	bool cut; /* there would have been more */
	const prof_addr *program; /* what prof_stack_recent has of that name, but here, */
	prof_addr left;		  /* and of this, as it is there */
};

static inline const struct frame *frame_at(const struct window *v, prof_addr off)
{
	return (const struct frame *)(const void *)(v->mem + off);
}

static inline prof_addr ret_at(const struct window *v, prof_addr off)
{
	return prof_arch_strip(frame_at(v, off)->ret);
}

/* Make *v the part of the kernel's stack that is in use. */
static inline void kernel_window(struct window *v, const struct prof_sample *s, prof_addr trap)
{
	v->mem = s->stack;
	v->lo = s->lo + PROF_FRAME_BELOW;
	v->span = s->hi - s->lo - sizeof(struct frame);
	v->stop = trap;
}

/* Make *v the page of the program's stack that has that frame; false: it cannot be read. */
static inline bool user_window(struct window *v, prof_addr fp)
{
	prof_addr page = (fp - PROF_FRAME_BELOW) & ~(prof_addr)(PROF_STACK_PAGE - 1);

	v->lo = page + PROF_FRAME_BELOW;
	v->span = PROF_STACK_PAGE - sizeof(struct frame);
	v->stop = 0;
	if (fp & (sizeof(fp) - 1) || fp - v->lo > v->span)
		return false;
	v->mem = prof_hook_user(page);
	return v->mem;
}

/* Add an address to the path, or note that there was no room. */
static inline void add_address(struct walk *w, prof_addr addr)
{
	if (w->out == w->end)
		w->cut = true;
	else
		*w->out++ = addr;
}

/*
 * Add the return addresses of the frames from offset off on, as long as they lie in the
 * window. Return the offset of the first frame that was not added.
 */
static inline __attribute__((always_inline)) prof_addr
add_frames(struct walk *w, const struct window *v, prof_addr off)
{
	while (off <= v->span) {
		prof_addr ret = ret_at(v, off);

		if (ret == 0 || ret == v->stop)
			break;
		add_address(w, ret);
		if (w->cut)
			break;
		off = frame_at(v, off)->next - v->lo;
	}
	return off;
}

/*
 * Add the program's callers. Its frame pointers may be anything: each page is looked up anew,
 * and they may only ascend from one to the next.
 */
static void add_program(struct walk *w, const struct prof_stack_place *at)
{
	prof_addr fp = at->fp, before;
	struct window v;

	if (at->ret)
		add_address(w, at->ret);
	do {
		if (!user_window(&v, fp))
			return;
		before = fp;
		fp = add_frames(w, &v, fp - v.lo) + v.lo;
	} while (fp - v.lo > v.span && fp > before);
}

/* Return whether the recent entry has that name and kind. One that was cut has none. */
static inline bool same_kind(const struct prof_sample *s, const struct prof_stack_recent *r,
			     enum prof_stack_kind kind)
{
	return s->named == r->named &&
	       r->entry[PROF_STACK_SHAPE] >> PROF_STACK_KIND == (prof_addr)kind;
}

/*
 * Return what the kernel's frame at that offset was called from: KERNEL is also another function of
 * it, in which case *at is left alone.
 */
static inline __attribute__((always_inline)) enum prof_stack_trap
came_from(const struct window *v, prof_addr off, struct prof_stack_place *at)
{
	if (off > v->span)
		return PROF_STACK_AT_NOTHING;
	if (ret_at(v, off) == v->stop)
		return prof_hook_trap(frame_at(v, off), v->span + sizeof(struct frame) - off, at);
	return ret_at(v, off) == 0 ? PROF_STACK_AT_NOTHING : PROF_STACK_AT_KERNEL;
}

/* Return whether a path that was cut leads to an interrupt, as far as can be seen. */
static bool leads_to_interrupt(const struct window *v, prof_addr off)
{
	struct prof_stack_place at;
	enum prof_stack_trap trap;

	for (unsigned i = 0; i < PROF_STACK_MAXDEPTH; i++) {
		trap = came_from(v, off, &at);
		if (trap != PROF_STACK_AT_KERNEL)
			return trap == PROF_STACK_AT_INTERRUPT;
		off = frame_at(v, off)->next - v->lo;
	}
	return false;
}

/*
 * Add the kernel's callers, and the program's if it called the kernel. Return whether the path
 * is an interrupt's.
 */
static bool add_kernel(struct walk *w, const struct prof_sample *s, prof_addr stop)
{
	struct prof_stack_place at;
	struct window v;
	enum prof_stack_trap trap;
	bool fault = false;
	prof_addr off;

	kernel_window(&v, s, stop);
	at.pc = s->at.pc;
	at.fp = s->at.fp;
	at.ret = s->at.ret;
	for (;; fault = true) {
		if (at.ret)
			add_address(w, at.ret);
		off = add_frames(w, &v, at.fp - v.lo);
		w->program = fault ? NULL : w->out;
		w->left = v.span - off;
		if (w->cut)
			return leads_to_interrupt(&v, off);
		trap = came_from(&v, off, &at);
		if (trap == PROF_STACK_AT_NOTHING || trap == PROF_STACK_AT_INTERRUPT)
			return trap == PROF_STACK_AT_INTERRUPT;
		add_address(w, at.pc);
		if (trap == PROF_STACK_AT_USER) {
			add_program(w, &at);
			return false;
		}
	}
}

/*
 * Compare frames with an entry's addresses from at to end, as add_frames() would add them. Return
 * the offset of the first frame that differs, and set *stop to what it differs from; that is
 * beyond end if there were more frames than addresses. This is most of a tick's work, so the end is
 * looked for after each group alone: words of up to one group behind it are read.
 */
static inline prof_addr compare(const struct window *v, prof_addr off, const prof_addr *at,
				const prof_addr *end, const prof_addr **stop)
{
	do {
#pragma GCC unroll 4
		for (unsigned i = 0; i < PROF_STACK_GROUP; i++) {
			if (off > v->span || ret_at(v, off) != at[i]) {
				*stop = at + i;
				return off;
			}
			__asm__("" : "+r"(off)); /* one address for both uses */
			off = frame_at(v, off)->next - v->lo;
		}
		at += PROF_STACK_GROUP;
	} while (at <= end);
	*stop = end + 1;
	return off;
}

/*
 * Return whether the rest of the recent entry's path is the program's from there on, and note in
 * which system call that was found.
 */
static __attribute__((noinline)) bool same_program(const struct prof_sample *s,
						   struct prof_stack_recent *r,
						   const struct prof_stack_place *from)
{
	const prof_addr *at = r->program;
	prof_addr fp = from->fp, off, before;
	struct window v;

	if (!same_kind(s, r, (enum prof_stack_kind)s->mode) || *at++ != from->pc ||
	    (from->ret && *at++ != from->ret))
		return false;
	do {
		if (!user_window(&v, fp))
			break;
		off = compare(&v, fp - v.lo, at, r->end, &at);
		if (off <= v.span && ret_at(&v, off) != 0)
			return false;
		before = fp;
		fp = off + v.lo;
	} while (off > v.span && at <= r->end && fp > before);
	if (at != r->end)
		return false;
	r->entered = s->entered;
	r->pid = s->pid;
	return true;
}

/*
 * Return whether the path is the recent entry's. In the same system call, name and program's part
 * cannot differ. A path with a fault in the kernel is equal to none: add_path() finds it.
 */
static inline __attribute__((always_inline)) bool
same_path(const struct prof_stacks *k, const struct prof_sample *s, struct prof_stack_recent *r)
{
	const prof_addr *at = r->pc;
	struct prof_stack_place place;
	enum prof_stack_trap trap;
	struct window v;
	prof_addr off;

	if (s->mode == PROF_USER)
		return same_program(s, r, &s->at);
	if (*at++ != s->at.pc || (s->at.ret && *at++ != s->at.ret))
		return false;
	kernel_window(&v, s, k->trap);
	off = compare(&v, s->at.fp - v.lo, at, r->program, &at);
	if (v.span - off != r->left || at != r->program)
		return false;
	if (r->entered == s->entered && r->pid == s->pid)
		return true;
	trap = came_from(&v, off, &place);
	if (trap == PROF_STACK_AT_USER)
		return same_program(s, r, &place);
	if (trap == PROF_STACK_AT_INTERRUPT)
		return same_kind(s, r, PROF_STACK_INTERRUPT);
	return trap == PROF_STACK_AT_NOTHING && at == r->end &&
	       same_kind(s, r, (enum prof_stack_kind)s->mode);
}

/* Copy the name up to its NUL, four characters to a word, and return how many words it has. */
static uint32_t add_name(struct walk *w, const char *name)
{
	uint32_t n = 0, word;

	do {
		word = 0;
		for (unsigned shift = 0; shift < 32 && *name; shift += 8)
			word |= (uint32_t)(unsigned char)*name++ << shift;
		*w->out++ = word;
	} while (++n < NAME_WORDS && word >> 24);
	return n;
}

static inline bool same(const prof_addr *a, const prof_addr *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

uint32_t prof_stack_find(const struct prof_stacks *k, unsigned cpu, const prof_addr *e, uint32_t n,
			 uint32_t **slot)
{
	const struct prof_stack_cpu *c = &k->cpu[cpu];
	uint32_t hash = (uint32_t)e[PROF_STACK_HASH], mask = UINT32_MAX >> k->shift;
	uint32_t i = hash >> k->shift, at;

	for (unsigned probe = 0; probe < PROBES; probe++, i++) {
		*slot = &c->slot[i & mask];
		at = __atomic_load_n(*slot, __ATOMIC_ACQUIRE);
		if (at == 0)
			return 0;
		if (c->word[at] == hash && same(c->word + at + PROF_STACK_SHAPE,
						e + PROF_STACK_SHAPE, n - PROF_STACK_SHAPE))
			return at;
	}
	*slot = NULL;
	return 0;
}

/*
 * Find the entry like e, whose n words stand after the last entry, or else make them an entry.
 * Return where it is in the table, or 0 if there is no room.
 */
static uint32_t add_entry(const struct prof_stacks *k, unsigned cpu, struct prof_stack_cpu *c,
			  prof_addr *e, uint32_t n)
{
	uint32_t *slot, at, sum = 0, i;

	for (i = PROF_STACK_SHAPE; i < n; i++)
		sum = (sum ^ (uint32_t)e[i] ^ (uint32_t)(e[i] >> 16 >> 16)) * 0x85ebca6bu;
	e[PROF_STACK_HASH] = sum ^ sum << 15;
	e[PROF_STACK_COUNT] = 0;
	e[n] = PROF_STACK_NOWHERE;
	at = prof_stack_find(k, cpu, e, n, &slot);
	if (!at && slot && c->used + n + 1 + k->extra + RESERVE <= k->nword) {
		at = c->used;
		for (i = 1; i <= k->extra; i++)
			e[-(int)i] = 0;
		__atomic_store_n(&c->used, at + n + 1 + k->extra, __ATOMIC_RELEASE);
		__atomic_store_n(slot, at, __ATOMIC_RELEASE);
	}
	return at;
}

/* Write the sample's path, and make its entry the recent one. */
static __attribute__((noinline)) void
add_path(struct prof_stacks *k, const struct prof_sample *s, struct prof_stack_recent *r)
{
	struct prof_stack_cpu *c = &k->cpu[s->cpu];
	prof_addr *e = c->word + c->used;
	enum prof_stack_kind kind = (enum prof_stack_kind)s->mode;
	uint32_t names, frames;
	prof_addr *found;
	struct walk w;

	w.out = e + PROF_STACK_BODY;
	w.cut = false;
	w.left = 0;
	names = add_name(&w, s->name);
	w.program = w.out;
	w.end = w.out + k->depth;
	add_address(&w, s->at.pc);
	if (s->mode == PROF_USER)
		add_program(&w, &s->at);
	else if (add_kernel(&w, s, k->trap))
		kind = PROF_STACK_INTERRUPT;
	frames = (uint32_t)(w.out - e) - PROF_STACK_BODY - names;
	e[PROF_STACK_SHAPE] = frames | names << PROF_STACK_NAME |
			      (uint32_t)kind << PROF_STACK_KIND | (w.cut ? PROF_STACK_CUT : 0);
	found = c->word + add_entry(k, s->cpu, c, e, PROF_STACK_BODY + names + frames);
	r->entry = found;
	r->pc = found + PROF_STACK_BODY + names;
	r->program = found == c->word || w.cut || !w.program ? NULL : found + (w.program - e);
	r->end = found + (w.out - e);
	r->left = w.left;
	r->named = s->named;
	r->pid = PROF_STACK_EVERY;
}

/* Return the sample's entry. */
static inline __attribute__((always_inline)) prof_addr *
entry_of(struct prof_stacks *k, const struct prof_stack_cpu *c, const struct prof_sample *s)
{
	struct prof_stack_recent *r;

	r = &c->recent[((uint32_t)(s->at.pc ^ s->at.fp << 9) * 0x9e3779b1u) >>
		       (32 - PROF_STACK_LOG2_RECENT)];
	if (!same_path(k, s, r))
		add_path(k, s, r);
	return r->entry;
}

/* Return whether the process is one that is counted. */
static inline bool wanted(const struct prof *p, const struct prof_sample *s)
{
	uint32_t pid = prof_load(&p->stack.pid);

	return pid == PROF_STACK_EVERY || pid == s->pid;
}

void prof_stack_tick(struct prof *p, const struct prof_sample *s)
{
	struct prof_stack_cpu *c = &p->stack.cpu[s->cpu];
	uint32_t left;
	prof_addr *cell;

	if (!wanted(p, s) || __builtin_sub_overflow(c->left, 1u, &left))
		return;
	prof_store(&c->left, left);
	cell = &entry_of(&p->stack, c, s)[PROF_STACK_COUNT];
	__atomic_store_n(cell, *cell + 1, __ATOMIC_RELAXED);
}

/* Add to a time, after what was stored before. */
static inline void add_time(uint32_t t[2], uint64_t n)
{
	uint32_t low, high = t[1] + (uint32_t)(n >> 32);

	high += __builtin_add_overflow(t[0], (uint32_t)n, &low);
	__atomic_store_n(&t[0], low, __ATOMIC_RELEASE);
	__atomic_store_n(&t[1], high, __ATOMIC_RELEASE);
}

void prof_stack_wait(struct prof *p, const struct prof_sample *s)
{
	struct prof_stack_times *t;
	prof_addr *e;
	uint32_t n;

	if (!wanted(p, s))
		return;
	e = entry_of(&p->wait, &p->wait.cpu[s->cpu], s);
	t = (struct prof_stack_times *)e - 1;
	n = (uint32_t)e[PROF_STACK_COUNT] + 1;
	__atomic_store_n(&e[PROF_STACK_COUNT], n, __ATOMIC_RELAXED);
	if (s->mode >= PROF_DEVICE)
		add_time(t->time[0], s->waited);
	add_time(t->time[1], s->ready);
	__atomic_store_n(&t->done, n, __ATOMIC_RELEASE);
}

/*
 * Note the sample's entry in k. Ticks may come in between, and take the records behind this one;
 * its time is older.
 */
static __attribute__((noinline)) void note(struct prof *p, struct prof_stacks *k,
					   const struct prof_sample *s, uint64_t time)
{
	struct prof_stack_cpu *c = &k->cpu[s->cpu];
	uint32_t i = __atomic_fetch_add(&p->trace.n[s->cpu], 1, __ATOMIC_RELAXED);

	p->trace.ring[s->cpu][i & (p->trace.size - 1)] = (struct prof_trace_record){
		.time = time, .pid = s->pid,
		.entry = (uint32_t)(entry_of(k, c, s) - c->word) * 2 + (k == &p->wait),
	};
}

void prof_trace_tick(struct prof *p, const struct prof_sample *s, uint64_t time)
{
	if (wanted(p, s))
		note(p, &p->stack, s, time);
}

/* What came since is of this process, or else of the one before, which the change must follow. */
void prof_trace_switch(struct prof *p, const struct prof_sample *s, uint64_t time)
{
	const struct prof_trace *t = &p->trace;
	uint32_t n = prof_load(&t->n[s->cpu]), end = n < t->size ? 0 : n - t->size;

	while (n-- > end) {
		const struct prof_trace_record *r = &t->ring[s->cpu][n & (t->size - 1)];

		if (r->time > time && r->pid == s->pid)
			continue;
		if (r->time > time)
			time = r->time;
		break;
	}
	note(p, &p->wait, s, time);
}
