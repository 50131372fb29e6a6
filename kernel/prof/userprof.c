/* From the profiling clock to prof/: the kernel's one set of profilers, and the sample. */
#include "kernel/prof/userprof.h"
#include "kernel/cmdline.h"
#include "kernel/image.h"
#include "kernel/lib.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/trap.h"

#define MODULES_SHARE 4 /* modules take at most that part of the memory that is free at first */

_Static_assert(PROF_MAXCPU == MAXCPU, "a profiler has cells for each CPU");

struct prof profilers;
struct prof_gmon_param _gmonparam;
struct prof *const prof = &profilers;
struct mutex prof_lock = {.l.name = "prof"};

/* Not instrumented, like all that a tick calls: every tick would count as a call. */
UNSEEN void statclock_all(const struct trapframe *tf)
{
	prof_tick(&profilers, cpu_id(), tf->eip, statclock_mode(tf), statclock_sample, tf);
}

/*
 * Make the profilers ready, once memory works and %gs is set, and say so as NetBSD
 * does. With prof=boot on the command line kprof and gmon run from here on; their
 * devices hold the clock when it is there.
 */
void userprof_init(void)
{
	char word[8];
	uint32_t lo = (uint32_t)(uintptr_t)ktzero, hi = (uint32_t)(uintptr_t)etext;

	if (!prof_kprof_init(prof, lo, hi, (unsigned)ncpu) ||
	    !prof_gmon_init(prof, lo, hi, (unsigned)ncpu, &_gmonparam) ||
	    !prof_prf_init(prof, (unsigned)ncpu))
		panic("no memory for the profilers");
	prof_stack_init(prof, (unsigned)ncpu, (uint32_t)(uintptr_t)isr_return);
	prof_module_init(prof, frame_free_count() * PAGE / MODULES_SHARE);
	printk("Profiling kernel, textsize=%u [%x..%x]\n", _gmonparam.textsize, _gmonparam.lowpc,
	       _gmonparam.highpc);
	if (!cmdline_get("prof", word, sizeof(word)) || strcmp(word, "boot") != 0)
		return;
	prof_kprof_start(prof);
	prof_gmon_start(prof, PROF_GMON_ALL);
}
