/* Traps: the table of handlers, exceptions, device interrupts, copies from and to user memory. */
#include "kernel/trap.h"
#include "kernel/print.h"
#include "kernel/prof/hooks.h"
#include "kernel/smp.h"
#include "kernel/sys.h"

static trap_fn exception, page_fault, device_irq, foreign_nmi, spurious;
static trap_fn *handler[256]; /* constant once devices are set up */
static uint64_t idt[256];

const struct irqchip *irqchip;
static struct irq_handler {
	void (*fn)(void *arg);
	void *arg;
	struct irq_handler *next; /* on the same line */
} *irqs[NIRQ];			  /* constant once devices are set up */

/* An exception's name and the signal that stands for it. */
static const struct {
	const char *name;
	int signal;
} exceptions[32] = {
	[0] = {"divide error", SIGFPE},
	[1] = {"debug trap", SIGTRAP},
	[3] = {"breakpoint", SIGTRAP},
	[4] = {"overflow", SIGFPE},
	[5] = {"bound exceeded", SIGSEGV},
	[6] = {"invalid instruction", SIGILL},
	[7] = {"floating point (there is none)", SIGFPE},
	[10] = {"invalid task", SIGSEGV},
	[11] = {"segment not present", SIGSEGV},
	[12] = {"stack segment fault", SIGSEGV},
	[13] = {"protection fault", SIGSEGV},
	[14] = {"page fault", SIGSEGV},
	[16] = {"floating point error", SIGFPE},
	[17] = {"misaligned access", SIGBUS},
	[18] = {"machine check", SIGKILL},
	[19] = {"vector floating point error", SIGFPE},
};

/* An interrupt gate (SDM 3A, figure 6-2); privilege 3 for what user mode may call. */
static uint64_t gate(uint32_t entry, uint32_t type)
{
	return (uint64_t)(entry & 0xffff0000) << 32 | (uint64_t)type << 40 |
	       (uint64_t)SEL_KCODE << 16 | (entry & 0xffff);
}

/* Fill the interrupt table with exceptions, the system call and devices. */
void trap_init(void)
{
	for (int v = 0; v < 256; v++) {
		idt[v] = gate(isr_table[v], 0x8e);
		handler[v] = v < 32 ? exception : spurious;
	}
	idt[VEC_DF] = (uint64_t)0x85 << 40 | (uint64_t)SEL_DFTSS << 16; /* a task gate */
	idt[VEC_SYSCALL] = gate(isr_table[VEC_SYSCALL], 0xef);		/* interrupts stay on */
	idt[VEC_DB] = gate((uintptr_t)isr_step, 0x8e);
	idt[3] = gate(isr_table[3], 0xee);
	idt[4] = gate(isr_table[4], 0xee);
	handler[VEC_NMI] = foreign_nmi;
	handler[VEC_PF] = page_fault;
	handler[VEC_SYSCALL] = syscall;
	for (int i = 0; i < NIRQ; i++)
		handler[VEC_IRQ + i] = device_irq;
}

/* Use the interrupt table on this CPU. */
void trap_load(void)
{
	struct {
		uint16_t limit;
		uint32_t base;
	} __attribute__((packed)) idtr = {sizeof(idt) - 1, (uintptr_t)idt};

	__asm__ volatile("lidt %0" : : "m"(idtr));
}

/* Have fn handle the vector from now on; interrupts are off when it is called. */
void trap_set(unsigned vector, trap_fn *fn)
{
	handler[vector] = fn;
}

/*
 * Have device interrupt irq call fn(arg), with interrupts on, and the chip let it through. Of
 * devices that share a line each is called, the last one registered first.
 */
void irq_register(unsigned irq, const char *name, void (*fn)(void *arg), void *arg)
{
	struct irq_handler *h = kmalloc(sizeof(*h));

	if (irq >= NIRQ || !h)
		panic("%s: there is no interrupt %u", name, irq);
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

static void print_registers(const struct trapframe *tf, uint32_t esp)
{
	printk("  eax %08x ebx %08x ecx %08x edx %08x\n", tf->eax, tf->ebx, tf->ecx, tf->edx);
	printk("  esi %08x edi %08x ebp %08x esp %08x\n", tf->esi, tf->edi, tf->ebp, esp);
	printk("  eip %08x eflags %08x cs %04x error %x cr2 %08x\n", tf->eip, tf->eflags,
	       tf->cs & 0xffff, tf->error, read_cr2());
}

/* Say where the kernel went wrong, and stop. */
static void kernel_fault(struct trapframe *tf, const char *what)
{
	struct proc *p = proc_self();

	irq_off();
	print_panic();
	printk("kernel fault on cpu%d in %s (%d): %s\n", cpu_self()->id, p ? p->name : "boot",
	       p ? p->pid : 0, what);
	print_registers(tf, (uintptr_t)&tf->esp);
	backtrace(tf->eip, tf->ebp, (uintptr_t)&tf->esp);
	panic("%s", what);
}

/* Say where the kernel went wrong, and stop; or where the program did, in a line, and end it. */
static void fault(struct trapframe *tf, int sig, const char *what)
{
	struct proc *p = proc_self();

	if (!tf_user(tf))
		kernel_fault(tf, what);
	irq_on();
	(is_eve() ? printk : print_limited)("%s (%d): %s at %08x\n", p->name, p->pid, what,
					    tf->eip);
	proc_exit(sig);
}

static void exception(struct trapframe *tf)
{
	const char *name = exceptions[tf->vector].name;
	char what[48];

	if (!name) {
		snprintf(what, sizeof(what), "exception %u", tf->vector);
		name = what;
	}
	fault(tf, name == what ? SIGILL : exceptions[tf->vector].signal, name);
}

/* Bring in a user page, or fail the copy that touched a bad address, or end the program. */
static void page_fault(struct trapframe *tf)
{
	uint32_t va = read_cr2();
	struct proc *p = proc_self();
	bool copying = tf->eip >= user_copy_sites.stac && tf->eip < user_copy_sites.clac;
	bool mine = p && p->vm && va < KERNBASE && (tf_user(tf) ? tf->error & PF_USER : copying);
	int err = mine ? vm_fault(p->vm, va, tf->error) : -EFAULT;
	char what[64];

	cpu_self()->faults++;
	if (err == 0)
		return;
	if (copying && va < KERNBASE) {
		tf->eip = user_copy_sites.failed;
		return;
	}
	const char *access = tf->error & PF_FETCH ? "execution" :
			     tf->error & PF_WRITE ? "write" : "read";
	snprintf(what, sizeof(what), "%s of %08x: %s", access, va,
		 err == -ENOMEM ? "out of memory" : "not allowed");
	fault(tf, SIGSEGV, what);
}

/* Handle a trap from user mode. Others may run before the program goes on. */
static __attribute__((noinline)) void trap_user(struct trapframe *tf)
{
	struct proc *p = proc_self();

	p->stamp = proc_charge(p, &p->utime);
	handler[tf->vector](tf);
	if (__builtin_expect(cpu_self()->resched | p->pending | hook_any(p), 0)) {
		hook_trapped(p);
		if (cpu_self()->resched)
			sched_resched();
		if (p->pending) {
			irq_on(); /* ending takes its time */
			proc_signalled();
			irq_off();
		}
		hook_user(p);
	}
	check_leave();
	p->stamp = proc_charge(p, &p->stime);
}

/* Stand still while text is changed. The NMI that says so may be a tick as well. */
UNSEEN __attribute__((noinline)) static void parked(struct trapframe *tf)
{
	park();
	handler[tf->vector](tf);
}

/* Handle every trap, interrupt and system call, from isr.asm. NMIs come in any state of the CPU. */
UNSEEN void trap(struct trapframe *tf)
{
	check_trap(tf->vector, 1);
	if (tf_user(tf) && tf->vector != VEC_NMI)
		trap_user(tf);
	else if (__builtin_expect(park_wanted, 0) && tf->vector == VEC_NMI)
		parked(tf);
	else
		handler[tf->vector](tf);
	check_trap(tf->vector, -1);
}

/* Return whether n bytes at user lie below KERNBASE. */
static bool in_user(const void *user, size_t n)
{
	return (uintptr_t)user <= KERNBASE && n <= KERNBASE - (uintptr_t)user;
}

/* Copy n bytes from user memory. -EFAULT: an unknown part of them has been copied. */
int copyin(void *to, const void *user, size_t n)
{
	return in_user(user, n) && copy_bytes(to, user, n) == n ? 0 : -EFAULT;
}

/* Copy n bytes to user memory. -EFAULT: an unknown part of them has been copied. */
int copyout(void *user, const void *from, size_t n)
{
	return in_user(user, n) && copy_bytes(user, from, n) == n ? 0 : -EFAULT;
}

/* Copy a string with its NUL from user memory. Return its length, -EFAULT or -ENAMETOOLONG. */
int copyinstr(char *to, const char *user, size_t size)
{
	for (size_t done = 0, end; done < size;) {
		size_t room = PAGE - ((uintptr_t)user + done) % PAGE; /* the next may be absent */

		end = min_size(done + min_size(room, 64), size);
		if (copyin(to + done, user + done, end - done) != 0)
			return -EFAULT;
		for (; done < end; done++)
			if (to[done] == 0)
				return (int)done;
	}
	return -ENAMETOOLONG;
}
