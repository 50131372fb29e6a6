/* The 8254 programmable interval timer (82C54 data sheet). */
#include "drivers/clock/pit.h"
#include "drivers/clock/ioapic.h"
#include "kernel/lib.h"
#include "kernel/print.h"

#define PIT_HZ 1193182u
#define PIT_IRQ 0

#define CHANNEL0 0x40
#define CHANNEL2 0x42
#define CONTROL 0x43
#define CONTROL_ONESHOT0 0x30 /* channel 0, both bytes, mode 0: high when the count is over */
#define CONTROL_ONESHOT2 0xb0

/* System control port B: channel 2's gate, the speaker, and the channel's output. */
#define PORT_B 0x61
#define PORT_B_GATE 0x01
#define PORT_B_SPEAKER 0x02
#define PORT_B_OUT 0x20

/* Of each length: 10 ms, then its half, quarter, eighth. */
#define TRIES 5
#define LENGTHS 4
#define CALIBRATE_COUNT (PIT_HZ / 100 & ~7u)

/* Counts are ns * PIT_MULT >> 32, rounded up so that no shot comes early. */
#define PIT_MULT ((uint32_t)(((uint64_t)PIT_HZ << 32) / 1000000000))

UNSEEN static void arm(uint32_t ns)
{
	uint32_t count = (uint32_t)((uint64_t)ns * PIT_MULT >> 32) + 1;

	outb(CHANNEL0, count & 0xff);
	outb(CHANNEL0, count >> 8 & 0xff); /* in mode 0 the new count starts here */
}

static uint32_t cycles_mult; /* counts are TSC cycles * cycles_mult >> 32 */

UNSEEN static void arm_cycles(uint32_t cycles)
{
	uint32_t count = (uint32_t)((uint64_t)cycles * cycles_mult >> 32) + 1;

	outb(CHANNEL0, count & 0xff);
	outb(CHANNEL0, count >> 8 & 0xff);
}

/* A new mode waits for a count. (Emulators may let the old count end all the same, once.) */
static void disarm(void)
{
	outb(CONTROL, CONTROL_ONESHOT0);
}

/* How it interrupts from the next arm() on. */
static int deliver(unsigned vector)
{
	int err = ioapic_route(PIT_IRQ, vector);

	if (err != 0)
		return err;
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

/*
 * TSC counts while channel 2 counts that many of its own. In *doubt: by how much the
 * two ends may be off, being the length of the step in which each was seen.
 */
static uint64_t measure(uint32_t count, uint64_t *doubt)
{
	uint64_t before, start, last, now;
	bool over;

	outb(PORT_B, (inb(PORT_B) & ~PORT_B_SPEAKER) | PORT_B_GATE);
	outb(CONTROL, CONTROL_ONESHOT2);
	outb(CHANNEL2, count & 0xff);
	before = rdtsc();
	outb(CHANNEL2, count >> 8);
	start = now = rdtsc();
	do {
		last = now;
		over = inb(PORT_B) & PORT_B_OUT;
		now = rdtsc();
	} while (!over && now - start < 1ull << 36);
	outb(PORT_B, inb(PORT_B) & ~PORT_B_GATE);
	*doubt = (start - before) + (now - last);
	return now - start;
}

uint64_t pit_round_hz(uint64_t hz)
{
	const uint32_t unit = 10000000;
	uint64_t round = (hz + unit / 2) / unit * unit;
	uint64_t off = hz > round ? hz - round : round - hz;

	return off * 5000 <= hz ? round : hz;
}

/*
 * Measure until nothing seems to have come between. On a busy host an emulator runs for a few
 * milliseconds at a time, and each try begins when its turn does: only a short one ends in it.
 */
static uint64_t measure_tsc_hz(void)
{
	uint64_t ticks, doubt, best = 0, least = UINT64_MAX;
	unsigned i;

	for (i = 0; i < TRIES * LENGTHS && least >= best >> (i < TRIES ? 11 : 8); i++) {
		uint32_t flags = irq_save();

		ticks = measure(CALIBRATE_COUNT >> i / TRIES, &doubt) << i / TRIES;
		irq_restore(flags);
		doubt <<= i / TRIES;
		if (doubt < least) {
			least = doubt;
			best = ticks;
		}
	}
	return pit_round_hz(best * PIT_HZ / CALIBRATE_COUNT);
}

uint64_t pit_calibrate_tsc(void)
{
	static uint64_t hz; /* written once, before there is a second CPU */

	if (hz == 0) {
		hz = measure_tsc_hz();
		cycles_mult = (uint32_t)(((uint64_t)PIT_HZ << 32) / hz);
		printk("pit: irq 0 at pin %u; the TSC counts at %u.%03u MHz\n", ioapic_pin(PIT_IRQ),
		       (uint32_t)(hz / 1000000), (uint32_t)(hz / 1000 % 1000));
	}
	return hz;
}
