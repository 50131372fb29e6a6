/*
 * The programs that a machine runs, for shadow.c. Nothing is asked of the guest: a thread of a
 * program is known by the stack on which the kernel was entered from it, and which is that thread's
 * until the kernel goes back to the program. So the threads of two programs are told apart as the
 * kernel's are, whatever addresses they have. What a program is called is found by what it runs
 * from its start to its end: a file that has other code at one of these addresses is not that
 * program.
 */
#ifndef TOOLS_RECORD_PLUGIN_PROCESS_H
#define TOOLS_RECORD_PLUGIN_PROCESS_H

#include "tools/record/plugin/shadow.h"

/*
 * The kernel, or something else, runs in place of what did. A program's stack is kept as it is:
 * return its number. The kernel's is forgotten. NO_STACK: it was no program's.
 */
size_t process_leave(struct shadow *s, struct shadow_cpu *c);

/*
 * The kernel goes to a program: find its stack. Return true if the program goes on where it was
 * left, after the CPU's block; false if it begins there, or a handler of signals does.
 */
bool process_enter(struct shadow *s, struct shadow_cpu *c, const struct shadow_block *to);

/* Return whether a stack that was left at the end of a block, or within it, may go on at pc. */
bool process_continues(const struct shadow_stack *stack, const struct shadow_block *b, uint64_t pc);

/* Note what a process runs: it is no program that has other code there. */
void process_look(struct shadow *s, struct shadow_stack *stack, const struct shadow_block *block);

/* Return whether a stack's calls are of interest: the kernel's, and those of named programs. */
bool process_is_followed(const struct shadow *s, const struct shadow_stack *stack);

/* Return the path without calls of a process; 0: of the kernel. */
uint32_t process_root(const struct shadow *s, uint32_t process);

/* Return the process that a path is of; 0: of none that is followed. */
uint32_t process_of(const struct shadow *s, uint32_t path);

/*
 * Return the name of a process, the first given of those whose code is all that it ran; or NULL:
 * that is no program's. It can change while the process runs.
 */
const char *process_name(const struct shadow *s, uint32_t process);

#endif
