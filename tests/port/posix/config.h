/* A variable of each thread's points to its struct prof_entry; interrupts cannot be held off. */
#undef PROF_MAXCPU
#define PROF_MAXCPU 2
#undef PROF_STACK_WORDS
#define PROF_STACK_WORDS 65536
#undef PROF_ENTRY_USER
#define PROF_ENTRY_USER 1
#if defined(__x86_64__)
#define PROF_ENTRY(reg) movq %fs:entry_here@tpoff, reg
#elif defined(__aarch64__)
#define PROF_ENTRY(reg) mrs reg, tpidr_el0; add reg, reg, :tprel_hi12:entry_here; \
	ldr reg, [reg, :tprel_lo12_nc:entry_here]
#endif
