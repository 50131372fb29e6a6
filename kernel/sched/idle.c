/* CPUs that have nothing to run: which those are, how they wait, and how they are woken. */
#include "kernel/sched/idle.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/smp.h"
#include "kernel/sched/runq.h"
#include "kernel/sched/sched.h"

#define POLLS 64 /* looks of an idle CPU that does not halt, until it lets others have a turn */

uint32_t idle_cpus[IDLE_WORDS];
static bool idle_polls;	/* set by each CPU, to the same, before it is idle */
static uint32_t awake;	/* atomic; idle_hold() without idle_release() */

/* Count the CPU as idle no more; return whether it was. */
static inline bool idle_remove(unsigned id)
{
	uint32_t bit = 1u << id % 32;

	if (!(__atomic_load_n(&idle_cpus[id / 32], __ATOMIC_RELAXED) & bit))
		return false;
	return __atomic_fetch_and(&idle_cpus[id / 32], ~bit, __ATOMIC_SEQ_CST) & bit;
}

/* Wake as many idle CPUs as are due; those take a process from elsewhere if they have none. */
void idle_wake_due(struct cpu *self)
{
	unsigned n = __atomic_exchange_n(&self->nwoken, 0, __ATOMIC_RELAXED);
	unsigned first, id = self->woken;

	for (; n > 0 && runq_any(); n--) {
		while ((first = idle_first()) < MAXCPU && !idle_remove(id))
			id = first;
		if (first == MAXCPU)
			return;
		if (id != self->id)
			smp_kick(id);
	}
}

/*
 * Keep CPU 0 from halting until idle_release(), for a driver that waits for the host. Under
 * QEMU's -icount a machine that halts skips to its next timer interrupt, so in its own time
 * the host would be late.
 */
void idle_hold(void)
{
	__atomic_add_fetch(&awake, 1, __ATOMIC_RELAXED);
}

void idle_release(void)
{
	__atomic_sub_fetch(&awake, 1, __ATOMIC_RELAXED);
}

/* Return whether this CPU is to wait without halting. */
static bool idle_stays_awake(const struct cpu *c)
{
	if (c->id == 0 && __atomic_load_n(&awake, __ATOMIC_RELAXED) != 0)
		return true;
	return idle_polls;
}

/*
 * Wait until there is something to do: interrupts are off on entry, on afterwards. This is a
 * function of its own so that profiles name it. idle=poll on the command line is for QEMU's
 * -icount, which may see a halt before it has counted the instructions up to it: then equal
 * runs are not quite equal. There one CPU runs at a time, until a pause gives up its turn;
 * that takes the host as long as some hundred looks, so there is one pause to many.
 */
static void NOT_INLINED cpu_idle(void)
{
	struct cpu *c = cpu_self();
	volatile unsigned polls = 0; /* in memory: the function has its frame when it halts, too */

	check_irqs_off();
	c->halted = true;
	if (idle_stays_awake(c)) {
		irq_on();
		while (!__atomic_load_n(&c->resched, __ATOMIC_RELAXED) && idle_stays_awake(c))
			if (++polls % POLLS == 0)
				cpu_relax();
	} else {
		cpu_halt();
	}
	c->halted = false;
}

/* Be this CPU's idle thread. */
void sched_loop(void)
{
	struct cpu *c = cpu_self();
	uint32_t *word = &idle_cpus[c->id / 32], bit = 1u << c->id % 32;

	idle_polls = cmdline_is("idle", "poll");
	for (;;) {
		irq_off();
		c->resched = 0;
		/* Before the look: see runq_add(). */
		__atomic_fetch_or(word, bit, __ATOMIC_SEQ_CST);
		if (!runq_any()) {
			cpu_idle();
			continue;
		}
		idle_remove(c->id);
		irq_on();
		if (!c->runq->nready)
			runq_steal(c, 0);
		sched_yield();
	}
}
