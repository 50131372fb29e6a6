/*
 * The profilers' hooks (prof/port.h). Nothing here is instrumented: mcount calls some
 * of it, and would call itself.
 */
#include "kernel.h"
#include "prof/port.h"
#include "prof/prof.h"

#define UNSEEN __attribute__((no_instrument_function))

/* What mcount.asm knows of struct cpu and struct tostruct. */
_Static_assert(offsetof(struct cpu, gmon_limit) == 16, "CPU_GMON_LIMIT");
_Static_assert(offsetof(struct cpu, gmon_froms) == 20, "CPU_GMON_FROMS");
_Static_assert(offsetof(struct cpu, gmon_tos) == 24, "CPU_GMON_TOS");
_Static_assert(sizeof(struct tostruct) == 12 && offsetof(struct tostruct, selfpc) == 0 &&
		       offsetof(struct tostruct, count) == 4,
	       "an entry of tos");

UNSEEN unsigned prof_port_cpu(void)
{
	return (unsigned)cpu_self()->id;
}

UNSEEN void *prof_port_alloc(size_t n)
{
	return kzalloc(n);
}

/* One CPU in thread context is within no tick. With several, each must be asked to come out. */
UNSEEN void prof_port_quiesce(void)
{
}

UNSEEN void prof_port_entries(bool on)
{
	patch_entries(on);
}

/* The limit goes first when it falls and comes last when it rises: an NMI may come between. */
UNSEEN void prof_port_arcs(unsigned cpu, const struct gmonparam *g)
{
	struct cpu *c = &cpus[cpu];

	__atomic_store_n(&c->gmon_limit, 0, __ATOMIC_RELEASE);
	if (!g)
		return;
	c->gmon_froms = g->froms;
	c->gmon_tos = g->tos;
	__atomic_store_n(&c->gmon_limit, g->textsize, __ATOMIC_RELEASE);
}
