/* The kernel's one set of profilers: how they are made, and a tick's way to them. */
#include "kernel/prof/profilers.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/image.h"
#include "kernel/machine/isr.h"
#include "kernel/prof/calls.h"
#include "kernel/memory/frame.h"

#define MODULES_SHARE 4 /* modules take at most that part of the memory that is free at first */

_Static_assert(PROF_MAXCPU == MAXCPU, "a profiler has cells for each CPU");

struct prof profilers;
struct prof_gmon_param _gmonparam;
struct prof *const prof = &profilers;
struct mutex prof_lock = {.l.name = "prof"};

/* Not instrumented, like all that a tick calls: every tick would count as a call. */
UNSEEN void statclock_all(const struct trapframe *tf)
{
	enum prof_cause what = PROF_KERNEL;

	if (tf_user(tf))
		what = PROF_USER;
	else if (cpu_self()->halted)
		what = PROF_IDLE;
	prof_tick(&profilers, cpu_id(), tf->eip, what, statclock_sample, tf);
}

/*
 * Make the profilers ready, once memory works and %gs is set, and say so as NetBSD
 * does. With prof=boot on the command line kprof and gmon run from here on; their
 * devices hold the clock when it is there.
 */
void profilers_init(void)
{
	uint32_t lo = (uint32_t)(uintptr_t)ktzero, hi = (uint32_t)(uintptr_t)etext;

	bool made = prof_kprof_init(prof, lo, hi, ncpu);
	made &= prof_gmon_init(prof, lo, hi, ncpu, &_gmonparam);
	made &= prof_prf_init(prof, ncpu);
	if (!made)
		panic("no memory for the profilers");
	prof_stack_init(prof, ncpu, (uint32_t)(uintptr_t)isr_return);
	for (unsigned i = 0; i < ncpu; i++) {
		prof_call_init(prof, i, &cpus[i]->calls, (uint32_t)(uintptr_t)calls_back);
		cpus[i]->calls.stub = true;
	}
	prof_module_init(prof, frame_free_count() * PAGE / MODULES_SHARE);
	printk("Profiling kernel, textsize=%u [%x..%x]\n", _gmonparam.textsize, _gmonparam.lowpc,
	       _gmonparam.highpc);
	if (!cmdline_is("prof", "boot"))
		return;
	prof_start(prof, PROF_KPROF);
	prof_gmon_start(prof, PROF_GMON_ALL);
}
