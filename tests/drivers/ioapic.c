/*
 * The I/O APIC and the 8254 as a timer (C6, C19), on simulated hardware: which pin an interrupt
 * arrives at, how it is told to the CPU, and for how long the timer is armed. Of the I/O APIC's
 * registers the one that was written last is seen.
 * Links: drivers/clock/ioapic.c drivers/clock/pit.c tests/drivers/fakes.c
 */
#include "tests/drivers/fakes.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/i8254.h"
#include "drivers/clock/ioapic.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/pit.h"
#include "drivers/clock/tsc.h"
#include "kernel/abi/errno.h"

#define NPIN 24
#define MASKED 0x10000u

static struct acpi tables;
const struct acpi *const acpi = &tables;
static struct cpu boot_cpu = {.lapic = 5};
static uint32_t regs[8]; /* [0] selects, [4] is the window */
static uint64_t hz = 1000000000;
static struct {
	uint16_t port;
	uint8_t v;
} out[40];
static unsigned nout;

void outb(uint16_t port, uint8_t v)
{
	assert_true(nout < nelem(out));
	out[nout].port = port;
	out[nout++].v = v;
}

uint8_t inb(uint16_t port)
{
	fail_msg("nothing is read");
	return 0;
}

void *map_device(uint32_t pa, size_t n)
{
	assert_int_equal(pa, 0xfec00000);
	assert_int_equal(n, 0x20);
	return regs;
}

uint64_t tsc_hz(void)
{
	return hz;
}

void lapic_eoi(void)
{
}

void lapic_ipi(unsigned cpu, unsigned vector)
{
}

void lapic_ipi_others(unsigned vector)
{
}

static int power_on(void **state)
{
	tables = (struct acpi){.ioapic = 0xfec00000};
	for (unsigned i = 0; i < NISA; i++)
		tables.isa[i].gsi = i;
	cpus[0] = &boot_cpu;
	memset(regs, 0, sizeof(regs));
	regs[4] = (NPIN - 1) << 16 | 0x11;
	nout = 0;
	ioapic_init();
	return 0;
}

/* Check what was written last: the low half of a pin's register. */
static void assert_route(unsigned pin, uint32_t low)
{
	assert_int_equal(regs[0], 0x10 + 2 * pin);
	assert_int_equal(regs[4], low);
}

/* Both 8259s are told vectors that are no exceptions', and then to be silent. */
static void it_begins_with_all_masked(void **state)
{
	static const uint8_t wanted[][2] = {
		{0x20, 0x11}, {0x21, 0x20}, {0x21, 4}, {0x21, 1}, {0xa0, 0x11}, {0xa1, 0x28},
		{0xa1, 2}, {0xa1, 1}, {0x21, 0xff}, {0xa1, 0xff},
	};

	assert_int_equal(nout, nelem(wanted));
	for (unsigned i = 0; i < nout; i++) {
		assert_int_equal(out[i].port, wanted[i][0]);
		assert_int_equal(out[i].v, wanted[i][1]);
	}
	assert_route(NPIN - 1, MASKED);
	assert_true(fake_logged("ioapic0: 24 pins at 0xfec00000"));
}

static void an_isa_interrupt_is_as_the_tables_say(void **state)
{
	assert_int_equal(ioapic_route(4, 0x34), 0);
	assert_route(4, 0x34);
	tables.isa[0] = (struct acpi_isa){.gsi = 2};
	assert_int_equal(ioapic_route(0, 0x50), 0);
	assert_route(2, 0x50);
	tables.isa[9] = (struct acpi_isa){.gsi = 9, .low = true, .level = true};
	assert_int_equal(ioapic_route(9, 0x39), 0);
	assert_route(9, 0x39 | 0x2000 | 0x8000);
	tables.isa[9].low = false;
	assert_int_equal(ioapic_route(9, 0x39), 0);
	assert_route(9, 0x39 | 0x8000);
	tables.isa[9] = (struct acpi_isa){.gsi = 9, .low = true};
	assert_int_equal(ioapic_route(9, 0x39), 0);
	assert_route(9, 0x39 | 0x2000);
}

/* Those beyond ISA's are active low and level-triggered; ISA's are that PCI's router leads to. */
static void pci_s_are_levels(void **state)
{
	assert_int_equal(ioapic_route(16, 0x40), 0);
	assert_route(16, 0x40 | 0x2000 | 0x8000);
	assert_int_equal(ioapic_route(15, 0x3f), 0);
	assert_route(15, 0x3f);
	ioapic_level(11);
	ioapic_level(16);
	ioapic_level(40); /* no number of an ISA interrupt */
	assert_int_equal(ioapic_route(11, 0x3b), 0);
	assert_route(11, 0x3b | 0x8000);
	assert_int_equal(ioapic_route(8, 0x38), 0);
	assert_route(8, 0x38);
}

static void an_nmi_is_an_edge(void **state)
{
	tables.isa[0] = (struct acpi_isa){.gsi = 2, .low = true, .level = true};
	assert_int_equal(ioapic_route(0, VEC_NMI), 0);
	assert_route(2, 0x400 | 0x2000);
}

/* Another I/O APIC has those before its first pin, and after its last. */
static void only_its_own_pins_are_routed(void **state)
{
	assert_int_equal(ioapic_route(NPIN - 1, 0x47), 0);
	regs[0] = 99;
	assert_int_equal(ioapic_route(NPIN, 0x48), -ENOTSUP);
	assert_int_equal(regs[0], 99);
	tables.ioapic_gsi = 8;
	assert_int_equal(ioapic_route(7, 0x37), -ENOTSUP);
	assert_int_equal(regs[0], 99);
	assert_int_equal(ioapic_route(NPIN + 7, 0x4f), 0);
	assert_route(NPIN - 1, 0x4f | 0x2000 | 0x8000);
	apic_chip.enable(7, 0x37);
	assert_true(fake_logged("ioapic0: irq 7 has no pin"));
	apic_chip.enable(8, 0x38);
	assert_route(0, 0x38);
}

/* Return the count that the timer was last given. */
static uint32_t counted(void)
{
	assert_int_equal(nout, 2);
	assert_int_equal(out[0].port, PIT_CHANNEL0);
	assert_int_equal(out[1].port, PIT_CHANNEL0);
	nout = 0;
	return out[0].v | (uint32_t)out[1].v << 8;
}

/* No shot comes early: it is a count more, and a count less at most than the next whole one. */
static void shots_come_no_earlier(void **state)
{
	static const uint64_t rates[] = {100000000, 1000000000, 3579545000, 5000000000};

	for (unsigned i = 0; i < nelem(rates); i++) {
		hz = rates[i];
		nout = 0;
		assert_int_equal(pit_timer.deliver(0x50), 0);
		assert_route(0, 0x50);
		assert_int_equal(nout, 1);
		assert_int_equal(out[0].port, PIT_CONTROL);
		assert_int_equal(out[0].v, PIT_ONESHOT0);
		for (uint32_t us = 1; us <= pit_timer.max_ns / 1000; us += us) {
			uint64_t cycles = us * hz / 1000000;

			if (cycles > UINT32_MAX)
				break;
			nout = 0;
			pit_timer.arm((uint32_t)cycles);
			assert_in_range(counted(), cycles * PIT_HZ / hz,
					cycles * PIT_HZ / hz + 1);
		}
		pit_timer.arm(0);
		assert_int_equal(counted(), 1);
	}
	assert_true((uint64_t)pit_timer.max_ns * PIT_HZ / 1000000000 < 65535);
	pit_timer.disarm();
	assert_int_equal(nout, 1);
	assert_int_equal(out[0].v, PIT_ONESHOT0);
	assert_false(pit_timer.percpu);
}

/* Where no device is, all bits read as 0 or as 1: the machine lacks one, and that is said. */
static void a_machine_without_one(void **state)
{
	static const uint32_t nothing[] = {0, UINT32_MAX};
	jmp_buf gone;

	for (volatile unsigned i = 0; i < nelem(nothing); i++) {
		regs[4] = nothing[i];
		nout = 0;
		fake_lacking = &gone;
		if (setjmp(gone) == 0) {
			ioapic_init();
			fail_msg("nothing is lacking");
		}
		fake_lacking = NULL;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(it_begins_with_all_masked, power_on),
		cmocka_unit_test_setup(an_isa_interrupt_is_as_the_tables_say, power_on),
		cmocka_unit_test_setup(pci_s_are_levels, power_on),
		cmocka_unit_test_setup(an_nmi_is_an_edge, power_on),
		cmocka_unit_test_setup(only_its_own_pins_are_routed, power_on),
		cmocka_unit_test_setup(a_machine_without_one, power_on),
		cmocka_unit_test_setup(shots_come_no_earlier, power_on),
	};

	return RUN(tests, NULL, NULL);
}
