/* The CPU's number, of which there is but one here, finds its struct prof_entry in an array. */
#undef PROF_MAXCPU
#define PROF_MAXCPU 1
#undef PROF_STACK_WORDS
#define PROF_STACK_WORDS 65536
#define PROF_ENTRY(reg) mrs reg, mpidr_el1; and reg, reg, 0xff; \
	adrp x10, prof_entry; add x10, x10, :lo12:prof_entry; \
	add reg, x10, reg, lsl PROF_ENTRY_LOG2
#define PROF_CALL_HERE(reg) adrp reg, prof_call_here; ldr reg, [reg, :lo12:prof_call_here]
