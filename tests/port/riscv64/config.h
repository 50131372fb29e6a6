/* The thread pointer is the number of the CPU, which finds its struct prof_entry in an array. */
#undef PROF_MAXCPU
#define PROF_MAXCPU 1
#undef PROF_PREEMPT
#define PROF_PREEMPT 0
#undef PROF_STACK_WORDS
#define PROF_STACK_WORDS 32768
#define PROF_ENTRY(reg) slli reg, tp, PROF_ENTRY_LOG2; la t1, prof_entry; add reg, reg, t1
#define PROF_CALL_HERE(reg) la reg, prof_call_here; ld reg, (reg)
