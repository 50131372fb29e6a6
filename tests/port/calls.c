/*
 * In the place of port.c: how long each call of the work takes, by the stub in prof/arch that
 * measures calls, and the last of them, recorded. The host has no ticks and no arcs then: kpdata
 * has kpcall, and kpstack kptrace.
 */
#include "prof/prof_block.h"
#include "prof/prof_hooks.h"
#include "tests/port/host.h"

#define STRING(a) #a
#define VALUE(a) STRING(a)
#define NCPU VALUE(CPUS)
#define HEAD "# kpcall version=1 cpus=" NCPU " per_ms=" VALUE(PER_MS) " cost=0\n"
#define RECORDS 4096 /* of each CPU */

void prof_call_entry(void), prof_call_back(void); /* call.S */

struct prof_block prof_block; /* leads those who look into memory to the rings */
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

#if defined(__i386__) || defined(__x86_64__)
#define PER_MS 1000000
static void patch_entries(void)
{
}
#else
/* What the linker knows of the nops at the entries of functions. */
extern const uintptr_t __start___patchable_function_entries[];
extern const uintptr_t __stop___patchable_function_entries[];

/* Have the nops there call the stub. */
#ifdef __riscv
#define PER_MS 10000
static void patch(uintptr_t at)
{
	uint32_t to = (uint32_t)((uintptr_t)prof_call_entry - at);
	const uint32_t call[] = {
		((to + 0x800) & 0xfffff000) | 0x297, /* auipc t0, ... */
		to << 20 | 0x282e7,		     /* jalr t0, ...(t0) */
	};

	__builtin_memcpy((void *)at, call, sizeof(call));
	__asm__ volatile(".word 0x100f" /* fence.i */ : : : "memory");
}
#else
#define PER_MS 62500
static void patch(uintptr_t at)
{
	uint32_t to = (uint32_t)((uintptr_t)prof_call_entry - (at + 4)) >> 2;
	const uint32_t call[] = {
		0xaa1e03e9,			/* mov x9, x30 */
		0x94000000 | (to & 0x3ffffff),	/* bl ... */
	};

	__builtin_memcpy((void *)at, call, sizeof(call));
	__asm__ volatile("dc cvau, %0; dsb ish; ic ivau, %0; dsb ish; isb" : : "r"(at) : "memory");
}
#endif

static void patch_entries(void)
{
	const uintptr_t *at = __start___patchable_function_entries;

	for (; at < __stop___patchable_function_entries; at++)
		patch(*at);
}
#endif

/* Each CPU has one thread. */
bool profile_start(void)
{
	patch_entries();
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		prof_call_init(&prof, cpu, &counters[cpu], (uintptr_t)prof_call_back);
	prof_stack_init(&prof, CPUS, 0);
	prof_block_init(&prof_block, &prof, NULL, NULL);
	if (!prof_call_open(&prof, PROF_CALLS, 1))
		return false;
	if (!prof_stack_open(&prof, PROF_STACK, 1))
		return false;
	if (!prof_trace_open(&prof, RECORDS, PROF_CALLS, PER_MS, 0))
		return false;
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		uintptr_t lo = machine_stack(cpu);

		prof_call_thread(&stack[cpu], lo, lo + STACK);
		prof_call_run(&counters[cpu], &stack[cpu], 0);
		prof_call_here[cpu] = &counters[cpu];
		prof_trace_run(&prof, cpu, cpu + 1, false);
	}
	prof_start(&prof, PROF_CALLS | PROF_TRACE);
	return true;
}

static int to_file(void *file, const void *data, size_t n)
{
	machine_write(*(const enum file *)file, data, n);
	return 0;
}

bool profile_write(void)
{
	static const char head[] = HEAD;
	static const char trace[] = "# kptrace version=1 cpus=" NCPU " period_us=1000\n";
	enum file file = KPDATA;
	const struct prof_sink to = {.write = to_file, .arg = &file};

	prof_stop(&prof, PROF_CALLS | PROF_TRACE);
	machine_write(file, head, sizeof(head) - 1);
	if (prof_call_write(&prof, PROF_CALLS, &to) != 0)
		return false;
	file = KPSTACK;
	machine_write(file, trace, sizeof(trace) - 1);
	return prof_trace_write(&prof, PROF_TRACE, &to) == 0;
}
