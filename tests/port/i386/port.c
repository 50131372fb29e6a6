/*
 * The profilers in a kernel that is not Gnomon: their hooks, the tick, and where the counts
 * go. All that has to do with prof/ is in here, and compiled without -pg.
 */
#include "prof/files/prof_gmonout.h"
#include "kernel.h"
#include "prof/prof_hooks.h"

#define MEMORY_END 0x1000000u

extern char ktzero[], etext[], end[], stack_top[];

bool calls_wanted; /* __fentry__ looks at it */
static struct prof prof;
static uintptr_t next_free = (uintptr_t)end;

/* The hooks. There is one processor, and no program. */
unsigned prof_hook_cpu(void)
{
	return 0;
}

void *prof_hook_alloc(size_t n)
{
	uintptr_t at = (next_free + 15) & ~(uintptr_t)15, i;

	if (n > MEMORY_END - at)
		return NULL;
	next_free = at + n;
	for (i = at; i < next_free; i++)
		*(volatile uint8_t *)i = 0;
	return (void *)at;
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
	calls_wanted = on;
}

void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	(void)cpu;
	(void)g;
}

const void *prof_hook_user(prof_addr addr)
{
	(void)addr;
	return NULL;
}

enum prof_stack_trap prof_hook_trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	(void)frame;
	(void)room;
	(void)at;
	return PROF_STACK_AT_NOTHING;
}

/* Make the sample. The part of the stack that is in use begins after the interrupt's frame. */
static void sample(const void *frame, enum prof_mode mode, uint32_t on)
{
	const struct clock_frame *f = frame;
	struct prof_sample s = {
		.mode = mode,
		.at = {.pc = f->eip, .fp = f->ebp},
		.lo = (prof_addr)(f + 1),
		.hi = (prof_addr)stack_top,
		.stack = f + 1,
		.name = "example",
	};

	prof_sample(&prof, on, &s);
}

void clock_tick(const struct clock_frame *f)
{
	prof_tick(&prof, 0, f->eip, PROF_KERNEL, sample, f);
}

/* Count from now on. Paths of calls have tables, so prof_kprof_start() starts them, too. */
bool profile_start(void)
{
	prof_addr lo = (prof_addr)ktzero, hi = (prof_addr)etext;

	prof_stack_init(&prof, 1, 0);
	if (!prof_kprof_init(&prof, lo, hi, 1) || !prof_gmon_init(&prof, lo, hi, 1, NULL) ||
	    !prof_stack_open(&prof))
		return false;
	prof_period(&prof, 1000000 / HZ);
	prof_kprof_start(&prof);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	return true;
}

/* Write to the port that arg points to. */
static int put(void *arg, const void *data, size_t n)
{
	serial_write(*(const enum serial *)arg, data, n);
	return 0;
}

/* The file that gprof reads. */
static bool write_gmon(void)
{
	enum serial port = GMON;
	const struct prof_sink out = {.write = put, .arg = &port};
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
	return prof_gmonout_head(&out) == 0 && prof_gmonout_count(&out, &g, count) == 0 &&
	       prof_gmonout_arcs(&out, &g, froms, tos) == 0;
}

/* Count no longer; what was counted, a file to a port. False: no memory, or not all arcs. */
bool profile_write(void)
{
	enum serial data = KPDATA, paths = KPSTACK;
	bool full = prof_gmon_state(&prof, PROF_GMON_ALL) == PROF_GMON_ERROR;

	prof_gmon_stop(&prof, PROF_GMON_ALL);
	prof_kprof_stop(&prof);
	prof_kprof_write(&prof, &(struct prof_sink){.write = put, .arg = &data});
	prof_stack_write(&prof, &(struct prof_sink){.write = put, .arg = &paths});
	return write_gmon() && !full;
}
