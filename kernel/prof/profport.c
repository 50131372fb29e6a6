/*
 * What prof/ needs of this kernel: the functions of prof/prof_hooks.h. Those that mcount calls are
 * not instrumented, or it would call itself.
 */
#include "kernel/machine/cpu.h"
#include "kernel/memory/heap.h"
#include "kernel/prof/patch.h"
#include "kernel/sched/call.h"
#include "prof/prof_hooks.h"

_Static_assert(offsetof(struct cpu, entry) == 20, "the Makefile tells prof/arch/i386/mcount.S");

UNSEEN unsigned prof_hook_cpu(void)
{
	return cpu_self()->id;
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
static void profport_answer(void *)
{
}

/*
 * A tick runs with interrupts off, be it an NMI's or a vector's, so a CPU that answers an
 * interrupt of lower priority is in none: any that was under way is over, and later ones see
 * what the caller stored before. It costs ticks nothing.
 */
void prof_hook_quiesce(void)
{
	cpus_call(profport_answer, NULL);
}

void prof_hook_entries(bool on)
{
	patch_entries(ENTRY_ARCS, on);
}

/* Entries that are off do not call, so those that do may count at once. */
UNSEEN void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	prof_entry_set(&cpus[cpu]->entry, g);
	prof_entry_switch(&cpus[cpu]->entry, true);
}
