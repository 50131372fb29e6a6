/*
 * Which timer is the profiling clock, and which one is the system clock. How the former interrupts
 * is chosen in devtab.c, which a kernel without profilers leaves out.
 */
#include "boot/clocks.h"
#include "boot/devtab.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/pit.h"
#include "drivers/clock/turns.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/string.h"

/* Take the timer that the command line names, if it names one. */
static void clocks_choose(const struct timer **t, const char **why)
{
	char source[8];

	if (!cmdline_get("profclock", source, sizeof(source)))
		return;
	if (strcmp(source, "pit") == 0) {
		*t = &pit_timer;
	} else if (strcmp(source, "lapic") == 0) {
		*t = &lapic_timer;
	} else {
		printk("profclock: no source \"%s\": pit or lapic\n", source);
		return;
	}
	*why = "as the command line says";
}

/*
 * Choose the profiling clock's timer: each CPU's own if a trial shows that it can interrupt by
 * NMI, or else the PIT, whose ticks are passed on. profclock=lapic or pit overrides that. The
 * system clock has the CPUs' own timers whenever the profiling clock does not use them.
 */
void clocks_init(void)
{
	const struct timer *t = &pit_timer;
	const char *why = "the lapic cannot deliver by NMI";

	turns_init();
	if (lapic_try_nmi(&pit_timer)) {
		t = &lapic_timer;
		why = "each CPU's own";
	}
	clocks_choose(&t, &why);
	if (ncpu > 1 && !t->percpu)
		printk("profclock: one timer for %u CPUs: most ticks of busy ones are lost if they "
		       "run in turn (-icount)\n", ncpu);
	clock_start(turns_timer(&lapic_timer), &pit_timer);
	profilers_clock(turns_timer(t), why);
}
