/*
 * What prof/prof_stack.c has to know of this machine to follow calls: stacks, function entries
 * and trap frames. All of it runs in ticks, from NMI too, so nothing here may fault, whatever
 * the registers hold. None of it is instrumented: each tick would count in its arcs.
 */
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/prof/hooks.h"
#include "kernel/prof/patch.h"
#include "kernel/prof/profil.h"
#include "kernel/prof/userprof.h"
#include "prof/arch/prof_arch.h"
#include "prof/prof_hooks.h"

bool waits_on;
static uint64_t waits_since; /* when waits_on was set, by the TSC */

/* The lower half of entry i of the table at a physical address. */
static inline UNSEEN uint32_t entry(uint32_t table, uint32_t i)
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
	uint32_t e = entry(read_cr3(), va >> 30);

	if (!(e & PTE_P))
		return NULL;
	e = entry(e & address, va >> 21 & 511) ^ mine; /* zeros for those that are set */
	if (e & (mine | PTE_PS))
		return NULL;
	e = entry(e & address, va >> 12 & 511) ^ mine;
	return e & mine ? NULL : p2v(e & address);
}

/* Do what prof_arch_edge() does for the program, but do not look at what crosses a page. */
static UNSEEN uint32_t user_ret(uint32_t pc, uint32_t sp)
{
	const uint8_t *page = pc % PAGE - 1 < PAGE - 9 ? prof_hook_user(pc) : NULL;
	int off = page ? prof_arch_above(page + pc % PAGE) : -1;

	if (off < 0 || sp % 4)
		return 0;
	sp += (uint32_t)off;
	page = prof_hook_user(sp);
	return page ? *(const uint32_t *)(const void *)(page + sp % PAGE) : 0;
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
	at->ret = user_ret(tf->eip, tf->esp);
	return PROF_STACK_AT_USER;
}

/*
 * Say where the stack is, for the path of calls. The bounds of a stack that is not the
 * process's are unknown: of its path only the address is counted.
 */
static inline UNSEEN void find_stack(struct prof_sample *s, const struct trapframe *tf,
				     const struct proc *p)
{
	uint32_t sp = (uintptr_t)&tf->esp, lo = (uintptr_t)p->kstack;

	s->pid = (uint32_t)p->pid;
	s->entered = (uint32_t)p->utime; /* trap_user() adds to it each time */
	s->name = p->name;
	s->named = p->named;
	if (s->mode == PROF_USER) {
		s->at.ret = user_ret(tf->eip, tf->esp);
		return;
	}
	s->stack = &tf->esp;
	s->lo = sp;
	s->hi = lo + KSTACK_PAGES * PAGE;
	s->at.ret = prof_arch_edge(tf->eip, sp, (uintptr_t)ktzero, (uintptr_t)etext);
	if (sp - lo > KSTACK_PAGES * PAGE - 8) {
		s->hi = sp + 8;
		s->at.fp = 0;
		s->at.ret = 0;
	}
}

/* Have the path begin in the program if that did not call the kernel. An idle thread has none. */
static inline UNSEEN void in_program(struct prof_sample *s, const struct trapframe *tf)
{
	if (s->mode == PROF_KERNEL && (!tf || tf->vector == VEC_SYSCALL || tf->vector < VEC_IRQ))
		return;
	s->at.pc = tf->eip;
	s->at.fp = tf->ebp;
	if (s->mode == PROF_KERNEL)
		s->at.ret = user_ret(tf->eip, tf->esp);
	s->mode = PROF_USER;
}

/*
 * Add to the path of p, the calling process, how long it waited and was ready to run until it was
 * given this CPU. It waited in the kernel, unless a trap that was no call of the program's took
 * its CPU away, or it is new: then its path is the program's alone. A wait that began before waits
 * were counted is one since then.
 */
UNSEEN void waits_ran(struct proc *p, enum prof_mode mode)
{
	const uint32_t *const *mine = __builtin_frame_address(0), *frame = *mine; /* sched.c's */
	struct prof_sample s;

	check_irqs_off();
	if (__builtin_expect(p->left < waits_since, 0))
		p->left = waits_since;
	s.ready = p->stamp - p->left;
	s.cpu = cpu_id();
	s.mode = mode;
	s.at.pc = frame[1] - 1; /* in the call */
	s.at.fp = frame[0];
	s.at.ret = 0;
	s.lo = (uintptr_t)frame;
	s.hi = (uintptr_t)p->kstack + KSTACK_PAGES * PAGE;
	s.stack = frame;
	s.pid = (uint32_t)p->pid;
	s.entered = (uint32_t)p->utime;
	s.name = p->name;
	s.named = p->named;
	if (mode < PROF_DEVICE) {
		in_program(&s, p->tf);
	} else {
		s.waited = p->woken > p->left ? p->woken - p->left : 0;
		s.ready -= s.waited;
	}
	uint32_t on = prof_running(&profilers);
	if (on & PROF_WAIT && p->pid)
		prof_stack_wait(&profilers, &s);
	if (on & PROF_TRACE && profilers.trace.switches)
		prof_trace_switch(&profilers, &s, p->stamp);
}

/* Note that waits are counted, or that they no longer are, as prof->on tells. */
void waits_changed(void)
{
	bool on = prof_wants(prof, PROF_WAIT);

	if (on && !waits_on) {
		prof_hook_quiesce(); /* nobody is to see half of this */
		waits_since = rdtsc();
	}
	waits_on = on;
}

UNSEEN void statclock_sample(const void *frame, enum prof_mode mode, uint32_t on)
{
	const struct trapframe *tf = frame;
	const struct cpu *c = cpu_self();
	const struct proc *p = c->proc;
	struct prof_sample s;

	s.cpu = (unsigned)c->id;
	s.at.pc = tf->eip;
	s.at.fp = tf->ebp;
	s.mode = mode;
	if (mode == PROF_USER) {
		s.profil = p->prof.profil ? &p->prof.profil->noted : NULL;
		s.module = p->prof.module;
	}
	if (on & PROF_STACK)
		find_stack(&s, tf, p);
	prof_sample(&profilers, on, &s);
	if (__builtin_expect(on & PROF_TRACE, 0))
		prof_trace_tick(&profilers, &s, rdtsc());
}
