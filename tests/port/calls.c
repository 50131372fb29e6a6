/*
 * In the place of port.c: how long each call of the work takes, by the stub in prof/arch that
 * measures calls. The host has no ticks and no arcs then, and kpdata's file is kpcall's.
 */
#include "prof/prof_hooks.h"
#include "tests/port/host.h"

void prof_call_back(void); /* call.S */

struct prof_entry prof_entry[CPUS];
struct prof_call_cpu *prof_call_here[CPUS];
static struct prof_call_cpu counters[CPUS];
static struct prof_call_stack stack[CPUS];
static struct prof prof;

unsigned prof_hook_cpu(void)
{
	return machine_cpu();
}

void *prof_hook_alloc(size_t n)
{
	return machine_memory(n);
}

void prof_hook_free(void *p)
{
	(void)p;
}

void prof_hook_quiesce(void)
{
}

void prof_hook_entries(bool on)
{
	(void)on;
}

void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	(void)cpu;
	(void)g;
}

const void *prof_hook_user(prof_addr page)
{
	(void)page;
	return NULL;
}

enum prof_stack_trap prof_hook_trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	(void)frame;
	(void)room;
	(void)at;
	return PROF_STACK_AT_NOTHING;
}

void profile_tick(const struct clock_frame *f)
{
	(void)f;
}

uint32_t profile_lost(void)
{
	return 0;
}

/* Each CPU has one thread. */
bool profile_start(void)
{
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		prof_call_init(&prof, cpu, &counters[cpu], (uintptr_t)prof_call_back);
	if (!prof_call_open(&prof, PROF_CALLS, 1))
		return false;
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		uintptr_t lo = machine_stack(cpu);

		prof_call_thread(&stack[cpu], lo, lo + STACK);
		prof_call_run(&counters[cpu], &stack[cpu], 0);
		prof_call_here[cpu] = &counters[cpu];
	}
	prof_start(&prof, PROF_CALLS);
	return true;
}

static int to_file(void *unused, const void *data, size_t n)
{
	(void)unused;
	machine_write(KPDATA, data, n);
	return 0;
}

bool profile_write(void)
{
	static const char head[] = "# kpcall version=1 cpus=2 per_ms=1000000 cost=0\n";
	const struct prof_sink to = {.write = to_file};

	prof_stop(&prof, PROF_CALLS);
	machine_write(KPDATA, head, sizeof(head) - 1);
	return prof_call_write(&prof, PROF_CALLS, &to) == 0;
}
