/*
 * The profilers in a kernel that is not Gnomon: their hooks, the tick, and where the counts go.
 * All that has to do with prof/ is in here, but for each machine's PROF_ENTRY, and none of it is
 * instrumented.
 */
#include "tests/port/host.h"
#include "prof/arch/prof_arch.h"
#include "prof/files/prof_gmonout.h"
#include "prof/prof_block.h"
#include "prof/prof_hooks.h"

extern char ktzero[], etext[];

struct prof_entry prof_entry[CPUS];
struct prof_block prof_block; /* leads those who look into memory to the tables */
static struct prof prof;
static unsigned turns[CPUS]; /* odd while that CPU is in a tick */

/* The hooks. There are no interrupts but the clock's, and paths of the program are not followed. */
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
	unsigned cpu, n;

	for (cpu = 0; cpu < CPUS; cpu++) {
		n = __atomic_load_n(&turns[cpu], __ATOMIC_SEQ_CST);
		while (n % 2 == 1 && __atomic_load_n(&turns[cpu], __ATOMIC_SEQ_CST) == n)
			;
	}
}

/* Only CPU 0 calls this, before the others call anything that is instrumented, or after. */
void prof_hook_entries(bool on)
{
	unsigned cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		prof_entry_switch(&prof_entry[cpu], on);
}

void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	prof_entry_set(&prof_entry[cpu], g);
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

/* Make the sample. Neither the program nor its stack pointer and frame pointer are trusted. */
static void sample(const void *frame, enum prof_cause what, uint32_t on)
{
	const struct clock_frame *f = frame;
	unsigned cpu = machine_cpu();
	struct prof_sample s = {
		.cpu = cpu,
		.what = what,
		.at = {.pc = frame_pc(f), .fp = frame_fp(f)},
		.lo = machine_stack(cpu),
		.hi = machine_stack(cpu) + STACK,
		.stack = (const void *)machine_stack(cpu),
	};

	prof_arch_find(&s, frame_sp(f), frame_link(f), (uintptr_t)ktzero, (uintptr_t)etext);
	prof_sample(&prof, on, &s);
}

void profile_tick(const struct clock_frame *f)
{
	unsigned cpu = machine_cpu();

	__atomic_store_n(&turns[cpu], turns[cpu] + 1, __ATOMIC_SEQ_CST);
	prof_tick(&prof, cpu, frame_pc(f), frame_user(f) ? PROF_USER : PROF_KERNEL, sample, f);
	__atomic_store_n(&turns[cpu], turns[cpu] + 1, __ATOMIC_SEQ_CST);
}

/* Count from now on: where the time goes, on which paths, and who calls whom. */
bool profile_start(void)
{
	uintptr_t lo = (uintptr_t)ktzero, hi = (uintptr_t)etext;

	prof_stack_init(&prof, CPUS, 0);
	if (!prof_kprof_init(&prof, lo, hi, CPUS) || !prof_gmon_init(&prof, lo, hi, CPUS, NULL) ||
	    !prof_stack_open(&prof, PROF_STACK, 1))
		return false;
	prof_block_init(&prof_block, &prof, NULL, NULL);
	prof_period(&prof, 1000000 / HZ);
	prof_start(&prof, PROF_KPROF | PROF_STACK);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	return true;
}

static int to_file(void *file, const void *data, size_t n)
{
	machine_write(*(enum file *)file, data, n);
	return 0;
}

/* The file that gprof reads, of all CPUs together. */
static bool write_gmon(const struct prof_sink *to)
{
	struct prof_gmon_param g;
	uint32_t *count;
	uint16_t *froms;
	struct prof_tostruct *tos;

	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	count = prof_hook_alloc(g.kcountsize);
	froms = prof_hook_alloc(g.fromssize);
	tos = prof_hook_alloc(g.tossize);
	if (!count || !froms || !tos)
		return false;
	prof_gmon_count(&prof, PROF_GMON_ALL, count);
	prof_gmon_arcs(&prof, PROF_GMON_ALL, froms, tos);
	return prof_gmonout_head(to) == 0 && prof_gmonout_count(to, &g, count) == 0 &&
	       prof_gmonout_arcs(to, &g, froms, tos) == 0;
}

uint32_t profile_lost(void)
{
	struct prof_gmon_param g;

	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	return g.lost;
}

/* Count no longer, and leave what was counted. False: no memory, or not all arcs were counted. */
bool profile_write(void)
{
	bool full = prof_gmon_state(&prof, PROF_GMON_ALL) == PROF_GMON_ERROR;
	enum file file;
	struct prof_sink to = {.write = to_file, .arg = &file};

	prof_gmon_stop(&prof, PROF_GMON_ALL);
	prof_stop(&prof, PROF_KPROF | PROF_STACK);
	file = KPDATA;
	prof_kprof_write(&prof, PROF_KPROF, &to);
	file = KPSTACK;
	prof_stack_write(&prof, PROF_STACK, &to);
	file = GMON;
	return write_gmon(&to) && !full;
}
