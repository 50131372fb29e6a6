/*
 * The shadows of a machine's stacks, for those that follow them: which there are, and which of them
 * each CPU runs on. They are told by their index, for the array moves as it grows: a pointer to one
 * is good until the next is begun.
 */
#ifndef TOOLS_RECORD_PLUGIN_STACKS_H
#define TOOLS_RECORD_PLUGIN_STACKS_H

#include "tools/record/plugin/shadow.h"

#define NO_STACK SIZE_MAX /* in place of a stack's index */

/* Return the stack that a CPU runs on, which it has to have. */
struct shadow_stack *stacks_here(struct shadow *s, const struct shadow_cpu *c);

/* Return the frame on top of a stack, or NULL. */
struct shadow_frame *stacks_top(struct shadow_stack *stack);

/* Return room for one more frame on top, which the caller fills. It lasts until the next one. */
struct shadow_frame *stacks_push(struct shadow_stack *stack);

/* Go on on a stack, on a new one, or on none. The one at hand is forgotten if it has no frames. */
void stacks_take(struct shadow *s, struct shadow_cpu *c, size_t i);
void stacks_begin(struct shadow *s, struct shadow_cpu *c, uint32_t root);
void stacks_leave(struct shadow *s, struct shadow_cpu *c);

/* Return the number of a stack that is not used, of which there always is one. */
size_t stacks_unused(struct shadow *s);

/* Return the path that a stack's code is on. */
uint32_t stacks_path(struct shadow *s, struct shadow_stack *stack);

/* Return whether a return to pc, whose address it takes from sp if that is known, is a frame's. */
bool stacks_matches(const struct shadow_frame *f, uint64_t pc, uint64_t sp);

/* Return the number of frames below the one that matches, of one stack; SIZE_MAX: none does. */
size_t stacks_find(const struct shadow_stack *stack, uint64_t pc, uint64_t sp);

/* Return whether a block can go on there by itself. */
bool stacks_follows(const struct shadow_block *b, uint64_t pc);

/* Cut a stack before a frame that was interrupted, whose block goes on. */
void stacks_resume(struct shadow_cpu *c, struct shadow_stack *stack, size_t n);

#endif
