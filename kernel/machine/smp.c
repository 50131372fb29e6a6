/*
 * What CPUs ask of each other: to schedule, to run a function, to flush translations, and to
 * stand still while text is changed.
 *
 * A CPU that waits here or for a spin lock serves flushes meanwhile, by smp_poll(): so two
 * CPUs that ask each other do not wait for ever.
 */
#include "kernel/machine/smp.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/trap.h"

#define PARK_RETRY 100000 /* turns of the wait loop before the NMI is sent again */
#define STOP_TURNS 1000000 /* of the loop, and a CPU is taken not to answer */

/* That CPU is asked to flush user translations. */
static struct {
	uint32_t asked; /* atomic; the number of the last request */
	uint32_t done;	/* atomic; written by that CPU alone: the last request that is served */
} flushes[MAXCPU];

bool park_wanted;	     /* atomic; trap() looks at it with every trap from the kernel */
static uint32_t park_count;  /* atomic; CPUs that are parked */
static struct cpu *parker;   /* the one that wants it */

static uint32_t load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

/*
 * Flush if another CPU waits for that; interrupts are off. Requests are numbered as they are
 * made, each after the change of the page tables that it is for, and a CPU says that a number is
 * served only after a flush that began when that number had been given. So each of several CPUs
 * that ask at once, at any moment of this function, waits for a flush that began after its own
 * change, and none for another's number.
 */
void smp_poll(void)
{
	unsigned id = cpu_self()->id;
	uint32_t asked = load(&flushes[id].asked);

	check_irqs_off();
	if (asked != flushes[id].done) {
		write_cr3(read_cr3());
		check_loaded(cpu_self()->vm);
		__atomic_store_n(&flushes[id].done, asked, __ATOMIC_RELEASE);
	}
}

static void flush_intr(struct trapframe *)
{
	smp_poll();
	irqchip->eoi();
}

/* Have the idle loop, or the way back to user mode, look for something to run. */
static void resched_intr(struct trapframe *)
{
	cpu_self()->resched = RESCHED;
	irqchip->eoi();
}

/* Take the vectors that the interrupt chip sends. */
void smp_init(void)
{
	trap_set(VEC_RESCHED, resched_intr);
	trap_set(VEC_FLUSH, flush_intr);
}

/* Have that CPU look for something to run; from any context but NMI. */
void smp_kick(unsigned cpu)
{
	irqchip->ipi(cpu, VEC_RESCHED);
}

/*
 * Return when no other CPU uses an old translation of the address space any more. Spin locks
 * may be held, for a CPU that waits for one serves this.
 */
void vm_flush_others(const struct vm *vm)
{
	if (ncpu == 1)
		return;
	uint32_t flags = irq_save();
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (unsigned i = 0; i < ncpu; i++) {
		if (cpus[i] == cpu_self() || __atomic_load_n(&cpus[i]->vm, __ATOMIC_ACQUIRE) != vm)
			continue;
		uint32_t mine = __atomic_add_fetch(&flushes[i].asked, 1, __ATOMIC_ACQ_REL);
		irqchip->ipi(i, VEC_FLUSH);
		while ((int32_t)(load(&flushes[i].done) - mine) < 0) {
			smp_poll();
			cpu_relax();
		}
	}
	irq_restore(flags);
}

/* Do the same on all CPUs, this one too. */
void vm_flush(const struct vm *vm)
{
	write_cr3(read_cr3());
	check_loaded(cpu_self()->vm);
	vm_flush_others(vm);
}

/* Stand still until park_end(). From NMI; never instrumented. */
UNSEEN void park(void)
{
	if (cpu_self() == parker)
		return;
	__atomic_fetch_add(&park_count, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&park_wanted, __ATOMIC_ACQUIRE))
		cpu_relax();
	__atomic_fetch_sub(&park_count, 1, __ATOMIC_ACQ_REL);
}

/*
 * Have every other CPU stand still, in an NMI handler, until park_end(). Interrupts are off
 * in between. The NMI is sent again now and then, for two that come at once become one.
 * Return what park_end() takes.
 */
uint32_t park_begin(void)
{
	static struct spinlock lock = {.name = "park"};
	uint32_t flags = irq_save(), turns = 0;

	spin_lock(&lock);
	parker = cpu_self();
	__atomic_store_n(&park_wanted, ncpu > 1, __ATOMIC_RELEASE);
	while (load(&park_count) != ncpu - 1) {
		if (turns++ % PARK_RETRY == 0)
			irqchip->ipi_others(VEC_NMI);
		cpu_relax();
	}
	spin_unlock(&lock);
	return flags;
}

/* Have the other CPUs go on. */
void park_end(uint32_t flags)
{
	__atomic_store_n(&park_wanted, false, __ATOMIC_RELEASE);
	while (load(&park_count))
		cpu_relax();
	irq_restore(flags);
}

/* Stop the other CPUs for good, in a panic; do not wait long for one that does not answer. */
void smp_stop(void)
{
	uint32_t turns = 0;

	parker = cpu_self();
	__atomic_store_n(&park_wanted, true, __ATOMIC_RELEASE);
	if (irqchip && ncpu > 1)
		irqchip->ipi_others(VEC_NMI);
	while (load(&park_count) < ncpu - 1 && turns++ < STOP_TURNS)
		cpu_relax();
}
