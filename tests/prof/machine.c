/*
 * The hooks of a machine whose CPUs are threads, or one thread that plays all of them.
 * Links: prof/prof_gmon.c prof/prof_kprof.c prof/prof_memprof.c prof/prof_module.c
 * Links: prof/prof_prf.c prof/prof_profil.c
 * Links: prof/prof_profilers.c prof/prof_beat.c prof/prof_pace.c prof/prof_cause.c prof/prof_text.c
 * Links: prof/prof_stack.c prof/prof_stackcache.c prof/prof_stacktable.c prof/prof_stackout.c
 * Links: prof/prof_trace.c prof/prof_call.c
 */
#include "tests/prof/machine.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "prof/prof_hooks.h"

#define MAXALLOC 1024

_Thread_local unsigned machine_cpu;
struct machine machine;

static void *given[MAXALLOC];
static unsigned ngiven;
static int inside[PROF_MAXCPU]; /* sequentially consistent, as the next */
static uint32_t passes[PROF_MAXCPU]; /* how often that CPU came out again */
static int entries;

void machine_reset(void)
{
	while (ngiven > 0)
		free(given[--ngiven]);
	machine = (struct machine){.allocs_left = -1};
	machine_cpu = 0;
	entries = 0;
}

bool machine_entries(void)
{
	return __atomic_load_n(&entries, __ATOMIC_SEQ_CST);
}

/* An exchange, so that what follows is not read before the others can see this. */
void machine_enter(unsigned cpu)
{
	__atomic_exchange_n(&inside[cpu], 1, __ATOMIC_SEQ_CST);
}

void machine_leave(unsigned cpu)
{
	__atomic_fetch_add(&passes[cpu], 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&inside[cpu], 0, __ATOMIC_SEQ_CST);
}

/* Which profilers tick now, on the CPU that this thread is. */
static _Thread_local struct prof *ticking;

static void sample(const void *s, enum prof_cause what, uint32_t on)
{
	prof_sample(ticking, on, s);
}

void machine_tick(struct prof *p, const struct prof_sample *s)
{
	ticking = p;
	prof_tick(p, s->cpu, s->at.pc, s->what, sample, s);
}

uint32_t machine_be32(const uint8_t *data, uint32_t i)
{
	data += 4 * (size_t)i;
	return (uint32_t)data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3];
}

/* Each CPU has been outside since: it is, or it has come out, and may be inside again. */
static void wait_outside(void)
{
	uint32_t before;
	unsigned cpu;

	for (cpu = 0; cpu < PROF_MAXCPU; cpu++) {
		before = __atomic_load_n(&passes[cpu], __ATOMIC_SEQ_CST);
		while (__atomic_fetch_add(&inside[cpu], 0, __ATOMIC_SEQ_CST) &&
		       __atomic_load_n(&passes[cpu], __ATOMIC_SEQ_CST) == before)
			sched_yield();
	}
}

unsigned prof_hook_cpu(void)
{
	return machine_cpu;
}

void *prof_hook_alloc(size_t n)
{
	unsigned i = 0;

	while (i < ngiven && given[i])
		i++;
	if (machine.allocs_left == 0 || i == MAXALLOC)
		return NULL;
	if (machine.alloc_fails > 0 && --machine.alloc_fails == 0)
		return NULL;
	if (machine.allocs_left > 0)
		machine.allocs_left--;
	if (i == ngiven)
		ngiven++;
	if (n > machine.largest)
		machine.largest = n;
	given[i] = calloc(1, n);
	return given[i];
}

/* Its place is for the next. */
unsigned machine_given(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ngiven; i++)
		n += given[i] != NULL;
	return n;
}

void prof_hook_free(void *p)
{
	unsigned i;

	for (i = 0; i < ngiven; i++) {
		if (given[i] == p)
			given[i] = NULL;
	}
	free(p);
}

void prof_hook_quiesce(void)
{
	if (machine.quiesce)
		machine.quiesce();
	wait_outside();
}

void prof_hook_entries(bool on)
{
	__atomic_store_n(&entries, on, __ATOMIC_SEQ_CST);
	machine.switches++;
	if (machine.switched)
		machine.switched();
	if (!on)
		wait_outside();
}

void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	machine.arcs[cpu] = g;
}

const void *prof_hook_user(prof_addr addr)
{
	return machine.user ? machine.user(addr) : NULL;
}

enum prof_stack_trap prof_hook_trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	return machine.trap ? machine.trap(frame, room, at) : PROF_STACK_AT_NOTHING;
}

int machine_put(void *to, const void *data, size_t n)
{
	return fwrite(data, 1, n, to) == n ? 0 : -1;
}
