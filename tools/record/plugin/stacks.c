/* The shadows of a machine's stacks: see stacks.h. */
#include "tools/memory.h"
#include "tools/record/plugin/stacks.h"

/* Return the stack that a CPU runs on. */
struct shadow_stack *stacks_here(struct shadow *s, const struct shadow_cpu *c)
{
	return &s->stack[c->stack];
}

/* Return the frame on top of a stack, or NULL. */
struct shadow_frame *stacks_top(struct shadow_stack *stack)
{
	if (stack->n == 0)
		return NULL;
	return &stack->frame[stack->n - 1];
}

struct shadow_frame *stacks_push(struct shadow_stack *stack)
{
	if (stack->n == stack->room)
		stack->frame = memory_grow(stack->frame, &stack->room, stack->n + 1,
					   sizeof(*stack->frame));
	return &stack->frame[stack->n++];
}

/* Leave the stack for another one, or for none. One without frames is forgotten. */
void stacks_leave(struct shadow *s, struct shadow_cpu *c)
{
	struct shadow_stack *stack;

	if (c->stack == NO_STACK)
		return;
	stack = stacks_here(s, c);
	stack->busy = false;
	stack->left = ++s->clock;
	stack->used = stack->n > 0;
	s->point[c->stack] = stack->used ? stacks_top(stack)->ret : 0;
	if (stack->used)
		*table_at(&s->tops, stack->process, stacks_top(stack)->sp, 0) = c->stack + 1;
	if (!stack->used && c->stack < s->unused)
		s->unused = c->stack;
	c->stack = NO_STACK;
}

/* Go on on a stack. */
void stacks_take(struct shadow *s, struct shadow_cpu *c, size_t i)
{
	stacks_leave(s, c);
	c->stack = i;
	s->stack[i].busy = true;
}

/* Return the number of a stack that is not used, of which there always is one. */
size_t stacks_unused(struct shadow *s)
{
	for (; s->unused < s->nstack; s->unused++)
		if (!s->stack[s->unused].used)
			return s->unused;
	s->point = memory_grow_zeroed(s->point, &s->room_point, s->nstack + 1, sizeof(*s->point));
	s->stack = memory_grow_zeroed(s->stack, &s->room_stack, s->nstack + 1,
				      sizeof(*s->stack));
	return s->nstack++;
}

/* Go on on a new stack. */
void stacks_begin(struct shadow *s, struct shadow_cpu *c, uint32_t root)
{
	size_t i = stacks_unused(s);
	struct shadow_stack *stack = &s->stack[i];

	*stack = (struct shadow_stack){
		.frame = stack->frame, .room = stack->room, .root = root, .used = true,
		.user = NO_STACK, .owner = NO_STACK,
	};
	stacks_take(s, c, i);
	s->fresh++;
}

/* Return the path of a call that was made on a path: mostly that of the same block's last call. */
static uint32_t stacks_child(struct tree *t, uint32_t path, const struct shadow_frame *f)
{
	struct shadow_block *b = f->block;

	if (b->entry != f->entry)
		return tree_child(t, path, f->ret, f->entry);
	if (b->path != path)
		b->child = 0;
	if (!b->child)
		b->child = tree_child(t, path, f->ret, f->entry);
	b->path = path;
	return b->child;
}

/* Return the path that a stack's code is on, and remember that of each frame. */
uint32_t stacks_path(struct shadow *s, struct shadow_stack *stack)
{
	uint32_t path = stack->root;
	size_t n = stack->n;

	while (n > 0 && stack->frame[n - 1].node == NO_PATH)
		n--;
	if (n > 0)
		path = stack->frame[n - 1].node;
	for (; n < stack->n; n++) {
		struct shadow_frame *f = &stack->frame[n];

		path = f->node = stacks_child(&s->tree, path, f);
	}
	return path;
}

/* Return whether a return to pc, whose address it takes from sp if that is known, is a frame's. */
bool stacks_matches(const struct shadow_frame *f, uint64_t pc, uint64_t sp)
{
	if (f->kind != SHADOW_CALLED)
		return false;
	if (f->ret != pc)
		return false;
	return !sp || !f->sp || f->sp == sp;
}

/* Return the number of frames below the one that matches, of one stack; SIZE_MAX: none does. */
size_t stacks_find(const struct shadow_stack *stack, uint64_t pc, uint64_t sp)
{
	size_t n = stack->n;

	while (n-- > 0)
		if (stacks_matches(&stack->frame[n], pc, sp))
			return n;
	return SIZE_MAX;
}

/* Return whether a block can go on there by itself. */
bool stacks_follows(const struct shadow_block *b, uint64_t pc)
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

void stacks_resume(struct shadow_cpu *c, struct shadow_stack *stack, size_t n)
{
	const struct shadow_frame *frame = &stack->frame[n];

	c->block = frame->block;
	c->pushed = frame->pushed;
	c->popped = frame->popped;
	stack->n = n;
}
