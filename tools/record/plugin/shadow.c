/* Call paths of a machine by what it executes: see shadow.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/record/plugin/shadow.h"

#define NEAR 4096 /* bytes of a frame at most, unless the stack is the only one that fits */
#define HAND 1024 /* bytes from a frame to an address that was put there by hand, at most */
#define NO_STACK SIZE_MAX

void shadow_init(struct shadow *s)
{
	uint32_t i;

	*s = (struct shadow){.nstack = 0};
	tree_init(&s->tree, SHADOW_ROOTS);
	for (i = 0; i < SHADOW_CPUS; i++)
		s->cpu[i] = (struct shadow_cpu){.stack = NO_STACK, .outside = true};
}

void shadow_free(struct shadow *s)
{
	size_t i;

	for (i = 0; i < s->nstack; i++)
		free(s->stack[i].frame);
	free(s->stack);
	tree_free(&s->tree);
	table_free(&s->handlers);
}

/* ---------------------------------------------------------------- stacks */

/* Return the stack that a CPU runs on. */
static struct shadow_stack *shadow_here(struct shadow *s, const struct shadow_cpu *c)
{
	return &s->stack[c->stack];
}

/* Return the frame on top of a stack, or NULL. */
static struct shadow_frame *shadow_top(struct shadow_stack *stack)
{
	if (stack->n == 0)
		return NULL;
	return &stack->frame[stack->n - 1];
}

static void shadow_push(struct shadow_stack *stack, const struct shadow_frame *frame)
{
	stack->frame = memory_grow(stack->frame, &stack->room, stack->n + 1,
				   sizeof(*stack->frame));
	stack->frame[stack->n++] = *frame;
}

/* Leave the stack for another one, or for none. One without frames is forgotten. */
static void shadow_leave(struct shadow *s, struct shadow_cpu *c)
{
	struct shadow_stack *stack;

	if (c->stack == NO_STACK)
		return;
	stack = shadow_here(s, c);
	stack->busy = false;
	stack->left = ++s->clock;
	stack->used = stack->n > 0;
	c->stack = NO_STACK;
}

/* Go on on a stack. */
static void shadow_take(struct shadow *s, struct shadow_cpu *c, size_t i)
{
	shadow_leave(s, c);
	c->stack = i;
	s->stack[i].busy = true;
}

/* Return the number of a stack that is not used, of which there always is one. */
static size_t shadow_unused(struct shadow *s)
{
	size_t i;

	for (i = 0; i < s->nstack; i++)
		if (!s->stack[i].used)
			return i;
	s->stack = memory_grow_zeroed(s->stack, &s->room_stack, s->nstack + 1,
				      sizeof(*s->stack));
	return s->nstack++;
}

/* Go on on a new stack. */
static void shadow_begin(struct shadow *s, struct shadow_cpu *c, uint32_t root)
{
	size_t i = shadow_unused(s);

	s->stack[i].n = 0;
	s->stack[i].root = root;
	s->stack[i].used = true;
	shadow_take(s, c, i);
	s->fresh++;
}

/* Return the path that a stack's code is on. */
static uint32_t shadow_path(struct shadow_stack *stack)
{
	if (stack->n == 0)
		return stack->root;
	return shadow_top(stack)->node;
}

/* ---------------------------------------------------------------- calls */

/*
 * Return where the frames that are above an address end, from the top of the stack. What lies at or
 * below the address that a call writes to has been left without a return.
 */
static size_t shadow_live(const struct shadow_stack *stack, uint64_t sp)
{
	size_t n = stack->n;

	while (n > 0 && stack->frame[n - 1].sp && stack->frame[n - 1].sp <= sp)
		n--;
	return n;
}

/* Return how far an address is below the frame next above it; UINT64_MAX: there is none. */
static uint64_t shadow_distance(const struct shadow_stack *stack, uint64_t sp)
{
	size_t n = shadow_live(stack, sp);

	if (n == 0)
		return UINT64_MAX;
	if (!stack->frame[n - 1].sp)
		return UINT64_MAX;
	return stack->frame[n - 1].sp - sp;
}

/* Return the stack whose frames are nearest above an address, and which no CPU runs on. */
static size_t shadow_nearest(struct shadow *s, uint64_t sp)
{
	uint64_t best = NEAR, d;
	size_t i, found = NO_STACK;

	for (i = 0; i < s->nstack; i++) {
		if (!s->stack[i].used)
			continue;
		if (s->stack[i].busy)
			continue;
		d = shadow_distance(&s->stack[i], sp);
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
static void shadow_settle(struct shadow *s, struct shadow_cpu *c, uint64_t sp)
{
	struct shadow_stack *stack = shadow_here(s, c);
	size_t i, live = shadow_live(stack, sp);
	uint64_t d = shadow_distance(stack, sp);
	bool below = live == stack->n && d == UINT64_MAX;

	if (below || d <= NEAR) {
		stack->n = live;
		return;
	}
	i = shadow_nearest(s, sp);
	if (i != NO_STACK) {
		shadow_take(s, c, i);
		s->switches++;
	} else if (live == 0 && sp - stack->frame[0].sp > NEAR) {
		shadow_begin(s, c, SHADOW_KERNEL);
	}
	stack = shadow_here(s, c);
	stack->n = shadow_live(stack, sp);
}

static void shadow_call(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	struct shadow_stack *stack;
	struct shadow_frame frame = {
		.sp = c->pushed, .ret = c->block->next, .since = s->now,
	};

	if (frame.sp)
		shadow_settle(s, c, frame.sp);
	stack = shadow_here(s, c);
	frame.node = tree_child(&s->tree, shadow_path(stack), frame.ret, to->pc);
	s->tree.node[frame.node].calls += !s->off;
	shadow_push(stack, &frame);
}

/* ---------------------------------------------------------------- returns */

/* Return whether a return to pc, whose address it takes from sp if that is known, is a frame's. */
static bool shadow_matches(const struct shadow_frame *f, uint64_t pc, uint64_t sp)
{
	if (f->kind != SHADOW_CALLED)
		return false;
	if (f->ret != pc)
		return false;
	return !sp || !f->sp || f->sp == sp;
}

/* Return the number of frames below the one that matches, of one stack; SIZE_MAX: none does. */
static size_t shadow_find(const struct shadow_stack *stack, uint64_t pc, uint64_t sp)
{
	size_t n = stack->n;

	while (n-- > 0)
		if (shadow_matches(&stack->frame[n], pc, sp))
			return n;
	return SIZE_MAX;
}

/* Return the stack left last, by its number, of those whose last call went on at pc. */
static size_t shadow_other(struct shadow *s, uint64_t pc, uint64_t sp)
{
	size_t i, found = NO_STACK;

	for (i = 0; i < s->nstack; i++) {
		struct shadow_stack *stack = &s->stack[i];

		if (!stack->used || stack->busy || stack->n == 0)
			continue;
		if (!shadow_matches(shadow_top(stack), pc, sp))
			continue;
		if (found == NO_STACK || stack->left > s->stack[found].left)
			found = i;
	}
	return found;
}

/* Return whether an address is on a stack with frames, not on another one. */
static bool shadow_has(const struct shadow_stack *stack, uint64_t sp)
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
static void shadow_unknown(struct shadow *s, struct shadow_cpu *c, uint64_t pc, uint64_t sp)
{
	struct shadow_stack *stack = shadow_here(s, c);

	if (stack->n == 0) {
		s->begun++;
	} else if (sp && shadow_has(stack, sp)) {
		s->jumps++;
		stack->n = shadow_live(stack, sp);
	} else if (!sp && tree_has_point(&s->tree, pc)) {
		s->unmatched++;
	} else {
		s->begun++;
		shadow_begin(s, c, SHADOW_KERNEL);
	}
}

/* The frames of a stack from n on are returned from: note whether one of these calls took long. */
static void shadow_pop(struct shadow *s, struct shadow_stack *stack, size_t n)
{
	const struct shadow_frame *f;
	size_t i;

	for (i = n; s->slow && !s->off && i < stack->n; i++) {
		f = &stack->frame[i];
		if (f->kind == SHADOW_CALLED && s->tree.node[f->node].entry == s->slow)
			s->late |= s->now - f->since > s->limit;
	}
	stack->n = n;
}

static void shadow_return(struct shadow *s, struct shadow_cpu *c, uint64_t pc)
{
	struct shadow_stack *stack = shadow_here(s, c);
	uint64_t sp = c->popped;
	size_t n, i;

	s->returns++;
	n = shadow_find(stack, pc, sp);
	if (n != SIZE_MAX) {
		shadow_pop(s, stack, n);
		return;
	}
	i = shadow_other(s, pc, sp);
	if (i == NO_STACK) {
		shadow_unknown(s, c, pc, sp);
		return;
	}
	shadow_take(s, c, i);
	s->switches++;
	shadow_pop(s, &s->stack[i], s->stack[i].n - 1);
}

/* ---------------------------------------------------------------- interrupts */

/* Remember where an interrupt went. */
static void shadow_handler_add(struct shadow *s, uint64_t pc)
{
	*table_at(&s->handlers, pc, 0, 0) = 1;
	s->maybe[pc % SHADOW_MAYBE] = true;
}

/* Return whether an interrupt went there before. */
static bool shadow_is_handler(const struct shadow *s, uint64_t pc)
{
	if (!s->maybe[pc % SHADOW_MAYBE])
		return false;
	return table_has(&s->handlers, pc, 0, 0);
}

static void shadow_interrupt(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	struct shadow_frame frame = {
		.node = SHADOW_INTERRUPT, .kind = SHADOW_INTERRUPTED,
		.block = c->block, .pushed = c->pushed, .popped = c->popped,
	};
	struct shadow_stack *stack;

	shadow_handler_add(s, to->pc);
	s->interrupts++;
	stack = shadow_here(s, c);
	if (stack->n > 0)
		frame.sp = shadow_top(stack)->sp;
	shadow_push(stack, &frame);
}

/*
 * The innermost interrupt is over, and with it all calls in it. The block that it came after goes
 * on: if that had made a call or a return, this is where it went. Return false: none is known.
 */
static bool shadow_resume(struct shadow *s, struct shadow_cpu *c)
{
	struct shadow_stack *stack = shadow_here(s, c);
	const struct shadow_frame *frame;
	size_t n = stack->n;

	while (n > 0 && stack->frame[n - 1].kind != SHADOW_INTERRUPTED)
		n--;
	if (n == 0)
		return false;
	frame = &stack->frame[n - 1];
	c->block = frame->block;
	c->pushed = frame->pushed;
	c->popped = frame->popped;
	stack->n = n - 1;
	return true;
}

/* ---------------------------------------------------------------- steps */

/* Return whether a block can go on there by itself. */
static bool shadow_follows(const struct shadow_block *b, uint64_t pc)
{
	switch (b->end) {
	case DECODE_STEP:
		return pc == b->next;
	case DECODE_JUMP:
		return pc == b->target;
	case DECODE_BRANCH:
		return pc == b->next || pc == b->target;
	case DECODE_CALL:
		return !b->target || pc == b->target;
	case DECODE_TRAP:
		return pc == b->next;
	default:
		return true;
	}
}

/*
 * A block may be left in its middle, and the rest of it then is a block; after an interrupt that
 * may be all of it. Not so if the instruction at its end has told of itself.
 */
static bool shadow_is_rest(const struct shadow_cpu *c, uint64_t pc, bool resumed)
{
	const struct shadow_block *b = c->block;

	if (c->pushed || c->popped || pc == b->target)
		return false;
	if (pc == b->pc)
		return resumed;
	return pc > b->pc && pc < b->next;
}

/* Return whether what came next is an interrupt, or an exception. */
static bool shadow_interrupted(const struct shadow *s, const struct shadow_cpu *c, uint64_t pc)
{
	const struct shadow_block *b = c->block;

	if (!shadow_follows(b, pc))
		return true;
	if (b->end == DECODE_CALL && b->pushes && !c->pushed)
		return true;
	if (b->end == DECODE_STEP || b->target)
		return false;
	return shadow_is_handler(s, pc);
}

/*
 * Follow what ended the block that ran. An interrupt may come at once after a call or a return,
 * which then is followed when it is over; a handler that is known tells so.
 */
static void shadow_follow(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	bool resumed = false;

	if (shadow_interrupted(s, c, to->pc)) {
		if (!shadow_is_rest(c, to->pc, false))
			shadow_interrupt(s, c, to);
		return;
	}
	for (; c->block->end == DECODE_RESUME; resumed = true)
		if (!shadow_resume(s, c))
			return;
	if (shadow_is_rest(c, to->pc, resumed))
		return;
	if (c->block->end == DECODE_RETURN)
		shadow_return(s, c, to->pc);
	else if (c->block->end == DECODE_CALL && to->pc != c->block->next)
		shadow_call(s, c, to);
}

/* The kernel is entered from outside: its stack has nothing on it. */
static void shadow_inward(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	const struct shadow_block *b = c->block;
	uint32_t root = SHADOW_KERNEL;

	if (b && s->began && b->end != DECODE_TRAP && !shadow_follows(b, to->pc))
		root = SHADOW_INTERRUPT;
	if (b && s->began)
		shadow_handler_add(s, to->pc);
	shadow_begin(s, c, root);
	s->began = true;
	c->outside = false;
}

/* What is outside of the kernel has no paths. */
static uint32_t shadow_outward(struct shadow *s, struct shadow_cpu *c)
{
	if (c->stack != NO_STACK) {
		shadow_here(s, c)->n = 0;
		shadow_leave(s, c);
	}
	c->outside = true;
	if (s->began)
		return SHADOW_USER;
	return SHADOW_FIRMWARE;
}

uint32_t shadow_enter(struct shadow *s, unsigned cpu, const struct shadow_block *block)
{
	struct shadow_cpu *c = &s->cpu[cpu];
	uint32_t path;

	if (shadow_goes_on(s, cpu, block))
		return c->path;
	if (!block->kernel) {
		path = shadow_outward(s, c);
	} else {
		if (c->outside)
			shadow_inward(s, c, block);
		else
			shadow_follow(s, c, block);
		path = shadow_path(shadow_here(s, c));
	}
	c->block = block;
	c->pushed = c->popped = 0;
	c->path = path;
	return path;
}

void shadow_pushed(struct shadow *s, unsigned cpu, uint64_t address)
{
	if (!s->cpu[cpu].pushed)
		s->cpu[cpu].pushed = address;
}

void shadow_popped(struct shadow *s, unsigned cpu, uint64_t address)
{
	if (!s->cpu[cpu].popped)
		s->cpu[cpu].popped = address;
}
