/* There is one CPU, so its struct prof_entry is found by its name. */
#undef PROF_MAXCPU
#define PROF_MAXCPU 1
#undef PROF_PREEMPT
#define PROF_PREEMPT 0
#undef PROF_STACK_WORDS
#define PROF_STACK_WORDS 32768
#define PROF_CALL_HERE(reg) movl prof_call_here, reg
