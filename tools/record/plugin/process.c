/* The programs that a machine runs: see process.h. */
#include <string.h>
#include "tools/memory.h"
#include "tools/record/plugin/process.h"
#include "tools/record/plugin/stacks.h"

size_t process_leave(struct shadow *s, struct shadow_cpu *c)
{
	struct shadow_stack *stack;
	size_t i = c->stack;

	if (i == NO_STACK)
		return NO_STACK;
	stack = &s->stack[i];
	if (!stack->process) {
		stack->n = 0;
		stacks_leave(s, c);
		return NO_STACK;
	}
	stack->block = c->block;
	stack->pushed = c->pushed;
	stack->popped = c->popped;
	stack->left = ++s->clock;
	c->stack = NO_STACK;
	return i;
}

/* Go on on the stack of a program that was left. */
static void process_take(struct shadow *s, struct shadow_cpu *c, size_t i)
{
	struct shadow_stack *stack = &s->stack[i];

	process_leave(s, c);
	stacks_take(s, c, i);
	c->block = stack->block;
	c->pushed = stack->pushed;
	c->popped = stack->popped;
	stack->block = NULL;
	stack->owner = NO_STACK;
}

bool process_continues(const struct shadow_stack *stack, const struct shadow_block *b, uint64_t pc)
{
	if (!b)
		return false;
	/* in it: a fault or an interrupt left it there, or a system call is made once more */
	if (pc >= b->pc && pc < b->next)
		return true;
	if (b->end == DECODE_RETURN && stack->n > 0)
		return stacks_find(stack, pc, 0) != SIZE_MAX;
	return stacks_follows(b, pc);
}

/* Return whether it goes on where a handler of signals has interrupted it, which then is over. */
static bool process_returns(struct shadow_stack *stack, uint64_t pc)
{
	size_t n = stack->n;

	while (n-- > 0) {
		const struct shadow_frame *f = &stack->frame[n];

		if (f->kind != SHADOW_INTERRUPTED || !process_continues(stack, f->block, pc))
			continue;
		stack->block = f->block;
		stack->pushed = f->pushed;
		stack->popped = f->popped;
		stack->n = n;
		return true;
	}
	return false;
}

/* Return whether a block goes on at a place that it names, not just anywhere. */
static bool process_is_certain(const struct shadow_block *b)
{
	return b->end == DECODE_TRAP || b->end == DECODE_STEP || b->target;
}

/* Return the stack of a program that was left last of those that may go on at pc. */
static size_t process_find(struct shadow *s, uint64_t pc)
{
	size_t i, found = NO_STACK;

	for (i = 0; i < s->nstack; i++) {
		const struct shadow_stack *stack = &s->stack[i];

		if (!stack->used || !stack->block || !stack->process)
			continue;
		if (!process_is_certain(stack->block))
			continue;
		if (!process_continues(stack, stack->block, pc))
			continue;
		if (found == NO_STACK || stack->left > s->stack[found].left)
			found = i;
	}
	return found;
}

/* Return the kernel's stack that waits to go on with a program's, or NO_STACK. */
static size_t process_owner(const struct shadow *s, size_t i)
{
	size_t owner = s->stack[i].owner;

	if (owner == NO_STACK)
		return NO_STACK;
	if (!s->stack[owner].used || s->stack[owner].user != i)
		return NO_STACK;
	return owner;
}

/* Make another stack like one that was left, as fork does. Frames are copied, for each pops its. */
static size_t process_copy(struct shadow *s, size_t from)
{
	size_t i = stacks_unused(s), room = s->stack[i].room;
	struct shadow_frame *frame = s->stack[i].frame;
	const struct shadow_stack *old = &s->stack[from];

	frame = memory_grow(frame, &room, old->n + 1, sizeof(*frame));
	if (old->n > 0)
		memcpy(frame, old->frame, old->n * sizeof(*frame));
	s->stack[i] = *old;
	s->stack[i].frame = frame;
	s->stack[i].room = room;
	s->stack[i].owner = NO_STACK;
	return i;
}

/*
 * A program begins in place of the one from which the kernel was entered, if any, as exec does. A
 * kernel that has never changed stacks has one for all of them, which go on later.
 */
static void process_begin(struct shadow *s, struct shadow_cpu *c, size_t i)
{
	struct shadow_process *process;
	uint32_t number = (uint32_t)s->nprocess + 1;

	s->process = memory_grow(s->process, &s->room_process, s->nprocess + 1,
				 sizeof(*s->process));
	process = &s->process[s->nprocess++];
	process->ran = (struct programs_set){.may = programs_all(s->programs)};
	process->root = tree_child(&s->tree, SHADOW_USER, 0, number);
	process_leave(s, c);
	if (i == NO_STACK || !s->switches)
		stacks_begin(s, c, process->root);
	else
		process_take(s, c, i);
	stacks_here(s, c)->process = number;
	stacks_here(s, c)->root = process->root;
	stacks_here(s, c)->n = 0;
}

/* A handler of signals begins, whose path is one of its own. */
static void process_handle(struct shadow *s, struct shadow_cpu *c, size_t i)
{
	struct shadow_frame frame = {.kind = SHADOW_INTERRUPTED, .node = s->stack[i].root};

	process_take(s, c, i);
	frame.block = c->block;
	frame.pushed = c->pushed;
	frame.popped = c->popped;
	*stacks_push(stacks_here(s, c)) = frame;
}

/* Return whether a program's stack goes on at a place where it was not left, for it was told to. */
static bool process_is_handler(const struct shadow *s, size_t i, const struct shadow_block *to)
{
	const struct programs_set *set = &s->programs->set[to->whose];

	if (i == NO_STACK || set->begins)
		return false;
	return set->has & s->process[s->stack[i].process - 1].ran.may;
}

/*
 * Another stack than that from which the kernel was entered goes on: the kernel was entered anew on
 * the stack that it has made of that one, by fork; or it has one stack for all programs.
 */
static void process_change(struct shadow *s, struct shadow_cpu *c, size_t mine, size_t i)
{
	size_t owner = process_owner(s, i);

	if (owner != NO_STACK && mine == NO_STACK) {
		i = process_copy(s, i);
	} else if (owner != NO_STACK) {
		s->stack[owner].user = mine;
		s->stack[mine].owner = owner;
	}
	process_take(s, c, i);
}

bool process_enter(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to)
{
	const struct programs_set *set = &s->programs->set[to->whose];
	size_t mine = NO_STACK, i;

	if (c->stack != NO_STACK)
		mine = stacks_here(s, c)->user;
	if (mine != NO_STACK && !s->stack[mine].block) /* it has gone on since */
		mine = NO_STACK;
	if (mine != NO_STACK) {
		struct shadow_stack *stack = &s->stack[mine];

		if (process_continues(stack, stack->block, to->pc) ||
		    process_returns(stack, to->pc)) {
			process_take(s, c, mine);
			return true;
		}
	}
	i = set->begins ? NO_STACK : process_find(s, to->pc);
	if (i != NO_STACK) {
		process_change(s, c, mine, i);
		return true;
	}
	if (process_is_handler(s, mine, to))
		process_handle(s, c, mine);
	else
		process_begin(s, c, mine);
	return false;
}

void process_look(struct shadow *s, struct shadow_stack *stack, const struct shadow_block *block)
{
	const struct programs_set *set = &s->programs->set[block->whose];
	struct programs_set *ran;

	if (!stack->process)
		return;
	ran = &s->process[stack->process - 1].ran;
	ran->may &= set->may;
	ran->has |= set->has;
	if (!ran->may)
		stack->n = 0;
}

bool process_is_followed(const struct shadow *s, const struct shadow_stack *stack)
{
	return !stack->process || s->process[stack->process - 1].ran.may;
}

uint32_t process_root(const struct shadow *s, uint32_t process)
{
	if (!process)
		return SHADOW_KERNEL;
	return s->process[process - 1].root;
}

uint32_t process_of(const struct shadow *s, uint32_t path)
{
	const struct tree_node *node = s->tree.node;

	for (; path >= SHADOW_ROOTS; path = node[path].parent)
		if (node[path].parent == SHADOW_USER)
			return (uint32_t)node[path].entry;
	return 0;
}

const char *process_name(const struct shadow *s, uint32_t process)
{
	const struct programs_set *ran = &s->process[process - 1].ran;

	if (!(ran->may & ran->has))
		return NULL;
	return s->programs->program[__builtin_ctzll(ran->may & ran->has)].name;
}
