/*
 * Calls and returns of what a machine executes, for shadow.c: frames come and go. What ended the
 * CPU's block is known to be the one or the other; interrupts are shadow.c's, and changes between
 * the kernel and programs are those of process.c. In all of these the CPU's block still is the one
 * that ended, and has a stack.
 */
#ifndef TOOLS_RECORD_PLUGIN_CALLS_H
#define TOOLS_RECORD_PLUGIN_CALLS_H

#include "tools/record/plugin/shadow.h"

/*
 * Follow a call or a return that is as nearly all are: just below the frame on top, or to it.
 * Return false: it is not, and nothing was done. Where no addresses are told, none is.
 */
bool calls_follow(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to);

/* A CPU's block ended with a call, which goes there. */
void calls_make(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to);

/*
 * A CPU's block ended with a return, which goes there: to a frame of its stack, and those above are
 * gone; else to another stack; else it is no return (struct shadow has how many were not).
 */
void calls_return(struct shadow *s, struct shadow_cpu *c, uint64_t pc);

/*
 * Return the stack left last, by its number, of those whose last call went on at pc. The return's
 * address was at sp; 0: unknown. NO_STACK: there is none.
 */
size_t calls_other(struct shadow *s, const struct shadow_cpu *c, uint64_t pc, uint64_t sp);

/* Have the arcs have the calls that a block has counted, which then counts from zero. */
void calls_flush(struct shadow *s, struct shadow_block *b);

#endif
