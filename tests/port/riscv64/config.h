/* The thread pointer points to the CPU's struct prof_entry. */
#undef PROF_MAXCPU
#define PROF_MAXCPU 1
#undef PROF_PREEMPT
#define PROF_PREEMPT 0
#undef PROF_STACK_WORDS
#define PROF_STACK_WORDS 32768
#define PROF_ENTRY(reg) mv reg, tp
