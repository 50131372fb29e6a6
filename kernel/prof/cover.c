/*
 * Coverage: programs run step by step (EFLAGS.TF; SDM 3B, 17.3.1.4), and each instruction
 * is counted in their module.
 *
 * The processor traps after an instruction, when the next one's address is all that it
 * tells. So the address is kept whenever a process goes to user mode, and counted with
 * the trap that follows. A system call clears TF before its trap would come, and is
 * counted when it is over. An instruction that faults is not over, and not counted.
 *
 * A program may clear TF, and it may find it set in the flags that it saves, and load
 * them when coverage is over. The first has no effect, for TF is set anew each time. Because
 * of the second, a process that was ever covered may step: the trap then clears TF.
 *
 * None of this is entered by way of a count: the kernel may be covered at the same time, by
 * what programs need of it.
 */
#include "kernel/prof/cover.h"
#include "kernel/lib.h"
#include "kernel/proc.h"
#include "kernel/prof/hooks.h"
#include "kernel/trap.h"
#include "prof/prof.h"

#define MAXPREFIX 4

/* Its step_pc is the process's own, but that the end of coverage clears it. */
UNSEEN void cover_arm(struct proc *p, struct trapframe *tf)
{
	p->prof.stepped = true;
	p->prof.step_pc = tf->eip;
	tf->eflags |= EFL_TF;
}

/* With interrupts off, so that whoever takes the module away can wait until this is over. */
UNSEEN static void count(struct proc *p)
{
	struct prof_module *m = __atomic_load_n(&p->prof.cover, __ATOMIC_ACQUIRE);

	if (m && p->prof.step_pc)
		module_count(m, p->prof.step_pc, 1);
}

UNSEEN void cover_call(struct proc *p)
{
	if (p->tf->vector != VEC_SYSCALL)
		return;
	irq_off();
	count(p);
	irq_on();
}

UNSEEN void cover_return(struct proc *p)
{
	cover_call(p);
	cover_arm(p, p->tf);
}

/* The opcodes that a repeat prefix repeats: ins, outs, movs, cmps, stos, lods, scas. */
UNSEEN static bool repeats(uint8_t op)
{
	return (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf) ||
	       (op >= 0x6c && op <= 0x6f);
}

/* Whether at pc there is a string instruction with a repeat prefix: it traps with each round. */
UNSEEN static bool is_rep(uint32_t pc)
{
	uint8_t code[MAXPREFIX + 1];
	bool rep = false;
	int i;

	if (pc > KERNBASE - sizeof(code) ||
	    user_copy(code, (const void *)(uintptr_t)pc, sizeof(code)) != 0)
		return false;
	for (i = 0; i < MAXPREFIX; i++) {
		if (code[i] == 0xf2 || code[i] == 0xf3)
			rep = true;
		else if (code[i] != 0x66 && code[i] != 0x67 && (code[i] & 0xe7) != 0x26)
			break;
	}
	return rep && repeats(code[i]);
}

/* Coverage is over, or the instruction is one that traps again. */
UNSEEN static __attribute__((noinline)) bool seldom(struct proc *p, struct iretframe *to)
{
	bool on = p->prof.cover != NULL;

	if (!p->prof.stepped)
		return false;
	if (on && !is_rep(to->eip))
		count(p);
	p->prof.step_pc = on ? to->eip : 0;
	to->eflags = on ? to->eflags | EFL_TF : to->eflags & ~EFL_TF;
	return true;
}

UNSEEN bool hook_step(struct iretframe *to)
{
	struct proc *p = proc_self();
	struct prof_module *m = __atomic_load_n(&p->prof.cover, __ATOMIC_ACQUIRE);
	uint32_t pc = p->prof.step_pc;

	if (__builtin_expect(!m || to->eip == pc, 0))
		return seldom(p, to);
	p->prof.step_pc = to->eip;
	to->eflags |= EFL_TF;
	module_ran(m, pc);
	return true;
}
