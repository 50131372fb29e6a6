/*
 * Calibration: how fast the time stamp counter counts, and another counter. The ACPI timer gives
 * the time, and the 8254's channel 2, which interrupts nobody, confirms it; both go on counting
 * whatever holds this processor up. Each is read between two readings of the TSC, and the narrowest
 * of many such pairs is taken, at both ends of some 2 ms. So it does no harm to be held up in
 * between, and the busy host of an emulator seldom spoils all the readings at one end. If even the
 * narrowest pairs are wide, everything is measured again over a longer time.
 */
#include "drivers/clock/tsc.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/i8254.h"

/* System control port B: channel 2's gate, and the speaker. */
#define PORT_B 0x61
#define PORT_B_GATE 0x01
#define PORT_B_SPEAKER 0x02

#define PM_HZ 3579545u /* ACPI 4.8.2.1 */

#define HYPERVISOR 0x80000000u /* CPUID leaf 1, ecx */

#define READINGS 20
#define TRIES 7
/* Counts between the ends at first, and at most, 9 or 27 ms: less than the 8254's 16 bits. */
#define SHORT 8192u
#define LONG 32768u
#define LONGEST (1ull << 32) /* cycles; a counter that is not done by then does not count */

/* What a counter that counts up at hz, if that is known, says at the ends. */
struct counter {
	const char *name;
	uint32_t (*read)(void);
	uint32_t hz, mask;
	struct reading {
		uint64_t tsc, width; /* in the middle of the pair, and how wide that is */
		uint32_t count;
	} start, end;
};

static uint64_t hz_measured; /* set by tsc_calibrate() */

static uint32_t tsc_read_pm(void)
{
	return inl(acpi->pm_timer);
}

static uint32_t tsc_read_pit(void)
{
	outb(PIT_CONTROL, PIT_LATCH2);
	uint32_t low = inb(PIT_CHANNEL2);
	return UINT16_MAX - (low | (uint32_t)inb(PIT_CHANNEL2) << 8);
}

/* Have channel 2 count down from its most, again and again. */
static void tsc_start_pit(void)
{
	outb(PORT_B, (inb(PORT_B) & ~PORT_B_SPEAKER) | PORT_B_GATE);
	outb(PIT_CONTROL, PIT_ONESHOT2);
	outb(PIT_CHANNEL2, 0xff);
	outb(PIT_CHANNEL2, 0xff);
}

static struct reading tsc_narrowest(uint32_t (*read)(void))
{
	struct reading best = {.width = UINT64_MAX};

	for (unsigned i = 0; i < READINGS; i++) {
		uint64_t before = rdtsc();
		uint32_t count = read();
		uint64_t width = rdtsc() - before;
		if (width < best.width)
			best = (struct reading){before + width / 2, width, count};
	}
	return best;
}

static uint64_t tsc_cycles(const struct counter *c)
{
	return c->end.tsc - c->start.tsc;
}

static uint32_t tsc_counts(const struct counter *c)
{
	return (c->end.count - c->start.count) & c->mask;
}

/*
 * Return whether what c counted is within 0.1 % of what it should have, at that rate of the TSC; it
 * is not if the rate is 0, for not known.
 */
static bool tsc_agrees(const struct counter *c, uint64_t tsc_hz)
{
	if (tsc_hz == 0)
		return false;
	uint64_t want = tsc_cycles(c) * c->hz / tsc_hz;
	uint32_t off = ((uint32_t)want - tsc_counts(c)) & c->mask;

	if (off > c->mask / 2)
		off = c->mask + 1 - off;
	return off <= want / 1000 + 2;
}

/* Read n counters before and after `window' counts of the first; return whether each exactly. */
static bool tsc_measure(struct counter *c, unsigned n, uint32_t window)
{
	uint32_t flags = irq_save();
	bool good = true;

	for (unsigned i = 0; i < n; i++)
		c[i].start = tsc_narrowest(c[i].read);
	while (((c[0].read() - c[0].start.count) & c[0].mask) < window &&
	       rdtsc() - c[0].start.tsc < LONGEST)
		;
	for (unsigned i = 0; i < n; i++) {
		c[i].end = tsc_narrowest(c[i].read);
		good &= c[i].start.width + c[i].end.width < tsc_cycles(&c[i]) >> 11;
	}
	irq_restore(flags);
	return good;
}

uint64_t tsc_round_hz(uint64_t hz)
{
	const uint32_t unit = 10000000;
	uint64_t round = (hz + unit / 2) / unit * unit, off = round - hz;

	if (hz > round)
		off = hz - round;
	if (off * 5000 <= hz)
		return round;
	return hz;
}

/* Return what the processor or a hypervisor says the rate is, to some 0.1 %, or 0. */
static uint64_t tsc_told_hz(void)
{
	struct cpuid r = cpuid(0x15);
	uint64_t hz = 0;

	if (r.eax != 0)
		hz = (uint64_t)r.ecx * r.ebx / r.eax;
	if (hz == 0 && cpuid(1).ecx & HYPERVISOR)
		hz = cpuid(0x40000010).eax * 1000ull;
	if (hz == 0)
		hz = cpuid(0x16).eax * 1000000ull;
	return hz;
}

/* The ACPI timer, or else the 8254, measures; the 8254 and what CPUID says confirm it. */
uint64_t tsc_calibrate(uint32_t (*other)(void))
{
	struct counter c[] = {
		{.name = "ACPI timer", .read = tsc_read_pm, .hz = PM_HZ, .mask = 0xffffff},
		{.name = "8254", .read = tsc_read_pit, .hz = PIT_HZ, .mask = 0xffff},
		{.read = other, .mask = UINT32_MAX},
	}, *first = c;
	uint64_t hz = 0, told = tsc_told_hz();
	bool agreed = false;

	if (!acpi->pm_timer)
		first = &c[1];
	tsc_start_pit();
	for (unsigned i = 0, window = SHORT; i < TRIES && !agreed; i++) {
		bool good = tsc_measure(first, (unsigned)(&c[nelem(c)] - first), window);
		if (tsc_counts(first) < window) {
			first = &c[1]; /* there is no ACPI timer at that port */
			continue;
		}
		hz = tsc_cycles(first) * first->hz / tsc_counts(first);
		agreed = good && (tsc_agrees(&c[1], hz) || tsc_agrees(first, told));
		if (window < LONG)
			window *= 2;
	}
	if (hz == 0)
		lacking("no clock that counts: neither the ACPI timer nor the 8254 does");
	outb(PORT_B, inb(PORT_B) & ~PORT_B_GATE);
	if (!agreed)
		printk("tsc: no two clocks agree about its rate: time is by the %s\n", first->name);
	hz_measured = tsc_round_hz(hz);
	printk("tsc: %u.%03u MHz\n", (uint32_t)(hz_measured / 1000000),
	       (uint32_t)(hz_measured / 1000 % 1000));
	return tsc_round_hz(tsc_counts(&c[2]) * hz_measured / tsc_cycles(&c[2]));
}

uint64_t tsc_hz(void)
{
	return hz_measured;
}
