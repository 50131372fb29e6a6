/*
 * What prof/prof_stack.c has to know of this machine to follow calls: stacks, function entries
 * and trap frames. All of it runs in ticks, from NMI too, so nothing here may fault, whatever
 * the registers hold. None of it is instrumented: each tick would count in its arcs.
 */
#include "kernel/prof/stack.h"
#include "kernel/machine/image.h"
#include "kernel/prof/calls.h"
#include "kernel/prof/profil.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/kstack.h"
#include "prof/arch/prof_arch.h"
#include "prof/prof_hooks.h"

#define STACK_SHOWN (PROF_STACK | PROF_REPLACED) /* with both, callers are shown for a sample */

uint32_t hook_names;

/* The lower half of entry i of the table at a physical address. */
static inline UNSEEN uint32_t stack_pte(uint32_t table, uint32_t i)
{
	return *(const volatile uint32_t *)p2v(table + 8 * i);
}

/*
 * Return where the kernel can read the page that the address space in use has at va, or NULL if a
 * program may see nothing there. Page tables live as long as they are in use, and a page that is
 * freed meanwhile can still be read, for all are in the direct map.
 */
UNSEEN const void *prof_hook_user(prof_addr va)
{
	const uint32_t mine = PTE_P | PTE_U, address = ~(PAGE - 1);
	uint32_t e = stack_pte(read_cr3(), va >> 30);

	if (!(e & PTE_P))
		return NULL;
	e = stack_pte(e & address, va >> 21 & 511) ^ mine; /* zeros for those that are set */
	if (e & (mine | PTE_PS))
		return NULL;
	e = stack_pte(e & address, va >> 12 & 511) ^ mine;
	if (e & mine)
		return NULL;
	return p2v(e & address);
}

UNSEEN uint32_t stack_user_ret(uint32_t pc, uint32_t sp)
{
	const uint8_t *page = NULL;

	if (pc % PAGE - 1 < PAGE - 9)
		page = prof_hook_user(pc);
	if (!page)
		return 0;
	int off = prof_arch_above(page + pc % PAGE);
	if (off < 0 || sp % 4)
		return 0;
	sp += (uint32_t)off;
	page = prof_hook_user(sp);
	if (!page)
		return 0;
	return *(const uint32_t *)(const void *)(page + sp % PAGE);
}

/*
 * The trap frame begins after the return address into isr.asm. A system call's pc is already
 * after its int instruction; an exception's is that of the instruction that caused it. During exec
 * it is 0, and no frame is a trap's.
 */
UNSEEN enum prof_stack_trap prof_hook_trap(const void *frame, size_t room,
					   struct prof_stack_place *at)
{
	const struct trapframe *tf = (const void *)((const uint32_t *)frame + 2);

	if (room < 2 * sizeof(uint32_t) + sizeof(*tf) || tf->eip == 0)
		return PROF_STACK_AT_NOTHING;
	*at = (struct prof_stack_place){.pc = tf->eip, .fp = tf->ebp};
	if (tf->vector == VEC_SYSCALL)
		return PROF_STACK_AT_USER;
	if (tf->vector >= VEC_IRQ || tf->vector == VEC_NMI)
		return PROF_STACK_AT_INTERRUPT;
	at->pc++;
	if (!tf_user(tf))
		return PROF_STACK_AT_KERNEL;
	at->ret = stack_user_ret(tf->eip, tf->esp);
	return PROF_STACK_AT_USER;
}

/* Have the path of calls be on that kernel stack. Return whether it was interrupted there. */
static INLINED UNSEEN bool stack_on(struct prof_sample *s, const struct trapframe *tf,
				    const void *stack)
{
	s->stack = stack;
	s->lo = (uintptr_t)stack;
	s->hi = s->lo + KSTACK_PAGES * PAGE;
	return prof_arch_stack(s, (uintptr_t)&tf->esp);
}

/*
 * While a CPU changes to a process the stack is still that of another, or of its idle thread. If it
 * is neither, only the address is counted; and if calls are measured, for those of the other are
 * not shown now. Return whether it is one of them.
 */
static UNSEEN NOT_INLINED bool stack_elsewhere(struct prof_sample *s, const struct trapframe *tf,
					       const struct cpu *c)
{
	if (prof_wants(&profilers, PROF_REPLACED))
		return false;
	if (stack_on(s, tf, kstack_of((uintptr_t)tf)))
		return true;
	return stack_on(s, tf, c->idle->kstack);
}

/* Say where the stack is, for the path of calls. */
static INLINED UNSEEN void stack_find(struct prof_sample *s, const struct trapframe *tf,
				      const struct cpu *c, const struct proc *p)
{
	stack_name(s, p);
	if (s->what == PROF_USER) {
		s->at.ret = stack_user_ret(tf->eip, tf->esp);
		return;
	}
	if (stack_on(s, tf, p->kstack) || stack_elsewhere(s, tf, c))
		prof_arch_edge(s, (uintptr_t)ktzero, (uintptr_t)etext);
}

/* What follows a sample while ticks are recorded, or calls measured. */
static UNSEEN NOT_INLINED void stack_after(const struct prof_sample *s, uint32_t on)
{
	if (on & PROF_TRACE)
		prof_trace_tick(&profilers, s, rdtsc());
	if ((on & STACK_SHOWN) == STACK_SHOWN)
		calls_hide(proc_self());
}

UNSEEN void statclock_sample(const void *frame, enum prof_cause what, uint32_t on)
{
	const struct trapframe *tf = frame;
	const struct cpu *c = cpu_self();
	struct proc *p = c->proc;
	struct prof_sample s;

	s.cpu = c->id;
	s.at.pc = tf->eip;
	s.at.fp = tf->ebp;
	s.what = what;
	if (what == PROF_USER) {
		s.profil = NULL;
		if (p->prof.profil)
			s.profil = &p->prof.profil->noted;
		s.module = p->prof.module;
	}
	if (on & PROF_STACK) {
		if (__builtin_expect(on & PROF_REPLACED, 0))
			calls_show(p);
		stack_find(&s, tf, c, p);
	}
	prof_sample(&profilers, on, &s);
	if (__builtin_expect(on & (PROF_TRACE | PROF_REPLACED), 0))
		stack_after(&s, on);
}
