/*
 * What prof/ needs of this kernel: the functions of prof/prof_hooks.h. Those that mcount calls are
 * not instrumented, or it would call itself.
 */
#include "kernel/cpu.h"
#include "kernel/memory.h"
#include "kernel/prof/patch.h"
#include "kernel/smp.h"
#include "prof/prof_hooks.h"

UNSEEN unsigned prof_hook_cpu(void)
{
	return (unsigned)cpu_self()->id;
}

void *prof_hook_alloc(size_t n)
{
	return kzalloc_unseen(n);
}

void prof_hook_free(void *p)
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
void prof_hook_quiesce(void)
{
	cpus_call(answer, NULL);
}

void prof_hook_entries(bool on)
{
	patch_entries(ENTRY_ARCS, on);
}

/* The limit falls first and rises last, for an NMI may come in between and call mcount. */
UNSEEN void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	struct cpu *c = cpus[cpu];

	__atomic_store_n(&c->prof.limit, 0, __ATOMIC_RELEASE);
	if (!g)
		return;
	c->prof.froms = g->froms;
	c->prof.arcs = g->tos;
	__atomic_store_n(&c->prof.limit, g->textsize, __ATOMIC_RELEASE);
}
