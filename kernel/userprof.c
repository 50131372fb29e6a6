/* From the profiling clock to prof/: the kernel's one set of profilers, and the sample. */
#include "kernel.h"
#include "prof/prof.h"

_Static_assert(PROF_MAXCPU == MAXCPU, "a profiler has cells for each CPU");

static struct prof profilers;
struct prof *const prof = &profilers;
struct mutex prof_lock;

/* What the tick interrupted, in full. */
__attribute__((noinline, no_instrument_function)) static void sample(const struct trapframe *tf)
{
	const struct cpu *c = cpu_self();
	struct prof_sample s = {
		.cpu = (unsigned)c->id,
		.pc = tf->eip,
		.fp = tf->ebp,
		.mode = tf_user(tf) ? PROF_USER
			: c->halted ? PROF_IDLE
				    : PROF_KERNEL,
		.proc = c->proc,
	};

	prof_tick(prof, &s);
}

/*
 * A tick of the profiling clock, for user and kernel profiling alike. From NMI too.
 * Not instrumented, like sample(): its arc's count would be that of the ticks.
 */
__attribute__((no_instrument_function)) void statclock(struct trapframe *tf)
{
	uint32_t on = prof_on(prof);

	if (on & PROF_KPROF)
		kprof_tick(prof, (unsigned)cpu_self()->id, tf->eip, tf_user(tf));
	if (__builtin_expect(on & ~PROF_KPROF, 0))
		sample(tf);
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

	if (!kprof_init(prof, lo, hi, (unsigned)ncpu) || !kmstartup(lo, hi, (unsigned)ncpu))
		panic("no memory for the profilers");
	printk("Profiling kernel, textsize=%u [%x..%x]\n", _gmonparam.textsize, _gmonparam.lowpc,
	       _gmonparam.highpc);
	if (!cmdline_get("prof", word, sizeof(word)) || strcmp(word, "boot") != 0)
		return;
	kprof_start(prof);
	gmon_start(prof);
}
