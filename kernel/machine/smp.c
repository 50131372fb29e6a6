/*
 * What CPUs ask of each other: to schedule, to flush translations, and to stop for good.
 *
 * A CPU that waits here or for a spin lock serves flushes meanwhile, by smp_poll(): so two
 * CPUs that ask each other do not wait for ever.
 */
#include "kernel/machine/smp.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/trap.h"

#define STOP_TURNS 1000000 /* of the loop, and a CPU is taken not to answer */

/* That CPU is asked to flush user translations. */
static struct {
	uint32_t asked; /* atomic; the number of the last request */
	uint32_t done;	/* atomic; written by that CPU alone: the last request that is served */
} flushes[MAXCPU];

static struct cpu *stopper;   /* the one that panics */
static uint32_t stopped;      /* atomic; CPUs that stand still for it */

/*
 * Flush if another CPU waits for that; interrupts are off. Requests are numbered as they are
 * made, each after the change of the page tables that it is for, and a CPU says that a number is
 * served only after a flush that began when that number had been given. So each of several CPUs
 * that ask at once, at any moment of this function, waits for a flush that began after its own
 * change, and none for another's number. Never instrumented: patch.c.
 */
UNSEEN void smp_poll(void)
{
	unsigned id = cpu_self()->id;
	uint32_t asked = __atomic_load_n(&flushes[id].asked, __ATOMIC_ACQUIRE);

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
		while ((int32_t)(__atomic_load_n(&flushes[i].done, __ATOMIC_ACQUIRE) - mine) < 0) {
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

/* Stand still, in an NMI's handler. The CPU that panics goes on: its NMI is a tick. */
UNSEEN static void smp_stopped(struct trapframe *)
{
	if (cpu_self() == stopper)
		return;
	__atomic_fetch_add(&stopped, 1, __ATOMIC_ACQ_REL);
	for (;;)
		cpu_relax();
}

/* Stop the other CPUs for good, in a panic; do not wait long for one that does not answer. */
void smp_stop(void)
{
	uint32_t turns = 0;

	stopper = cpu_self();
	trap_set(VEC_NMI, smp_stopped);
	if (ncpu > 1)
		irqchip->ipi_others(VEC_NMI);
	while (__atomic_load_n(&stopped, __ATOMIC_ACQUIRE) < ncpu - 1 && turns++ < STOP_TURNS)
		cpu_relax();
}
