/* Traps: the table of handlers, exceptions of the kernel, device interrupts. */
#include "kernel/machine/trap.h"
#include "kernel/prof/hooks.h"

#define MAXHANDLER 64 /* of device interrupts */

static trap_fn device_irq, foreign_nmi, spurious;
/* Constant once devices are set up. */
static trap_fn *handler[256] = {[0 ... 255] = spurious};
static uint64_t idt[256];

const struct irqchip *irqchip;
static struct irq_handler {
	void (*fn)(void *arg);
	void *arg;
	struct irq_handler *next; /* on the same line */
} irq_handlers[MAXHANDLER], *irqs[NIRQ]; /* constant once devices are set up */
static unsigned nirq_handler;

/* Called on the way back to user mode, if there is something to do; constant. */
static void (*leave_resched)(void), (*leave_signalled)(void);

/* An interrupt gate (SDM 3A, figure 6-2); privilege 3 for what user mode may call. */
static uint64_t gate(uint32_t entry, uint32_t type)
{
	return (uint64_t)(entry & 0xffff0000) << 32 | (uint64_t)type << 40 |
	       (uint64_t)SEL_KCODE << 16 | (entry & 0xffff);
}

/* Fill the interrupt table, and have devices handled; exceptions are by fault_init(). */
void trap_init(void)
{
	for (int v = 0; v < 256; v++)
		idt[v] = gate(isr_table[v], 0x8e);
	idt[VEC_DF] = (uint64_t)0x85 << 40 | (uint64_t)SEL_DFTSS << 16; /* a task gate */
	idt[VEC_SYSCALL] = gate(isr_table[VEC_SYSCALL], 0xef);		/* interrupts stay on */
	idt[VEC_DB] = gate((uintptr_t)isr_step, 0x8e);
	idt[3] = gate(isr_table[3], 0xee);
	idt[4] = gate(isr_table[4], 0xee);
	handler[VEC_NMI] = foreign_nmi;
	for (int i = 0; i < NIRQ; i++)
		handler[VEC_IRQ + i] = device_irq;
}

/* Use the interrupt table on this CPU. */
void trap_load(void)
{
	struct pseudo_descriptor idtr = {sizeof(idt) - 1, (uintptr_t)idt};

	__asm__ volatile("lidt %0" : : "m"(idtr));
}

/* Have fn handle the vector from now on; interrupts are off when it is called. */
void trap_set(unsigned vector, trap_fn *fn)
{
	handler[vector] = fn;
}

/*
 * Have these called for a program that is about to go on: resched() if its CPU has something to do
 * first, and signalled(), with interrupts on, if it has a signal.
 */
void trap_leave(void (*resched)(void), void (*signalled)(void))
{
	leave_resched = resched;
	leave_signalled = signalled;
}

/*
 * Have device interrupt irq call fn(arg), with interrupts on, and the chip let it through. Of
 * devices that share a line each is called, the last one registered first.
 */
void irq_register(unsigned irq, const char *name, void (*fn)(void *arg), void *arg)
{
	if (irq >= NIRQ || nirq_handler == MAXHANDLER)
		panic("%s: there is no interrupt %u", name, irq);
	struct irq_handler *h = &irq_handlers[nirq_handler++];

	*h = (struct irq_handler){fn, arg, irqs[irq]};
	__atomic_store_n(&irqs[irq], h, __ATOMIC_RELEASE);
	if (!h->next)
		irqchip->enable(irq, VEC_IRQ + irq);
}

/* Until eoi() the chip holds this interrupt back; those of higher priority still come. */
static void device_irq(struct trapframe *tf)
{
	unsigned irq = tf->vector - VEC_IRQ;

	cpu_self()->interrupts++;
	irq_on();
	for (struct irq_handler *h = irqs[irq]; h; h = h->next)
		h->fn(h->arg);
	irq_off();
	irqchip->eoi();
}

/* A vector without a handler. The local APIC's own spurious one takes no eoi() (10.9). */
static void spurious(struct trapframe *tf)
{
	if (tf->vector == VEC_SPURIOUS)
		return;
	print_limited("interrupt: vector 0x%x has no handler\n", tf->vector);
	if (irqchip)
		irqchip->eoi(); /* or its whole class would be held back */
}

static void foreign_nmi(struct trapframe *)
{
	/* printing here could wait for a lock that this CPU holds */
}

/* Say where the kernel went wrong, and stop. */
void trap_fatal(struct trapframe *tf, const char *what)
{
	const struct proc *p = proc_self();
	uint32_t esp = (uintptr_t)&tf->esp; /* before the trap: one from the kernel pushes none */

	irq_off();
	print_panic();
	printk("kernel fault on cpu%u in %s (%d): %s\n", cpu_self()->id, p->name, p->pid, what);
	printk("  eax %08x ebx %08x ecx %08x edx %08x\n", tf->eax, tf->ebx, tf->ecx, tf->edx);
	printk("  esi %08x edi %08x ebp %08x esp %08x\n", tf->esi, tf->edi, tf->ebp, esp);
	printk("  eip %08x eflags %08x cs %04x error %x cr2 %08x\n", tf->eip, tf->eflags,
	       tf->cs & 0xffff, tf->error, read_cr2());
	backtrace(tf->eip, tf->ebp, esp);
	panic("%s", what);
}

/* Handle a trap from user mode. Others may run before the program goes on. */
static NOT_INLINED void trap_user(struct trapframe *tf)
{
	struct proc *p = proc_self();

	p->utime += rdtsc();
	handler[tf->vector](tf);
	if (__builtin_expect(cpu_self()->resched | p->pending | hook_any(p), 0)) {
		hook_trapped(p);
		if (cpu_self()->resched)
			leave_resched();
		if (p->pending) {
			irq_on(); /* ending takes its time */
			leave_signalled();
			irq_off();
		}
		hook_user(p);
	}
	check_leave();
	p->utime -= rdtsc();
}

/*
 * Charge the program, if it was interrupted, with what the handler has taken since then, which says
 * so at its end: so that a tick by vector is charged to whom a tick by NMI is. Where an emulator
 * runs CPUs in turn, a turn may end in the handler, and the time until the next is no time of the
 * kernel's.
 */
UNSEEN void trap_unseen(const struct trapframe *tf, uint64_t since)
{
	if (tf_user(tf))
		proc_self()->utime += rdtsc() - since;
}

/* Handle every trap, interrupt and system call, from isr.asm. NMIs come in any state of the CPU. */
UNSEEN void trap(struct trapframe *tf)
{
	check_trap(tf->vector, 1);
	if (tf_user(tf) && tf->vector != VEC_NMI)
		trap_user(tf);
	else
		handler[tf->vector](tf);
	check_trap(tf->vector, -1);
}
