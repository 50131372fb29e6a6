/* Functions that one CPU has all of them run. */
#include "kernel/sched/call.h"
#include "kernel/machine/trap.h"
#include "kernel/sched/mutex.h"

static struct mutex calling = {.l.name = "call"}; /* one call at a time */
static void (*call_fn)(void *arg);
static void *call_arg;
static uint32_t call_left; /* atomic; CPUs that have not done it */

/*
 * Who has run it lets the others go on: where an emulator runs CPUs in turn, one may wait long.
 * QEMU before 8.1 ends a turn of each CPU when one arms a timer, so that the first may be empty.
 */
static void call_intr(struct trapframe *)
{
	call_fn(call_arg);
	__atomic_fetch_sub(&call_left, 1, __ATOMIC_RELEASE);
	irqchip->eoi();
	for (unsigned i = 0; i < 4; i++)
		cpu_relax();
}

/*
 * Run fn(arg) on every CPU, this one too, with interrupts off; return when all have.
 * From thread context with interrupts on; may sleep. fn takes no lock that is held
 * with interrupts on, and may be called before the other CPUs are up.
 */
void cpus_call(void (*fn)(void *arg), void *arg)
{
	HOLD_MUTEX(&calling);
	call_fn = fn;
	call_arg = arg;
	__atomic_store_n(&call_left, ncpu - 1, __ATOMIC_RELEASE);
	if (ncpu > 1)
		irqchip->ipi_others(VEC_CALL);
	uint32_t flags = irq_save();
	fn(arg);
	irq_restore(flags);
	while (__atomic_load_n(&call_left, __ATOMIC_ACQUIRE))
		cpu_relax();
}

/* Take the vector that asks for it. */
void call_init(void)
{
	trap_set(VEC_CALL, call_intr);
}
