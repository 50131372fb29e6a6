/* Calls and returns: see calls.h. */
#include "tools/record/plugin/calls.h"
#include "tools/record/plugin/process.h"
#include "tools/record/plugin/stacks.h"

#define NEAR 4096 /* bytes of a frame at most, unless the stack is the only one that fits */
#define HAND 1024 /* bytes from a frame to an address that was put there by hand, at most */

/*
 * Return where the frames that are above an address end, from the top of the stack. What lies at or
 * below the address that a call writes to has been left without a return.
 */
static size_t calls_live(const struct shadow_stack *stack, uint64_t sp)
{
	size_t n = stack->n;

	while (n > 0 && stack->frame[n - 1].sp && stack->frame[n - 1].sp <= sp)
		n--;
	return n;
}

/* Return how far an address is below the frame next above it; UINT64_MAX: there is none. */
static uint64_t calls_distance(const struct shadow_stack *stack, uint64_t sp)
{
	size_t n = calls_live(stack, sp);

	if (n == 0)
		return UINT64_MAX;
	if (!stack->frame[n - 1].sp)
		return UINT64_MAX;
	return stack->frame[n - 1].sp - sp;
}

/* Go on on a new stack of the kernel, or of the program that runs. */
static void calls_begin(struct shadow *s, struct shadow_cpu *c)
{
	uint32_t process = stacks_here(s, c)->process;

	stacks_begin(s, c, process_root(s, process));
	stacks_here(s, c)->process = process;
}

/* Return whether a stack may be changed to: one of the kernel, or of the program that runs. */
static bool calls_waits(struct shadow *s, const struct shadow_cpu *c,
			const struct shadow_stack *stack)
{
	if (!stack->used || stack->busy)
		return false;
	return stack->process == stacks_here(s, c)->process;
}

/* Return the stack whose frames are nearest above an address, and which no CPU runs on. */
static size_t calls_nearest(struct shadow *s, const struct shadow_cpu *c, uint64_t sp)
{
	uint64_t best = NEAR, d;
	size_t i, found = NO_STACK;

	for (i = 0; i < s->nstack; i++) {
		if (!calls_waits(s, c, &s->stack[i]))
			continue;
		d = calls_distance(&s->stack[i], sp);
		if (d > best || d == 0)
			continue;
		best = d;
		found = i;
	}
	return found;
}

/*
 * A call writes to an address: find the stack that has it. It is the one at hand unless that one's
 * frames are far off, which tells of a change that was not seen.
 */
static void calls_settle(struct shadow *s, struct shadow_cpu *c, uint64_t sp)
{
	struct shadow_stack *stack = stacks_here(s, c);
	size_t i, live = calls_live(stack, sp);
	uint64_t d = calls_distance(stack, sp);
	bool below = live == stack->n && d == UINT64_MAX;

	if (below || d <= NEAR) {
		stack->n = live;
		return;
	}
	i = calls_nearest(s, c, sp);
	if (i != NO_STACK) {
		stacks_take(s, c, i);
		s->switches++;
	} else if (live == 0 && sp - stack->frame[0].sp > NEAR) {
		calls_begin(s, c);
	}
	stack = stacks_here(s, c);
	stack->n = calls_live(stack, sp);
}

void calls_flush(struct shadow *s, struct shadow_block *b)
{
	if (!b->calls)
		return;
	if (b->where == SHADOW_INSIDE)
		*table_at(&s->arcs, b->next, b->entry, 0) += b->calls;
	b->calls = 0;
}

/* A block's call goes elsewhere than the last one, or is the first. */
static void calls_change(struct shadow *s, struct shadow_block *b, uint64_t entry)
{
	calls_flush(s, b);
	if (!b->entry)
		*table_at(&s->points, b->next, 0, 0) = 1;
	b->entry = entry;
	b->child = 0;
}

/* Push the frame of a call onto the stack at hand. */
static void calls_push(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	struct shadow_frame *f = stacks_push(stacks_here(s, c));

	if (c->block->entry != to->pc)
		calls_change(s, c->block, to->pc);
	c->block->calls += !s->off;
	f->sp = c->pushed;
	f->ret = c->block->next;
	f->entry = to->pc;
	f->since = s->now;
	f->node = NO_PATH;
	f->kind = SHADOW_CALLED;
	f->block = c->block;
}

void calls_make(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	if (c->pushed)
		calls_settle(s, c, c->pushed);
	calls_push(s, c, to);
}

/* ---------------------------------------------------------------- returns */

/* Return whether a stack goes on where a return leads to. */
static bool calls_goes_on(struct shadow *s, const struct shadow_cpu *c, size_t i, uint64_t pc,
			  uint64_t sp)
{
	struct shadow_stack *stack = &s->stack[i];

	if (!calls_waits(s, c, stack) || stack->n == 0)
		return false;
	return stacks_matches(stacks_top(stack), pc, sp);
}

/* If not by its address, it is found by where it goes on: nearly all go on elsewhere. */
size_t calls_other(struct shadow *s, const struct shadow_cpu *c, uint64_t pc, uint64_t sp)
{
	size_t i = *table_at(&s->tops, stacks_here(s, c)->process, sp, 0), found = NO_STACK;

	if (i > 0 && calls_goes_on(s, c, i - 1, pc, sp))
		return i - 1;
	for (i = 0; i < s->nstack; i++) {
		if (s->point[i] != pc || !calls_goes_on(s, c, i, pc, sp))
			continue;
		if (found == NO_STACK || s->stack[i].left > s->stack[found].left)
			found = i;
	}
	return found;
}

/* Return whether an address is on a stack with frames, not on another one. */
static bool calls_has(const struct shadow_stack *stack, uint64_t sp)
{
	size_t n = stack->n;

	if (!stack->frame[n - 1].sp || !stack->frame[0].sp)
		return true;
	return sp + HAND >= stack->frame[n - 1].sp && sp <= stack->frame[0].sp + HAND;
}

/*
 * A return went to no frame. It is the first one of a stack that has none. If its address is on
 * this stack, somebody put it there: it is a jump. If it is elsewhere, a new stack begins. Of a
 * machine that does not tell, a new stack begins where no call has gone on.
 */
static void calls_unknown(struct shadow *s, struct shadow_cpu *c, uint64_t pc, uint64_t sp)
{
	struct shadow_stack *stack = stacks_here(s, c);
	uint64_t meant = stack->n > 0 ? stacks_top(stack)->ret : 0;

	if (stack->n == 0) {
		s->begun++;
	} else if (sp && calls_has(stack, sp)) {
		s->jumps++;
		stack->n = calls_live(stack, sp);
	} else if (!sp && table_has(&s->points, pc, 0, 0)) {
		s->unmatched++;
	} else {
		s->begun++;
		calls_begin(s, c);
	}
	stacks_here(s, c)->jumped = pc;
	stacks_here(s, c)->meant = meant;
}

/* The frames of a stack from n on are returned from: note whether one of these calls took long. */
static void calls_pop(struct shadow *s, struct shadow_stack *stack, size_t n)
{
	const struct shadow_frame *f;
	size_t i;

	for (i = n; s->slow && !s->off && i < stack->n; i++) {
		f = &stack->frame[i];
		if (f->kind == SHADOW_CALLED && f->entry == s->slow)
			s->late |= s->now - f->since > s->limit;
	}
	stack->n = n;
}

/* Return whether a call of a function that is known pushes just below the frame on top. */
static bool calls_is_plain(const struct shadow_cpu *c, const struct shadow_frame *top, uint64_t pc)
{
	if (!c->pushed || pc == c->block->next)
		return false;
	if (pc != c->block->target)
		return false;
	return top->sp - c->pushed - 1 < NEAR;
}

/* Return whether a return is that of the frame on top. */
static bool calls_is_last(const struct shadow_cpu *c, const struct shadow_frame *top, uint64_t pc)
{
	if (!c->popped || top->sp != c->popped)
		return false;
	return stacks_matches(top, pc, c->popped);
}

bool calls_follow(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	struct shadow_stack *stack = stacks_here(s, c);
	const struct shadow_frame *top = stacks_top(stack);

	if (!top)
		return false;
	if (c->block->end == DECODE_CALL && calls_is_plain(c, top, to->pc)) {
		calls_push(s, c, to);
		return true;
	}
	if (c->block->end == DECODE_RETURN && calls_is_last(c, top, to->pc)) {
		s->returns++;
		calls_pop(s, stack, stack->n - 1);
		return true;
	}
	return false;
}

void calls_return(struct shadow *s, struct shadow_cpu *c, uint64_t pc)
{
	struct shadow_stack *stack = stacks_here(s, c);
	uint64_t sp = c->popped;
	size_t n, i;

	s->returns++;
	n = stacks_find(stack, pc, sp);
	if (n != SIZE_MAX) {
		calls_pop(s, stack, n);
		return;
	}
	i = calls_other(s, c, pc, sp);
	if (i == NO_STACK) {
		calls_unknown(s, c, pc, sp);
		return;
	}
	stacks_take(s, c, i);
	s->switches++;
	calls_pop(s, &s->stack[i], s->stack[i].n - 1);
}
