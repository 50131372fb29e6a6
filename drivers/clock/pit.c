/* The 8254's channel 0 as a timer: one-shots that interrupt CPU 0. */
#include "drivers/clock/pit.h"
#include "drivers/clock/i8254.h"
#include "drivers/clock/ioapic.h"
#include "drivers/clock/tsc.h"
#include "kernel/i386.h"
#include "kernel/lib.h"

#define PIT_IRQ 0

/* Counts are ns * NS_MULT >> 32, plus one so that no shot comes early. */
#define NS_MULT ((uint32_t)(((uint64_t)PIT_HZ << 32) / 1000000000))

static uint32_t cycles_mult; /* the same for TSC cycles; constant after the first deliver() */

/* In mode 0 the new count starts with its high byte. */
UNSEEN static inline void load(uint32_t count)
{
	outb(PIT_CHANNEL0, count & 0xff);
	outb(PIT_CHANNEL0, count >> 8 & 0xff);
}

UNSEEN static void arm(uint32_t ns)
{
	load((uint32_t)((uint64_t)ns * NS_MULT >> 32) + 1);
}

UNSEEN static void arm_cycles(uint32_t cycles)
{
	load((uint32_t)((uint64_t)cycles * cycles_mult >> 32) + 1);
}

/* A new mode waits for a count. (Emulators may let the old count end all the same, once.) */
static void disarm(void)
{
	outb(PIT_CONTROL, PIT_ONESHOT0);
}

/* Choose how the timer interrupts from the next arm() on. */
static int deliver(unsigned vector)
{
	int err = ioapic_route(PIT_IRQ, vector);

	if (err != 0)
		return err;
	cycles_mult = (uint32_t)(((uint64_t)PIT_HZ << 32) / tsc_hz());
	disarm();
	ioapic_mask(PIT_IRQ, false);
	return 0;
}

const struct timer pit_timer = {
	.name = "pit",
	.max_ns = 54000000,
	.percpu = false,
	.arm = arm,
	.arm_cycles = arm_cycles,
	.disarm = disarm,
	.deliver = deliver,
};
