/*
 * Call paths of a machine by what it executes: see shadow.h. Here is what came next, and whether
 * that is an interrupt; what calls and returns do is in calls.c, and the stacks are in stacks.c.
 */
#include <stdlib.h>
#include "tools/record/plugin/calls.h"
#include "tools/record/plugin/process.h"
#include "tools/record/plugin/stacks.h"

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
	free(s->point);
	tree_free(&s->tree);
	table_free(&s->tops);
	table_free(&s->points);
	table_free(&s->arcs);
	table_free(&s->handlers);
	table_free(&s->firmware);
	free(s->process);
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
	*stacks_push(stack) = frame;
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

/*
 * Execution was resumed, and no interrupt is known. If it went on where the last return that was
 * none would have gone, that was an interrupt, which came just after it: know its handler now.
 */
static void shadow_learn(struct shadow *s, struct shadow_cpu *c, uint64_t pc)
{
	struct shadow_stack *stack = stacks_here(s, c);

	if (!stack->meant || pc != stack->meant)
		return;
	shadow_handler_add(s, stack->jumped);
	stack->meant = 0;
	c->popped = 0;
	if (stack->n == 0) { /* it was taken for a new stack: the return is to the old one */
		s->returns--;
		calls_return(s, c, pc);
	}
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

/*
 * Return whether a handler, of which no call goes on, hands over to another one: it jumps there, or
 * returns to an address that it has pushed, as one does that was put before the system's own.
 */
static bool shadow_hands_over(struct shadow *s, const struct shadow_cpu *c)
{
	const struct shadow_frame *top = stacks_top(stacks_here(s, c));

	if (!top || top->kind != SHADOW_INTERRUPTED)
		return false;
	return c->block->end == DECODE_INDIRECT || c->popped;
}

/* Return whether what came next is an interrupt, or an exception. */
static bool shadow_interrupted(struct shadow *s, const struct shadow_cpu *c, uint64_t pc)
{
	const struct shadow_block *b = c->block;

	if (!stacks_follows(b, pc))
		return true;
	if (b->end == DECODE_CALL && !c->pushed && b->pushes)
		return true;
	if (b->end == DECODE_STEP || b->target)
		return false;
	return shadow_is_handler(s, pc) && !shadow_hands_over(s, c);
}

/* The block that ran, or that has been resumed, goes on there: follow what ended it. */
static void shadow_step(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to,
			bool resumed)
{
	if (shadow_is_rest(c, to->pc, resumed))
		return;
	if (c->block->end == DECODE_RETURN)
		calls_return(s, c, to->pc);
	else if (c->block->end == DECODE_CALL && to->pc != c->block->next)
		calls_make(s, c, to);
}

/*
 * A block goes on there. If it ended an interrupt, it is the block that this came after which does,
 * and if that had made a call or a return, this is where it went.
 */
static void shadow_go_on(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to,
			 bool resumed)
{
	for (; c->block->end == DECODE_RESUME; resumed = true)
		if (!shadow_resume(s, c)) {
			shadow_learn(s, c, to->pc);
			return;
		}
	shadow_step(s, c, to, resumed);
}

/*
 * Follow what ended the block that ran. An interrupt may come at once after a call or a return,
 * which then is followed when it is over; a handler that is known tells so.
 */
static void shadow_follow(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	if (calls_follow(s, c, to))
		return;
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
	if (b->end == DECODE_RETURN && calls_other(s, c, pc, c->popped) != NO_STACK)
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
static void shadow_outward(struct shadow *s, struct shadow_cpu *c, uint64_t pc)
{
	bool lends = shadow_lends(s, c, pc);

	if (c->where == SHADOW_INSIDE && lends)
		shadow_lend(s, c);
	else
		process_leave(s, c);
	c->outside = SHADOW_USER;
	if (!c->began || (lends && shadow_is_firmware(s, pc)))
		c->outside = SHADOW_FIRMWARE;
}

/* A program runs, or goes on. */
static void shadow_program(struct shadow *s, struct shadow_cpu *c, struct shadow_block *to)
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
}

/* The kernel runs, or goes on. */
static void shadow_kernel(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	if (c->where == SHADOW_INSIDE)
		shadow_follow(s, c, to);
	else if (c->lent != NO_STACK)
		shadow_come_back(s, c, to);
	else
		shadow_inward(s, c, to);
}

/* Return whether a block of whatever has paths goes on at an address by itself, on its path. */
static bool shadow_leads(const struct shadow_block *b, uint64_t pc)
{
	if (b->end > DECODE_BRANCH)
		return false;
	return pc == b->next || pc == b->target;
}

/* Return whether a CPU stays on its path with that block, and if so remember it. */
static bool shadow_stays(struct shadow_cpu *c, struct shadow_block *to)
{
	struct shadow_block *b = c->block;

	if (!b || to->where != c->where)
		return false;
	if (to->where != SHADOW_OUTSIDE && !shadow_leads(b, to->pc))
		return false;
	b->after[to->pc == b->target] = to;
	c->block = to;
	return true;
}

bool shadow_comes_by_call(struct shadow *s, unsigned cpu, struct shadow_block *to)
{
	struct shadow_cpu *c = &s->cpu[cpu];

	if (c->where != SHADOW_INSIDE)
		return false;
	if (to->where != SHADOW_INSIDE)
		return false;
	if (!calls_follow(s, c, to))
		return false;
	c->block = to;
	c->pushed = c->popped = 0;
	return true;
}

void shadow_enter(struct shadow *s, unsigned cpu, struct shadow_block *block)
{
	struct shadow_cpu *c = &s->cpu[cpu];
	uint8_t where = block->where;

	if (shadow_stays(c, block))
		return;
	if (where == SHADOW_PROGRAM && (!c->began || shadow_lends(s, c, block->pc)))
		where = SHADOW_OUTSIDE;
	if (where == SHADOW_PROGRAM)
		shadow_program(s, c, block);
	else if (where == SHADOW_INSIDE)
		shadow_kernel(s, c, block);
	else
		shadow_outward(s, c, block->pc);
	c->where = where;
	c->block = block;
	c->pushed = c->popped = 0;
}

uint32_t shadow_path(struct shadow *s, unsigned cpu)
{
	struct shadow_cpu *c = &s->cpu[cpu];

	if (c->where == SHADOW_OUTSIDE)
		return c->outside;
	return stacks_path(s, stacks_here(s, c));
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
