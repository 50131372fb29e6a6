/* Durations of calls: which functions are measured, and what each process has for that. */
#pragma once

#include "kernel/process/proc.h"
#include "prof/prof_call.h"

#define CALLS_WORDS 256 /* bytes of the words that choose functions */

void calls_back(void); /* mcount.asm: where measured functions return to */

/*
 * Measure the functions that the words say, from the next start on: a pattern, in which * stands
 * for any characters, adds those that are like it, +PATTERN also what they call, -PATTERN takes
 * them out again. The word "off": measure nothing. -ENOENT if no function is like a pattern,
 * -ENOTSUP if only some that cannot be measured are, -E2BIG if the words are too long, -ENOMEM;
 * then nothing has changed, and the reason is on the console.
 */
int calls_choose(unsigned n, char *const word[]);
const char *calls_words(void); /* those words */

/*
 * Have the records stop when a call of a function, the first word, has taken longer than the second
 * says, and some time later, the third, both such as 500us. A word alone: at a mark of that name,
 * or only at a panic, which always stops them. calls_choose() has it be so. -EINVAL, -E2BIG,
 * -ENOENT: the function's calls are not measured. Then nothing has changed.
 */
int calls_trigger(unsigned n, char *const word[]);
const char *calls_trigger_words(void);

/* Look at whether calls are measured, and recorded, after what may have changed that. */
void calls_changed(void);

/* Return whether the function of that entry pad is measured. */
bool calls_chosen(uint32_t pad);

/* Give all processes their real return addresses, for ever. No other CPU runs. */
void calls_undo(void);

/* Give p a stack of calls. Under proc_lock, or nobody else sees p. */
void calls_give(struct proc *p);

/* p runs again, and did not since it left its CPU. Interrupts are off. */
void calls_ran(struct proc *p);

/* Return where the calling process returns to instead. */
uintptr_t calls_real(uintptr_t ret);

/*
 * Have the calls that p is in be seen in its stack as they would without measuring, and hide them
 * again. It is the calling process, or has been interrupted by the caller.
 */
void calls_show(struct proc *p);
void calls_hide(struct proc *p);
