/*
 * The calibration of the cycle counter (C6) on a machine where each reading is exact: an access
 * waits for the ACPI timer's next count, and its way back takes as long as its way there. So rates
 * are known to the cycle. What a busy host does to it is in clocks.c.
 * Links: drivers/clock/tsc.c tests/drivers/fakes.c
 */
#include "tests/drivers/fakes.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/tsc.h"

#define PM_PORT 0x608
#define PM_RATE 3579545u /* ACPI 4.8.2.1 */
#define PIT_RATE 1193182.0
#define PERIOD 1010 /* cycles each count of the ACPI timer */
#define RATE ((uint64_t)PERIOD * PM_RATE)
#define SHORT 8192u /* counts of the shortest measurement */
#define DEAD 1000000 /* cycles for a port where nothing is */

static struct acpi tables;
const struct acpi *const acpi = &tables;
static struct {
	unsigned period; /* as PERIOD */
	unsigned slow;	 /* further counts that each way of an access takes */
	uint64_t tsc;
	uint64_t later;	 /* from then on all comes a tenth of a count later; 0: never */
	bool pm_counts, pit_counts;
	double pit_rate;
	struct cpuid leaf1, leaf15, leaf16, hypervisor;
} machine;
static uint8_t port_b; /* 61h: bit 0 is channel 2's gate, bit 1 the speaker's */
static struct {
	uint8_t control;
	unsigned nload, nread;
	uint8_t load[2];
	uint64_t begun; /* when the count was loaded */
	uint32_t latch;
} pit;

uint64_t rdtsc(void)
{
	return machine.tsc;
}

/* Time passes; return when, in counts of the ACPI timer, what is accessed says what it says. */
static uint64_t access_counter(void)
{
	uint64_t way;

	assert_int_not_equal(fake_irqs_off, 0);
	if (machine.later != 0 && machine.tsc > machine.later) {
		machine.tsc += machine.period / 10;
		machine.later = 0;
	}
	way = machine.period - machine.tsc % machine.period + machine.slow * machine.period;
	machine.tsc += 2 * way;
	return (machine.tsc - way) / machine.period;
}

uint32_t inl(uint16_t port)
{
	uint64_t count = access_counter();

	if (port == PM_PORT && machine.pm_counts)
		return (uint32_t)count & 0xffffff;
	machine.tsc += DEAD;
	return UINT32_MAX;
}

/* Ten counts each of the ACPI timer's. */
static uint32_t other_count(void)
{
	return (uint32_t)access_counter() * 10;
}

/* Mode 0 counts down from what was loaded, and then from its most, while the gate is open. */
static void pit_latch(void)
{
	double now = (double)access_counter() - (double)pit.begun;
	bool works = machine.pit_counts && pit.control == 0xb0 && pit.nload == 2 && port_b & 1;

	pit.nread = 0;
	pit.latch = 0;
	if (works)
		pit.latch = pit.load[0] + pit.load[1] * 256u -
			    (uint32_t)(now * machine.pit_rate / PM_RATE);
	else
		machine.tsc += DEAD;
}

void outb(uint16_t port, uint8_t v)
{
	if (port == 0x61) {
		port_b = v;
	} else if (port == 0x43 && v == 0x80) {
		pit_latch();
	} else if (port == 0x43) {
		pit.control = v;
		pit.nload = 0;
	} else {
		assert_int_equal(port, 0x42);
		assert_in_range(pit.nload, 0, 1);
		pit.load[pit.nload++] = v;
		pit.begun = machine.tsc / machine.period;
	}
}

uint8_t inb(uint16_t port)
{
	if (port == 0x61)
		return port_b;
	assert_int_equal(port, 0x42);
	return (uint8_t)(pit.latch >> (8 * (pit.nread++ & 1)));
}

struct cpuid cpuid(uint32_t leaf)
{
	switch (leaf) {
	case 1:
		return machine.leaf1;
	case 0x15:
		return machine.leaf15;
	case 0x16:
		return machine.leaf16;
	default:
		assert_int_equal(leaf, 0x40000010);
		return machine.hypervisor;
	}
}

/* All works, and CPUID says nothing. */
static void power_on(void)
{
	memset(&machine, 0, sizeof(machine));
	memset(&pit, 0, sizeof(pit));
	machine.period = PERIOD;
	machine.tsc = 1000000 * PERIOD + 700;
	machine.pm_counts = machine.pit_counts = true;
	machine.pit_rate = PIT_RATE;
	tables.pm_timer = PM_PORT;
	port_b = 0x72;
	fake_irqs_off = 0;
	fake_log[0] = 0;
}

/* Calibrate; return how many counts of the ACPI timer that took. */
static uint64_t calibrate(uint64_t *other)
{
	uint64_t begun = machine.tsc;

	*other = tsc_calibrate(other_count);
	return (machine.tsc - begun) / machine.period;
}

static void c6_the_acpi_timer_gives_the_rate(void **state)
{
	uint64_t other;

	power_on();
	assert_in_range(calibrate(&other), SHORT, SHORT + 200); /* 2 ms, and the readings */
	assert_int_equal(tsc_hz(), RATE);
	assert_int_equal(other, 10 * PM_RATE);
	assert_true(fake_logged("tsc: 3615.340 MHz\n"));
	assert_int_equal(fake_irqs_off, 0);
}

/* The speaker is silent, the gate is open for as long as it takes, and the rest as it was. */
static void c6_the_8254_counts_for_so_long_only(void **state)
{
	uint64_t other;

	power_on();
	calibrate(&other);
	assert_int_equal(port_b, 0x70);
	assert_int_equal(pit.control, 0xb0);
	assert_int_equal(pit.load[0], 0xff);
	assert_int_equal(pit.load[1], 0xff);
}

/* Where the readings at the end take less time, their middle is still the moment that counts. */
static void c6_a_reading_is_of_its_middle(void **state)
{
	uint64_t other;

	power_on();
	machine.later = machine.tsc + 4000 * PERIOD;
	calibrate(&other);
	assert_int_equal(machine.later, 0);
	assert_int_equal(tsc_hz(), RATE);
	assert_int_equal(other, 10 * PM_RATE);
}

/* A rate that is nearly round is round; the other counter's is by that one. */
static void c6_a_round_rate_is_told(void **state)
{
	uint64_t other;

	power_on();
	machine.period = 1000;
	calibrate(&other);
	assert_int_equal(tsc_hz(), 3580000000);
	assert_int_equal(other, 35800000);
	assert_true(fake_logged("tsc: 3580.000 MHz\n"));
}

/* Slow accesses are measured again over a longer time, until they are 0.05 % of it, or 7 times. */
static void c6_what_is_not_exact_takes_longer(void **state)
{
	static const struct {
		unsigned slow, counts;
		bool agrees;
	} cases[] = {
		{1, SHORT + 2 * SHORT, true},
		{2, SHORT + 2 * SHORT + 4 * SHORT, true},
		{3, SHORT + 2 * SHORT + 4 * SHORT, true},
		{4, SHORT + 2 * SHORT + 5 * 4 * SHORT, false},
	};
	uint64_t other, took;

	for (unsigned i = 0; i < nelem(cases); i++) {
		power_on();
		machine.slow = cases[i].slow;
		took = calibrate(&other);
		assert_in_range(took, cases[i].counts, cases[i].counts + SHORT);
		assert_int_equal(tsc_hz(), RATE);
		assert_int_equal(fake_logged("no two clocks agree"), !cases[i].agrees);
	}
}

/* Without the ACPI timer, or where nothing counts at its port after 2^32 cycles, it is the 8254. */
static void c6_without_the_acpi_timer_the_8254_gives_the_rate(void **state)
{
	uint64_t other, took;

	for (unsigned nothing = 0; nothing < 2; nothing++) {
		power_on();
		if (nothing)
			tables.pm_timer = PM_PORT + 8;
		else
			tables.pm_timer = 0;
		took = calibrate(&other);
		assert_in_range(took, 3 * SHORT,
				(nothing ? (1ull << 32) / PERIOD : 0) + 10 * SHORT);
		assert_in_range(tsc_hz(), RATE - RATE / 1000, RATE + RATE / 1000);
		assert_in_range(other, 10 * PM_RATE - PM_RATE / 100, 10 * PM_RATE + PM_RATE / 100);
		assert_false(fake_logged("no two clocks agree"));
	}
	power_on();
	tables.pm_timer = 0;
	machine.slow = 20;
	calibrate(&other);
	assert_true(fake_logged("no two clocks agree about its rate: time is by the 8254\n"));
}

static void b12_a_machine_without_a_clock_is_told(void **state)
{
	jmp_buf gone;
	uint64_t other;

	power_on();
	machine.pm_counts = machine.pit_counts = false;
	fake_lacking = &gone;
	if (setjmp(gone) == 0) {
		calibrate(&other);
		fail_msg("it has none");
	}
	fake_lacking = NULL;
	assert_true(fake_logged("no clock that counts: neither the ACPI timer nor the 8254 does"));
}

/* An 8254 that is off by less than 0.1 % confirms it, fast or slow; by 0.2 % it does not. */
static void c6_the_8254_confirms(void **state)
{
	static const struct {
		double rate;
		bool agrees;
	} cases[] = {
		{1.0009, true}, {0.9991, true}, {1.002, false}, {0.998, false}, {2, false},
	};
	uint64_t other;

	for (unsigned i = 0; i < nelem(cases); i++) {
		power_on();
		machine.pit_rate = PIT_RATE * cases[i].rate;
		calibrate(&other);
		assert_int_equal(tsc_hz(), RATE);
		assert_int_equal(fake_logged("no two clocks agree about its rate: time is by the "
					     "ACPI timer\n"), !cases[i].agrees);
	}
}

#define CLOSE (RATE + RATE / 2000) /* 0.05 % off: as what CPUID says may be */
#define HYPERVISOR .leaf1 = {.ecx = 0x80000000}
#define SAYS_MHZ .leaf16 = {.eax = CLOSE / 1000000}
#define SAYS_KHZ .hypervisor = {.eax = CLOSE / 1000}

/*
 * So does CPUID: leaf 15h, the crystal's rate times EBX / EAX, if all three are there; or the
 * hypervisor's kHz, if there is one; or leaf 16h, MHz. The first that says one is asked alone.
 */
static void c6_cpuid_confirms(void **state)
{
	static const struct {
		struct cpuid leaf1, leaf15, leaf16, hypervisor;
		bool agrees;
	} cases[] = {
		{.leaf15 = {.eax = 2, .ebx = 200, .ecx = CLOSE / 100}, .agrees = true},
		{.leaf15 = {.eax = 1, .ebx = 1, .ecx = CLOSE}, .agrees = true},
		{.leaf15 = {.eax = 2, .ebx = 200, .ecx = CLOSE / 90}, HYPERVISOR, SAYS_KHZ,
		 SAYS_MHZ},
		{.leaf15 = {.eax = 0, .ebx = 200, .ecx = 1}, SAYS_MHZ, .agrees = true},
		{.leaf15 = {.eax = 2, .ebx = 0, .ecx = 1}, SAYS_MHZ, .agrees = true},
		{.leaf15 = {.eax = 2, .ebx = 200, .ecx = 0}, SAYS_MHZ, .agrees = true},
		{HYPERVISOR, SAYS_KHZ, .agrees = true},
		{HYPERVISOR, SAYS_KHZ, .leaf16 = {.eax = 1000}, .agrees = true},
		{HYPERVISOR, .hypervisor = {.eax = 1000000}, SAYS_MHZ},
		{HYPERVISOR, SAYS_MHZ, .agrees = true},
		{.hypervisor = {.eax = 1000000}, SAYS_MHZ, .agrees = true}, /* no hypervisor's */
		{SAYS_KHZ, .agrees = false},
		{.leaf16 = {.eax = 3000}, .agrees = false},
	};
	uint64_t other;

	for (unsigned i = 0; i < nelem(cases); i++) {
		power_on();
		machine.pit_rate = 2 * PIT_RATE;
		machine.leaf1 = cases[i].leaf1;
		machine.leaf15 = cases[i].leaf15;
		machine.leaf16 = cases[i].leaf16;
		machine.hypervisor = cases[i].hypervisor;
		calibrate(&other);
		assert_int_equal(tsc_hz(), RATE);
		if (fake_logged("no two clocks agree") == cases[i].agrees)
			fail_msg("case %u", i);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(c6_the_acpi_timer_gives_the_rate),
		cmocka_unit_test(c6_the_8254_counts_for_so_long_only),
		cmocka_unit_test(c6_a_reading_is_of_its_middle),
		cmocka_unit_test(c6_a_round_rate_is_told),
		cmocka_unit_test(c6_what_is_not_exact_takes_longer),
		cmocka_unit_test(c6_without_the_acpi_timer_the_8254_gives_the_rate),
		cmocka_unit_test(b12_a_machine_without_a_clock_is_told),
		cmocka_unit_test(c6_the_8254_confirms),
		cmocka_unit_test(c6_cpuid_confirms),
	};

	return RUN(tests, NULL, NULL);
}
