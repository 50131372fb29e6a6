/*
 * What prof/ needs of this kernel: the functions of prof/port.h. Those that mcount calls are
 * not instrumented, or it would call itself.
 */
#include "kernel/cpu.h"
#include "kernel/memory.h"
#include "kernel/prof/patch.h"
#include "kernel/smp.h"
#include "prof/port.h"

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

/* To have been called is all. */
static void answer(void *)
{
}

/*
 * A tick runs with interrupts off, be it an NMI's or a vector's, so a CPU that answers an
 * interrupt of lower priority is in none: any that was under way is over, and later ones see
 * what the caller stored before. It costs ticks nothing.
 */
void prof_port_quiesce(void)
{
	cpus_call(answer, NULL);
}

/* Return how often that CPU has changed process; the lower half is enough. */
static uint32_t changes(int cpu)
{
	return (uint32_t)*(const volatile uint64_t *)&cpus[cpu].switches;
}

/*
 * Return when every CPU has left the code whose calls were patched out, such as mcount. That
 * runs with interrupts on, so a CPU that answers one, or is parked, may still be in there. But
 * kernel code is not preempted, and interrupt handlers do not sleep: a CPU that changes
 * process, or clears `resched`, as only the scheduler and the idle loop do, has left all
 * functions whose entry it was in. It costs the calls nothing.
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

/* The limit falls first and rises last, for an NMI may come in between and call mcount. */
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
