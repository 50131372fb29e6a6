/*
 * The profilers in a kernel that is not Gnomon: their hooks, the tick, and where the counts
 * go. All that has to do with prof/ is in here, and compiled without -pg.
 */
#include "prof/files/gmonout.h"
#include "kernel.h"
#include "prof/port.h"

#define MEMORY_END 0x1000000u

extern char ktzero[], etext[], end[], stack_top[];

bool calls_wanted; /* __fentry__ looks at it */
static struct prof prof;
static uintptr_t next_free = (uintptr_t)end;

/* The hooks. There is one processor, and no program. */
unsigned prof_port_cpu(void)
{
	return 0;
}

void *prof_port_alloc(size_t n)
{
	uintptr_t at = (next_free + 15) & ~(uintptr_t)15, i;

	if (n > MEMORY_END - at)
		return NULL;
	next_free = at + n;
	for (i = at; i < next_free; i++)
		*(volatile uint8_t *)i = 0;
	return (void *)at;
}

void prof_port_free(void *p)
{
	(void)p;
}

void prof_port_quiesce(void)
{
}

void prof_port_entries(bool on)
{
	calls_wanted = on;
}

void prof_port_arcs(unsigned cpu, const struct gmonparam *g)
{
	(void)cpu;
	(void)g;
}

const void *prof_port_user(uint32_t addr)
{
	(void)addr;
	return NULL;
}

enum stack_trap prof_port_trap(const void *frame, size_t room, struct stack_place *at)
{
	(void)frame;
	(void)room;
	(void)at;
	return STACK_AT_NOTHING;
}

/* Make the sample. The part of the stack that is in use begins after the interrupt's frame. */
static void sample(const void *frame, enum prof_mode mode, uint32_t on)
{
	const struct clock_frame *f = frame;
	struct prof_sample s = {
		.mode = mode,
		.at = {.pc = f->eip, .fp = f->ebp},
		.lo = (uint32_t)(f + 1),
		.hi = (uint32_t)stack_top,
		.stack = f + 1,
		.name = "example",
	};

	prof_sample(&prof, on, &s);
}

void clock_tick(const struct clock_frame *f)
{
	prof_tick(&prof, 0, f->eip, PROF_KERNEL, sample, f);
}

/* Count from now on. Paths of calls have tables, so kprof_start() starts them, too. */
bool profile_start(void)
{
	uint32_t lo = (uint32_t)ktzero, hi = (uint32_t)etext;

	stack_init(&prof, 1, 0);
	if (!kprof_init(&prof, lo, hi, 1) || !kmstartup(lo, hi, 1) || !stack_open(&prof))
		return false;
	prof_period(&prof, 1000000 / HZ);
	kprof_start(&prof);
	gmon_start(&prof, GMON_ALL);
	return true;
}

static int to_gmon(void *arg, const void *data, size_t n)
{
	(void)arg;
	serial_write(GMON, data, n);
	return 0;
}

/* The file that gprof reads. */
static bool write_gmon(void)
{
	const struct gmonout out = {.write = to_gmon};
	struct gmonparam g;
	uint32_t *count;
	uint16_t *froms;
	struct tostruct *tos;

	gmon_param(GMON_ALL, &g);
	count = prof_port_alloc(g.kcountsize);
	froms = prof_port_alloc(g.fromssize);
	tos = prof_port_alloc(g.tossize);
	if (!count || !froms || !tos)
		return false;
	gmon_count(GMON_ALL, count);
	gmon_arcs(GMON_ALL, froms, tos);
	return gmonout_head(&out) == 0 && gmonout_count(&out, &g, count) == 0 &&
	       gmonout_arcs(&out, &g, froms, tos) == 0;
}

/* Count no longer; what was counted, a file to a port. False: no memory, or not all arcs. */
bool profile_write(void)
{
	uint8_t *data = prof_port_alloc(kprof_length(&prof));
	struct stack_look look;
	bool full = gmon_state(GMON_ALL) == GMON_PROF_ERROR;
	char *text;

	gmon_stop(&prof, GMON_ALL);
	kprof_stop(&prof);
	text = prof_port_alloc(stack_look(&prof, &look));
	if (!data || !text)
		return false;
	kprof_picture(&prof, data);
	serial_write(KPDATA, data, kprof_length(&prof));
	serial_write(KPSTACK, text, stack_text(&prof, &look, text));
	return write_gmon() && !full;
}
