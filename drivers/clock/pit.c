/* The 8254's channel 0 as a timer: one-shots that interrupt CPU 0. */
#include "drivers/clock/pit.h"
#include "drivers/clock/i8254.h"
#include "drivers/clock/ioapic.h"
#include "drivers/clock/tsc.h"

#define PIT_IRQ 0

/* Counts are TSC cycles * cycles_mult >> 32; constant after the first pit_deliver(). */
static uint32_t cycles_mult;

/* One count more, so that no shot comes early. In mode 0 the high byte starts it. */
UNSEEN static void pit_arm(uint32_t cycles)
{
	uint32_t count = (uint32_t)((uint64_t)cycles * cycles_mult >> 32) + 1;

	outb(PIT_CHANNEL0, count & 0xff);
	outb(PIT_CHANNEL0, count >> 8 & 0xff);
}

/* A new mode waits for a count. (Emulators may let the old count end all the same, once.) */
UNSEEN static void pit_disarm(void)
{
	outb(PIT_CONTROL, PIT_ONESHOT0);
}

/* Choose how the timer interrupts from the next pit_arm() on. */
static int pit_deliver(unsigned vector)
{
	cycles_mult = (uint32_t)(((uint64_t)PIT_HZ << 32) / tsc_hz());
	pit_disarm();
	return ioapic_route(PIT_IRQ, vector);
}

const struct timer pit_timer = {
	.name = "pit", .max_ns = 54000000, .arm = pit_arm, .disarm = pit_disarm,
	.deliver = pit_deliver,
};
