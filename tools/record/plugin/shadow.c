/* Call paths of a machine by what it executes: see shadow.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/record/plugin/process.h"
#include "tools/record/plugin/stacks.h"

#define NEAR 4096 /* bytes of a frame at most, unless the stack is the only one that fits */
#define HAND 1024 /* bytes from a frame to an address that was put there by hand, at most */

void shadow_init(struct shadow *s)
{
	uint32_t i;

	*s = (struct shadow){.nstack = 0};
	tree_init(&s->tree, SHADOW_ROOTS);
	for (i = 0; i < SHADOW_CPUS; i++)
		s->cpu[i] = (struct shadow_cpu){.stack = NO_STACK, .lent = NO_STACK};
}

void shadow_free(struct shadow *s)
{
	size_t i;

	for (i = 0; i < s->nstack; i++)
		free(s->stack[i].frame);
	free(s->stack);
	tree_free(&s->tree);
	table_free(&s->handlers);
	table_free(&s->firmware);
	free(s->process);
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

/* Go on on a new stack of the kernel, or of the program that runs. */
static void shadow_begin(struct shadow *s, struct shadow_cpu *c)
{
	uint32_t process = stacks_here(s, c)->process;

	stacks_begin(s, c, process_root(s, process));
	stacks_here(s, c)->process = process;
}

/* Return whether a stack may be changed to: one of the kernel, or of the program that runs. */
static bool shadow_waits(struct shadow *s, const struct shadow_cpu *c,
			 const struct shadow_stack *stack)
{
	if (!stack->used || stack->busy)
		return false;
	return stack->process == stacks_here(s, c)->process;
}

/* Return the stack whose frames are nearest above an address, and which no CPU runs on. */
static size_t shadow_nearest(struct shadow *s, const struct shadow_cpu *c, uint64_t sp)
{
	uint64_t best = NEAR, d;
	size_t i, found = NO_STACK;

	for (i = 0; i < s->nstack; i++) {
		if (!shadow_waits(s, c, &s->stack[i]))
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
	struct shadow_stack *stack = stacks_here(s, c);
	size_t i, live = shadow_live(stack, sp);
	uint64_t d = shadow_distance(stack, sp);
	bool below = live == stack->n && d == UINT64_MAX;

	if (below || d <= NEAR) {
		stack->n = live;
		return;
	}
	i = shadow_nearest(s, c, sp);
	if (i != NO_STACK) {
		stacks_take(s, c, i);
		s->switches++;
	} else if (live == 0 && sp - stack->frame[0].sp > NEAR) {
		shadow_begin(s, c);
	}
	stack = stacks_here(s, c);
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
	stack = stacks_here(s, c);
	frame.node = tree_child(&s->tree, stacks_path(stack), frame.ret, to->pc);
	s->tree.node[frame.node].calls += !s->off;
	stacks_push(stack, &frame);
}

/* ---------------------------------------------------------------- returns */

/* Return the stack left last, by its number, of those whose last call went on at pc. */
static size_t shadow_other(struct shadow *s, const struct shadow_cpu *c, uint64_t pc,
			   uint64_t sp)
{
	size_t i, found = NO_STACK;

	for (i = 0; i < s->nstack; i++) {
		struct shadow_stack *stack = &s->stack[i];

		if (!shadow_waits(s, c, stack) || stack->n == 0)
			continue;
		if (!stacks_matches(stacks_top(stack), pc, sp))
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
	struct shadow_stack *stack = stacks_here(s, c);

	if (stack->n == 0) {
		s->begun++;
	} else if (sp && shadow_has(stack, sp)) {
		s->jumps++;
		stack->n = shadow_live(stack, sp);
	} else if (!sp && tree_has_point(&s->tree, pc)) {
		s->unmatched++;
	} else {
		s->begun++;
		shadow_begin(s, c);
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
	struct shadow_stack *stack = stacks_here(s, c);
	uint64_t sp = c->popped;
	size_t n, i;

	s->returns++;
	n = stacks_find(stack, pc, sp);
	if (n != SIZE_MAX) {
		shadow_pop(s, stack, n);
		return;
	}
	i = shadow_other(s, c, pc, sp);
	if (i == NO_STACK) {
		shadow_unknown(s, c, pc, sp);
		return;
	}
	stacks_take(s, c, i);
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
	stack = stacks_here(s, c);
	if (stack->process)
		frame.node = SHADOW_FIRMWARE;
	if (stack->n > 0)
		frame.sp = stacks_top(stack)->sp;
	stacks_push(stack, &frame);
}

/* Return the place of the innermost interrupt that has not been resumed from, or SIZE_MAX. */
static size_t shadow_innermost(const struct shadow_stack *stack)
{
	size_t n = stack->n;

	while (n-- > 0)
		if (stack->frame[n].kind == SHADOW_INTERRUPTED)
			return n;
	return SIZE_MAX;
}

/*
 * The innermost interrupt is over, and with it all calls in it. The block that it came after goes
 * on: if that had made a call or a return, this is where it went. Return false: none is known.
 */
static bool shadow_resume(struct shadow *s, struct shadow_cpu *c)
{
	struct shadow_stack *stack = stacks_here(s, c);
	size_t n = shadow_innermost(stack);

	if (n == SIZE_MAX)
		return false;
	stacks_resume(c, stack, n);
	return true;
}

/* ---------------------------------------------------------------- steps */

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

	if (!stacks_follows(b, pc))
		return true;
	if (b->end == DECODE_CALL && b->pushes && !c->pushed)
		return true;
	if (b->end == DECODE_STEP || b->target)
		return false;
	return shadow_is_handler(s, pc);
}

/* The block that ran, or that has been resumed, goes on there: follow what ended it. */
static void shadow_step(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to,
			bool resumed)
{
	if (shadow_is_rest(c, to->pc, resumed))
		return;
	if (c->block->end == DECODE_RETURN)
		shadow_return(s, c, to->pc);
	else if (c->block->end == DECODE_CALL && to->pc != c->block->next)
		shadow_call(s, c, to);
}

/*
 * A block goes on there. If it ended an interrupt, it is the block that this came after which does,
 * and if that had made a call or a return, this is where it went.
 */
static void shadow_go_on(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to,
			 bool resumed)
{
	for (; c->block->end == DECODE_RESUME; resumed = true)
		if (!shadow_resume(s, c))
			return;
	shadow_step(s, c, to, resumed);
}

/*
 * Follow what ended the block that ran. An interrupt may come at once after a call or a return,
 * which then is followed when it is over; a handler that is known tells so.
 */
static void shadow_follow(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	if (!shadow_interrupted(s, c, to->pc))
		shadow_go_on(s, c, to, false);
	else if (!shadow_is_rest(c, to->pc, false))
		shadow_interrupt(s, c, to);
}

/* The kernel is entered from outside: its stack has nothing on it. */
static void shadow_inward(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	const struct shadow_block *b = c->block;
	uint32_t root = SHADOW_KERNEL;
	size_t user = process_leave(s, c);
	bool asked = !b || b->end == DECODE_TRAP;

	if (s->began && !asked && (c->where == SHADOW_PROGRAM || !stacks_follows(b, to->pc)))
		root = SHADOW_INTERRUPT;
	if (b && s->began)
		shadow_handler_add(s, to->pc);
	stacks_begin(s, c, root);
	stacks_here(s, c)->user = user;
	if (user != NO_STACK)
		s->stack[user].owner = c->stack;
	s->began = c->began = true;
}

/* Return whether that is code that ran before the kernel had begun. */
static bool shadow_is_firmware(const struct shadow *s, uint64_t pc)
{
	return table_has(&s->firmware, pc / SHADOW_PAGE, 0, 0);
}

/*
 * Return whether the kernel goes out of its text only for a while: it calls what is there, asks the
 * firmware for something, or is interrupted by it. That may be as it returns, or jumps; or as it
 * resumes, but only what was interrupted in the kernel: a program may be where firmware was.
 */
static bool shadow_lends(struct shadow *s, const struct shadow_cpu *c, uint64_t pc)
{
	const struct shadow_block *b = c->block;
	bool firmware = shadow_is_firmware(s, pc);

	if (c->where == SHADOW_OUTSIDE)
		return c->lent != NO_STACK;
	if (c->where == SHADOW_PROGRAM)
		return false;
	if (b->end == DECODE_RESUME)
		return firmware && shadow_innermost(stacks_here(s, c)) != SIZE_MAX;
	if (b->end == DECODE_RETURN || b->end == DECODE_INDIRECT)
		return firmware;
	return b->end == DECODE_TRAP || b->end == DECODE_CALL || !stacks_follows(b, pc);
}

/* The kernel goes out for a while: keep its stack. */
static void shadow_lend(struct shadow *s, struct shadow_cpu *c)
{
	struct shadow_stack *stack = stacks_here(s, c);

	stack->block = c->block;
	stack->pushed = c->pushed;
	stack->popped = c->popped;
	c->lent = c->stack;
	c->stack = NO_STACK;
}

/* Return whether the kernel goes on where it was left, not with an interrupt that was passed on. */
static bool shadow_continues(struct shadow *s, const struct shadow_cpu *c, uint64_t pc)
{
	const struct shadow_block *b = c->block;

	if (pc >= b->pc && pc < b->next)
		return true;
	if (shadow_is_handler(s, pc))
		return false;
	if (b->end == DECODE_RETURN && shadow_other(s, c, pc, c->popped) != NO_STACK)
		return true;
	return process_continues(stacks_here(s, c), b, pc);
}

/* The kernel is back. */
static void shadow_come_back(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	struct shadow_stack *stack = &s->stack[c->lent];

	c->stack = c->lent;
	c->lent = NO_STACK;
	c->block = stack->block;
	c->pushed = stack->pushed;
	c->popped = stack->popped;
	stack->block = NULL;
	if (to->pc == c->block->next)
		return;
	if (shadow_continues(s, c, to->pc))
		shadow_go_on(s, c, to, true);
	else
		shadow_interrupt(s, c, to);
}

/*
 * What is outside of the kernel, and is no program that is followed, has no paths. Where code ran
 * before the kernel has begun it is the firmware's, unless the kernel goes there for good.
 */
static uint32_t shadow_outward(struct shadow *s, struct shadow_cpu *c, uint64_t pc)
{
	bool lends = shadow_lends(s, c, pc);

	if (c->where == SHADOW_INSIDE && lends)
		shadow_lend(s, c);
	else
		process_leave(s, c);
	if (!c->began)
		return SHADOW_FIRMWARE;
	if (lends && shadow_is_firmware(s, pc))
		return SHADOW_FIRMWARE;
	return SHADOW_USER;
}

/* A program runs, or goes on. */
static uint32_t shadow_program(struct shadow *s, struct shadow_cpu *c,
			       const struct shadow_block *to)
{
	bool was = c->where == SHADOW_PROGRAM;
	bool on = was || process_enter(s, c, to);

	if (on && process_is_followed(s, stacks_here(s, c))) {
		if (was)
			shadow_follow(s, c, to);
		else
			shadow_step(s, c, to, true);
	}
	process_look(s, stacks_here(s, c), to);
	return stacks_path(stacks_here(s, c));
}

/* The kernel runs, or goes on. */
static uint32_t shadow_kernel(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	if (c->where == SHADOW_INSIDE)
		shadow_follow(s, c, to);
	else if (c->lent != NO_STACK)
		shadow_come_back(s, c, to);
	else
		shadow_inward(s, c, to);
	return stacks_path(stacks_here(s, c));
}

uint32_t shadow_enter(struct shadow *s, unsigned cpu, const struct shadow_block *block)
{
	struct shadow_cpu *c = &s->cpu[cpu];
	uint8_t where = block->where;

	if (shadow_goes_on(s, cpu, block))
		return c->path;
	if (where == SHADOW_PROGRAM && (!c->began || shadow_lends(s, c, block->pc)))
		where = SHADOW_OUTSIDE;
	if (where == SHADOW_PROGRAM)
		c->path = shadow_program(s, c, block);
	else if (where == SHADOW_INSIDE)
		c->path = shadow_kernel(s, c, block);
	else
		c->path = shadow_outward(s, c, block->pc);
	c->where = where;
	c->block = block;
	c->pushed = c->popped = 0;
	return c->path;
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
