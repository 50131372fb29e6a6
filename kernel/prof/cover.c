/*
 * Coverage: programs run step by step (EFLAGS.TF; SDM 3B, 17.3.1.4), and each instruction
 * is counted in their module.
 *
 * The processor traps after an instruction and tells only the address of the next one. So the
 * address is noted whenever a process goes to user mode, and counted with the trap that
 * follows. A system call clears TF before that trap would come: its instruction is counted
 * when the call is over. An instruction that faults has not run, and is not counted.
 *
 * A program may clear TF: that has no effect, for each step sets it anew. It may also find TF
 * set in the flags that it saves, and load them after the end of coverage: so a process that
 * was ever covered may step, and the trap clears TF.
 *
 * No function here is instrumented: the kernel may be covered as well, and only what programs
 * ask of it is to be counted.
 */
#include "kernel/prof/hooks.h"
#include "kernel/prof/module.h"
#include "prof/prof_hooks.h"

#define MAXPREFIX 4

/* Have p step from where it goes on. Only p writes step_pc, but for the end of coverage. */
UNSEEN void cover_arm(struct proc *p)
{
	p->prof.stepped = true;
	p->prof.step_pc = p->tf->eip;
	p->tf->eflags |= EFL_TF;
}

/*
 * Count the noted instruction; 0, which is none, is in no module. Interrupts are off, so that
 * modules_stop() can wait for the end.
 */
UNSEEN static void cover_count(struct proc *p)
{
	struct prof_module *m = __atomic_load_n(&p->prof.cover, __ATOMIC_ACQUIRE);

	if (m)
		prof_module_count(m, p->prof.step_pc, 1);
}

/* p enters the kernel for good, or comes back from it: count its system call, if it was one. */
UNSEEN void cover_call(struct proc *p)
{
	if (p->tf->vector != VEC_SYSCALL)
		return;
	irq_off();
	cover_count(p);
	irq_on();
}

/* Count p's system call, if it was one, and prepare the next step. */
UNSEEN void cover_return(struct proc *p)
{
	cover_call(p);
	cover_arm(p);
}

/* Return whether a repeat prefix repeats the opcode. */
UNSEEN static bool cover_repeats(uint8_t op)
{
	switch (op) {
	case 0x6c ... 0x6f: /* ins, outs */
	case 0xa4 ... 0xa7: /* movs, cmps */
	case 0xaa ... 0xaf: /* stos, lods, scas */
		return true;
	default:
		return false;
	}
}

/* Return whether the instruction at pc is a repeated string one, which traps with each round. */
UNSEEN static bool cover_is_rep(uint32_t pc)
{
	bool rep = false;

	for (int i = 0; i <= MAXPREFIX; i++, pc++) {
		const uint8_t *page = prof_hook_user(pc);
		uint8_t code = page ? page[pc % PAGE] : 0;
		if ((code & 0xfe) == 0xf2)
			rep = true;
		else if ((code & 0xfe) != 0x66 && (code & 0xe7) != 0x26) /* a size's, a segment's */
			return rep && cover_repeats(code);
	}
	return false;
}

/* Handle a step after the end of coverage, or one that left eip where it was. */
UNSEEN static NOT_INLINED bool cover_unusual_step(struct proc *p, struct iretframe *to)
{
	if (!p->prof.stepped)
		return false;
	if (!p->prof.cover) {
		p->prof.step_pc = 0;
		to->eflags &= ~EFL_TF;
		return true;
	}
	if (!cover_is_rep(to->eip))
		cover_count(p);
	p->prof.step_pc = to->eip;
	to->eflags |= EFL_TF;
	return true;
}

UNSEEN bool hook_step(struct iretframe *to)
{
	struct proc *p = proc_self();
	struct prof_module *m = __atomic_load_n(&p->prof.cover, __ATOMIC_ACQUIRE);
	uint32_t pc = p->prof.step_pc;

	if (__builtin_expect(!m || to->eip == pc, 0))
		return cover_unusual_step(p, to);
	p->prof.step_pc = to->eip;
	to->eflags |= EFL_TF;
	prof_module_ran(m, pc);
	return true;
}
