/* The second word of struct cpu (machine.h) points to the CPU's struct prof_entry. */
#undef PROF_MAXCPU
#define PROF_MAXCPU 2
#undef PROF_PREEMPT
#define PROF_PREEMPT 0
#undef PROF_STACK_WORDS
#define PROF_STACK_WORDS 65536
#define PROF_ENTRY(reg) movq %gs:8, reg
/* The first word of struct cpu is the CPU's number. */
#define PROF_CALL_HERE(reg) movq %gs:0, reg; movq prof_call_here(, reg, 8), reg
