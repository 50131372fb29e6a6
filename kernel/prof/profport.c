/*
 * The profilers' hooks (prof/port.h). Those that mcount calls are not instrumented: it
 * would call itself.
 */
#include "kernel/cpu.h"
#include "kernel/memory.h"
#include "kernel/prof/patch.h"
#include "kernel/smp.h"
#include "prof/port.h"
#include "prof/prof.h"

UNSEEN unsigned prof_port_cpu(void)
{
	return (unsigned)cpu_self()->id;
}

void *prof_port_alloc(size_t n)
{
	return kzalloc_unseen(n);
}

void prof_port_free(void *p)
{
	kfree(p);
}

static void come_by(void *)
{
}

/*
 * A tick runs with interrupts off, be it an NMI's or a vector's. So a CPU that takes an
 * interrupt of lower priority is not in a tick: one that was under way when it was asked is
 * over, and a later one comes after what was stored before the asking. Ticks themselves
 * do nothing for this.
 */
void prof_port_quiesce(void)
{
	cpus_call(come_by, NULL);
}

/* How often that CPU has changed process; the lower half is enough. */
static uint32_t changes(int cpu)
{
	return (uint32_t)*(const volatile uint64_t *)&cpus[cpu].switches;
}

/*
 * Return when every CPU has been outside of the code whose calls were patched out, such as
 * mcount. It runs with interrupts on, so that a CPU which takes one, or is parked, may still
 * be in there. But kernel code is not preempted, and interrupt handlers do not sleep: a CPU
 * that changes process, or takes `resched` back, which only the scheduler and the idle loop
 * do, has left all functions whose entry it was in. The calls themselves do nothing for this.
 */
static void wait_outside(void)
{
	int self = cpu_self()->id, i;
	uint32_t before[MAXCPU];

	for (i = 0; i < ncpu; i++) {
		before[i] = changes(i);
		if (i == self)
			continue;
		__atomic_store_n(&cpus[i].resched, true, __ATOMIC_SEQ_CST);
		smp_kick((unsigned)i);
	}
	for (i = 0; i < ncpu; i++)
		while (i != self && changes(i) == before[i] &&
		       __atomic_load_n(&cpus[i].resched, __ATOMIC_ACQUIRE))
			cpu_relax();
}

void entries_switch(unsigned who, bool on)
{
	patch_entries(who, on);
	if (!on)
		wait_outside();
}

void prof_port_entries(bool on)
{
	entries_switch(ENTRY_ARCS, on);
}

/* The limit goes first when it falls and comes last when it rises: an NMI may come between. */
UNSEEN void prof_port_arcs(unsigned cpu, const struct gmon_cpu *g)
{
	struct cpu *c = &cpus[cpu];

	__atomic_store_n(&c->prof.limit, 0, __ATOMIC_RELEASE);
	if (!g)
		return;
	c->prof.froms = g->param.froms;
	c->prof.arcs = g->arc;
	__atomic_store_n(&c->prof.limit, g->param.textsize, __ATOMIC_RELEASE);
}
