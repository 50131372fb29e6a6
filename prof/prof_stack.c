/*
 * stack: how often the program counter was found at the end of each path of calls. Each CPU
 * has a table of its own: entries one after the other, and a hash of where they are. An entry:
 *
 *	hash, count, shape | name | pc | return addresses, innermost first | PROF_STACK_NOWHERE
 *
 * How long processes waited is in tables of the same kind, with times before each entry. They are
 * written by who waited, not in ticks, which may come meanwhile.
 *
 * Most ticks find their entry by prof_stackcache_find(). For the others the path is written here
 * where the next entry would be, and the hash says whether there is one like it.
 */
#include "prof/prof_stackwalk.h"

#define NAME_WORDS 8u
#define RESERVE (PROF_STACK_BODY + NAME_WORDS + PROF_STACK_MAXDEPTH + 1) /* the longest entry */

/* A path that is being written: its addresses, innermost first. */
struct walk {
	prof_addr *out, *end;
	bool cut; /* there would have been more */
	const prof_addr *program; /* what prof_stack_recent has of that name, but here, */
	prof_addr left;		  /* and of this, as it is there */
};

/* Add an address to the path, or note that there was no room. */
static inline void stack_add_address(struct walk *w, prof_addr addr)
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
stack_add_frames(struct walk *w, const struct prof_stack_window *v, prof_addr off)
{
	while (off <= v->span) {
		prof_addr ret = prof_stack_ret_at(v, off);

		if (ret == 0 || ret == v->stop)
			break;
		stack_add_address(w, ret);
		if (w->cut)
			break;
		off = prof_stack_caller(v, off);
	}
	return off;
}

/*
 * Add the program's callers. Its frame pointers may be anything: each page is looked up anew,
 * and they may only ascend from one to the next.
 */
static void stack_add_program(struct walk *w, const struct prof_stack_place *at)
{
	prof_addr fp = at->fp;
	struct prof_stack_window v;

	if (at->ret)
		stack_add_address(w, at->ret);
	do {
		if (!prof_stack_user(&v, fp))
			return;
		fp = stack_add_frames(w, &v, fp - v.lo) + v.lo;
	} while (fp - v.lo > v.span && fp > v.lo);
}

/* Return whether a path that was cut leads to an interrupt, as far as can be seen. */
static bool stack_leads_to_interrupt(const struct prof_stack_window *v, prof_addr off)
{
	struct prof_stack_place at;

	for (unsigned i = 0; i < PROF_STACK_MAXDEPTH; i++) {
		enum prof_stack_trap trap = prof_stack_came_from(v, off, &at);
		if (trap != PROF_STACK_AT_KERNEL)
			return trap == PROF_STACK_AT_INTERRUPT;
		off = prof_stack_caller(v, off);
	}
	return false;
}

/*
 * Add the kernel's callers, and the program's if it called the kernel. Return whether the path
 * is an interrupt's.
 */
static bool stack_add_kernel(struct walk *w, const struct prof_sample *s, prof_addr stop)
{
	struct prof_stack_place at;
	struct prof_stack_window v;

	prof_stack_kernel(&v, s, stop);
	at.pc = s->at.pc;
	at.fp = s->at.fp;
	at.ret = s->at.ret;
	for (bool fault = false;; fault = true) {
		if (at.ret)
			stack_add_address(w, at.ret);
		prof_addr off = stack_add_frames(w, &v, at.fp - v.lo);
		w->program = w->out;
		if (fault)
			w->program = NULL;
		w->left = v.span - off;
		if (w->cut)
			return stack_leads_to_interrupt(&v, off);
		enum prof_stack_trap trap = prof_stack_came_from(&v, off, &at);
		if (trap == PROF_STACK_AT_NOTHING)
			return false;
		if (trap == PROF_STACK_AT_INTERRUPT)
			return true;
		stack_add_address(w, at.pc);
		if (trap == PROF_STACK_AT_USER) {
			stack_add_program(w, &at);
			return false;
		}
	}
}

/* Copy the name up to its NUL, four characters to a word, and return how many words it has. */
static uint32_t stack_add_name(struct walk *w, const char *name)
{
	uint32_t n = 0, word;

	if (!name)
		name = "kernel";
	do {
		word = 0;
		for (unsigned shift = 0; shift < 32 && *name; shift += 8)
			word |= (uint32_t)(unsigned char)*name++ << shift;
		*w->out++ = word;
	} while (++n < NAME_WORDS && word >> 24);
	return n;
}

/* Take n words of the table for an entry; false: none are left, or others have their half. */
static bool stack_take(const struct prof_stacks *k, struct prof_stack_cpu *c, uint32_t n,
		       bool others)
{
	if (c->used + n + RESERVE > k->nword)
		return false;
	if (!others)
		return true;
	if (c->others + n > k->nword / 2)
		return false;
	c->others += n;
	return true;
}

/*
 * Find the entry like e, whose n words stand after the last entry, or else make them an entry.
 * Return where it is in the table, or 0 if there is no room. The highest bit of a hash is the half
 * of the slots: programs choose return addresses, and so could take the slots of the owner's paths.
 */
static uint32_t stack_add_entry(struct prof_stacks *k, const struct prof_sample *s, prof_addr *e,
				uint32_t n)
{
	struct prof_stack_cpu *c = &k->cpu[s->cpu];
	uint32_t *slot, at, sum = 0, i;

	for (i = PROF_STACK_SHAPE; i < n; i++)
		sum = (sum ^ (uint32_t)e[i] ^ (uint32_t)(e[i] >> 16 >> 16)) * 0x85ebca6bu;
	e[PROF_STACK_HASH] = (sum ^ sum << 15) >> 1 | (uint32_t)s->others << 31;
	e[PROF_STACK_COUNT] = 0;
	e[n] = PROF_STACK_NOWHERE;
	at = prof_stack_find(k, s->cpu, e, n, &slot);
	if (at || !slot || !stack_take(k, c, n + 1 + k->extra, s->others))
		return at;
	at = c->used;
	for (i = 1; i <= k->extra; i++)
		e[-(int)i] = 0;
	__atomic_store_n(&c->used, at + n + 1 + k->extra, __ATOMIC_RELEASE);
	__atomic_store_n(slot, at, __ATOMIC_RELEASE);
	return at;
}

void prof_stack_add(struct prof_stacks *k, const struct prof_sample *s, struct prof_stack_recent *r)
{
	struct prof_stack_cpu *c = &k->cpu[s->cpu];
	prof_addr *e = c->word + c->used;
	enum prof_cause what = s->what;
	struct walk w;

	w.out = e + PROF_STACK_BODY;
	w.cut = false;
	w.left = 0;
	uint32_t names = stack_add_name(&w, s->name);
	w.program = w.out;
	w.end = w.out + k->depth;
	stack_add_address(&w, s->at.pc);
	if (s->what == PROF_USER)
		stack_add_program(&w, &s->at);
	else if (stack_add_kernel(&w, s, k->trap))
		what = PROF_INTERRUPT;
	uint32_t frames = (uint32_t)(w.out - e) - PROF_STACK_BODY - names;
	uint32_t shape = frames | names << PROF_STACK_NAME | (uint32_t)what << PROF_STACK_CAUSE;
	if (w.cut) {
		shape |= PROF_STACK_CUT;
		w.program = NULL;
	}
	e[PROF_STACK_SHAPE] = shape;
	prof_addr *found = c->word + stack_add_entry(k, s, e, PROF_STACK_BODY + names + frames);
	r->entry = found;
	r->pc = found + PROF_STACK_BODY + names;
	r->program = NULL;
	if (found != c->word && w.program)
		r->program = found + (w.program - e);
	r->end = found + (w.out - e);
	r->left = w.left;
	r->named = s->named;
	r->pid = PROF_STACK_EVERY;
}
