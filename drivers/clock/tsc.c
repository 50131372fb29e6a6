/*
 * Calibration: how fast the time stamp counter counts. The 8254's channel 2, which interrupts
 * nobody, gives the time.
 */
#include "drivers/clock/tsc.h"
#include "drivers/clock/i8254.h"
#include "kernel/i386.h"
#include "kernel/print.h"

/* System control port B: channel 2's gate, the speaker, and the channel's output. */
#define PORT_B 0x61
#define PORT_B_GATE 0x01
#define PORT_B_SPEAKER 0x02
#define PORT_B_OUT 0x20

/* Five tries of each length: 10 ms, then a half, a quarter and an eighth of that. */
#define TRIES 5
#define LENGTHS 4
#define LONGEST (PIT_HZ / 100 & ~7u) /* counts of channel 2 */

/*
 * Return the cycles that pass while channel 2 counts down from count. Set *doubt to how far
 * off that may be: the sum of the two steps in which the start and the end were seen.
 */
static uint64_t measure(uint32_t count, uint64_t *doubt)
{
	uint64_t before, start, last, now;
	bool over;

	outb(PORT_B, (inb(PORT_B) & ~PORT_B_SPEAKER) | PORT_B_GATE);
	outb(PIT_CONTROL, PIT_ONESHOT2);
	outb(PIT_CHANNEL2, count & 0xff);
	before = rdtsc();
	outb(PIT_CHANNEL2, count >> 8);
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

uint64_t tsc_round_hz(uint64_t hz)
{
	const uint32_t unit = 10000000;
	uint64_t round = (hz + unit / 2) / unit * unit;
	uint64_t off = hz > round ? hz - round : round - hz;

	return off * 5000 <= hz ? round : hz;
}

/*
 * Measure until nothing seems to have delayed it. On a busy host an emulator runs for a few
 * milliseconds at a time, and each try begins when its turn does: only a short one ends within
 * that turn. So the tries become shorter, and a short one may be less exact.
 */
static uint64_t measure_hz(void)
{
	uint64_t cycles, doubt, best = 0, least = UINT64_MAX;
	unsigned i;

	for (i = 0; i < TRIES * LENGTHS && least >= best >> (i < TRIES ? 11 : 8); i++) {
		unsigned shorter = i / TRIES;
		uint32_t flags = irq_save();

		cycles = measure(LONGEST >> shorter, &doubt) << shorter;
		irq_restore(flags);
		doubt <<= shorter;
		if (doubt < least) {
			least = doubt;
			best = cycles;
		}
	}
	return tsc_round_hz(best * PIT_HZ / LONGEST);
}

uint64_t tsc_hz(void)
{
	static uint64_t hz; /* written once, before there is a second CPU */

	if (hz == 0) {
		hz = measure_hz();
		printk("tsc: %u.%03u MHz\n", (uint32_t)(hz / 1000000),
		       (uint32_t)(hz / 1000 % 1000));
	}
	return hz;
}
