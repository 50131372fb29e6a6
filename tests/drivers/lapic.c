/*
 * The local APIC on simulated hardware: what is written to its registers (Intel SDM 3A, chapter
 * 10), at which rate its timer counts (C6), how CPUs are started and interrupted (C11), and whether
 * the timer can interrupt by NMI (C19).
 * Links: drivers/clock/lapic.c tests/drivers/fakes.c
 */
#undef ssize_t
#include <sys/wait.h>
#include <unistd.h>
#include "drivers/bus/acpi.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/tsc.h"
#include "tests/drivers/fakes.h"

/* Table 10-1: where the registers are. */
enum reg {
	ID = 0x20,
	TPR = 0x80,
	EOI = 0xb0,
	SVR = 0xf0,
	IRR = 0x200,
	ESR = 0x280,
	ICR = 0x300,
	ICR_DEST = 0x310,
	LVT_TIMER = 0x320,
	LVT_LINT0 = 0x350,
	LVT_LINT1 = 0x360,
	LVT_ERROR = 0x370,
	TIMER_INIT = 0x380,
	TIMER_NOW = 0x390,
	TIMER_DIVIDE = 0x3e0,
};
#define MASKED 0x10000u
#define NMI 0x400u
#define PENDING 0x1000u /* a message of the ICR is on its way (10.6.1) */
#define UNTOUCHED 0xdeadcafeu

static struct acpi tables;
const struct acpi *const acpi = &tables;
static uint32_t regs[1024];
static uint32_t timer_hz;
static uint64_t base_msr;
static unsigned look = 100; /* ns that a look at the time takes */
static uint64_t tsc, shot, pit; /* when the timers are due; 0: never */
static uint64_t held_up;	/* until when the host runs no timer */
static bool does_nmi, pit_works;
static struct cpu boot_cpu, another = {.lapic = 0x2a};
static unsigned relaxed;	/* how often the CPU waited */
static uint64_t disarmed;	/* when the trial was over */

static uint32_t *reg(enum reg at)
{
	return &regs[at / 4];
}

/* What goes out by the ICR is noted when the CPU looks at the time. */
static struct {
	uint32_t to, command;
	uint64_t at;
} sent;

uint64_t rdtsc(void)
{
	if (*reg(ICR) != UNTOUCHED) {
		sent.to = *reg(ICR_DEST);
		sent.command = *reg(ICR);
		sent.at = tsc;
		*reg(ICR) = UNTOUCHED;
	}
	return tsc += look;
}

uint64_t rdmsr(uint32_t msr)
{
	assert_int_equal(msr, 0x1b); /* IA32_APIC_BASE (10.4.4) */
	return base_msr;
}

void wrmsr(uint32_t msr, uint64_t v)
{
	assert_int_equal(msr, 0x1b);
	base_msr = v;
}

uint64_t tsc_hz(void)
{
	return 1000000000;
}

/* The timer counts down from its most, and the counter that is measured up from 0. */
uint64_t tsc_calibrate(uint32_t (*other)(void))
{
	assert_int_equal(*reg(TIMER_INIT), UINT32_MAX);
	*reg(TIMER_NOW) = UINT32_MAX;
	assert_int_equal(other(), 0);
	*reg(TIMER_NOW) = UINT32_MAX - 62500;
	assert_int_equal(other(), 62500);
	return timer_hz;
}

void *map_device(uint32_t pa, size_t n)
{
	assert_int_equal(pa, 0xfee00000);
	assert_int_equal(n, 0x1000);
	return regs;
}

static void pit_arm(uint32_t cycles)
{
	if (cycles != 100000 || *reg(TIMER_INIT) != 10001)
		_exit(6); /* 100 us, and its own of 10 us and a count stands first */
	pit = tsc + cycles;
}

static void pit_disarm(void)
{
	pit = 0;
	disarmed = tsc;
}

static int pit_deliver(unsigned vector)
{
	if (vector != VEC_PROF)
		_exit(7);
	return 0;
}

static const struct timer other = {.arm = pit_arm, .disarm = pit_disarm, .deliver = pit_deliver};

/* The host runs timers that are due, in their order, as soon as it can. */
static void host(void)
{
	relaxed++;
	if (*reg(TIMER_INIT) != 0) {
		shot = tsc + *reg(TIMER_INIT);
		*reg(TIMER_INIT) = 0;
	}
	if (tsc < held_up) {
		tsc += 10000;
		return;
	}
	if (shot != 0 && shot <= tsc) {
		shot = 0;
		if (does_nmi && *reg(LVT_TIMER) == NMI)
			fake_trap[VEC_NMI](NULL);
	}
	if (pit_works && pit != 0 && pit <= tsc)
		regs[(IRR + VEC_PROF / 32 * 16) / 4] |= 1u << VEC_PROF % 32;
}

/* The third look finds that the message is out. Nobody may come between while it is waited for. */
static void message(void)
{
	assert_int_not_equal(fake_irqs_off, 0);
	if (++relaxed >= 3)
		*reg(ICR) &= ~PENDING;
}

/* A machine with NMIs at that pin, whose timer counts so often, has just been started. */
static void power_on(int lint, uint32_t hz)
{
	tables = (struct acpi){.lapic = 0xfee00000, .nmi_lint = lint};
	for (unsigned i = 0; i < nelem(regs); i++)
		regs[i] = UNTOUCHED;
	*reg(ID) = 0x0b000000;
	base_msr = 0xfee00100;
	timer_hz = hz;
	cpus[0] = &boot_cpu;
	cpus[1] = &another;
	fake_cpu = 0;
	fake_relax = NULL;
	fake_irqs_off = 0;
	fake_log[0] = 0;
	relaxed = 0;
	lapic_init();
}

static void c6_it_is_found_and_told_with_its_rate(void **state)
{
	power_on(-1, 999000000);
	assert_int_equal(base_msr, 0xfee00900); /* enabled, and else as it was */
	assert_int_equal(boot_cpu.lapic, 0x0b);
	assert_int_equal(*reg(TIMER_INIT), 0); /* it stands still */
	assert_true(fake_logged("lapic: id 11 at 0xfee00000, timer 999.000 MHz\n"));
	power_on(-1, 62567890);
	assert_true(fake_logged("timer 62.567 MHz\n"));
}

/* 10.9, 10.5.1 and 10.5.4: enabled, and nothing comes but what is asked for. */
static void a_cpu_begins_with_all_masked(void **state)
{
	power_on(-1, 62500000);
	assert_int_equal(*reg(SVR), 0x1ff);
	assert_int_equal(*reg(LVT_TIMER), MASKED);
	assert_int_equal(*reg(LVT_LINT0), MASKED);
	assert_int_equal(*reg(LVT_LINT1), MASKED);
	assert_int_equal(*reg(LVT_ERROR), MASKED);
	assert_int_equal(*reg(TIMER_DIVIDE), 0xb);
	assert_int_equal(*reg(TPR), 0);
	assert_int_equal(*reg(EOI), 0);
	fake_cpu = 1;
	*reg(ID) = 0x2a000000;
	lapic_start();
	assert_int_equal(another.lapic, 0x2a);
	assert_int_equal(boot_cpu.lapic, 0x0b);
}

/* 10.5.1: delivery mode 100b, bit 13 the polarity, bit 15 the trigger. */
static void the_pin_for_nmis_is_as_the_tables_say(void **state)
{
	power_on(0, 62500000);
	assert_int_equal(*reg(LVT_LINT0), NMI);
	assert_int_equal(*reg(LVT_LINT1), MASKED);
	power_on(1, 62500000);
	assert_int_equal(*reg(LVT_LINT0), MASKED);
	assert_int_equal(*reg(LVT_LINT1), NMI);
	tables.nmi_low = true;
	lapic_start();
	assert_int_equal(*reg(LVT_LINT1), NMI | 0x2000);
	tables.nmi_level = true;
	lapic_start();
	assert_int_equal(*reg(LVT_LINT1), NMI | 0x2000 | 0x8000);
	tables.nmi_low = false;
	lapic_start();
	assert_int_equal(*reg(LVT_LINT1), NMI | 0x8000);
}

static void an_interrupt_is_ended(void **state)
{
	power_on(-1, 62500000);
	*reg(EOI) = UNTOUCHED;
	lapic_eoi();
	assert_int_equal(*reg(EOI), 0);
}

/* Never early: cycles of the TSC come to as many counts, and one more; 0 would stop it (10.5.4). */
static void c6_the_timer_is_armed_for_cycles(void **state)
{
	static const struct {
		uint32_t hz, cycles, counts;
	} cases[] = {
		{62500000, 1600, 101}, {62500000, 1599, 100}, {62500000, 0, 1}, {62500000, 15, 1},
		{62500000, 1000000000, 62500001}, {1000000000, 100, 101}, {4000000000, 100, 401},
	};

	for (unsigned i = 0; i < nelem(cases); i++) {
		power_on(-1, cases[i].hz);
		lapic_timer.arm(cases[i].cycles);
		assert_int_equal(*reg(TIMER_INIT), cases[i].counts);
		lapic_timer.disarm();
		assert_int_equal(*reg(TIMER_INIT), 0);
	}
	assert_true(lapic_timer.percpu);
	assert_string_equal(lapic_timer.name, "lapic");
}

/* Without a trial that found NMIs nothing is delivered as one, and what was chosen stays. */
static void c19_it_interrupts_by_its_vector(void **state)
{
	power_on(-1, 62500000);
	assert_int_equal(lapic_timer.deliver(VEC_PROF), 0);
	assert_int_equal(*reg(LVT_TIMER), VEC_PROF);
	assert_int_equal(lapic_timer.deliver(VEC_NMI), -ENOTSUP);
	assert_int_equal(*reg(LVT_TIMER), VEC_PROF);
}

/* Have the ICR busy, with interrupts off so deep. */
static void busy(uint32_t irqs_off)
{
	*reg(ICR) = PENDING;
	*reg(ICR_DEST) = UNTOUCHED;
	fake_irqs_off = irqs_off;
	fake_relax = message;
	relaxed = 0;
}

/* Check what went out once the ICR was free, and that interrupts are as they were. */
static void assert_sent(uint32_t to, uint32_t command, uint32_t irqs_off)
{
	assert_int_equal(relaxed, 3);
	assert_int_equal(*reg(ICR_DEST), to);
	assert_int_equal(*reg(ICR), command);
	assert_int_equal(fake_irqs_off, irqs_off);
}

/* 10.6.1: the vector, the level, the shorthand for all but itself; the address is in bits 24 on. */
static void c11_cpus_interrupt_each_other(void **state)
{
	power_on(-1, 62500000);
	for (uint32_t off = 0; off < 2; off++) {
		busy(off);
		lapic_ipi(1, VEC_RESCHED);
		assert_sent(0x2a000000, 0x4000 | VEC_RESCHED, off);
		busy(off);
		lapic_ipi_others(VEC_PROF);
		assert_sent(UNTOUCHED, 0xc4000 | VEC_PROF, off);
		busy(off);
		lapic_ipi_others(VEC_NMI);
		assert_sent(UNTOUCHED, 0xc4000 | NMI, off);
	}
}

static void a_delay_is_as_long_as_asked(void **state)
{
	uint64_t begun = tsc;

	lapic_delay(10000);
	assert_in_range(tsc - begun, 10000000, 10000100); /* ns */
}

/* 8.4.4.1: INIT, and by the caller's delay later two messages that say where, 200 us apart. */
static void c11_a_cpu_is_held_and_started(void **state)
{
	power_on(-1, 62500000);
	busy(0);
	lapic_hold_cpu(7);
	assert_sent(0x07000000, 0x4500, 0);
	busy(0);
	lapic_start_cpu(7, 0x8000);
	assert_int_equal(sent.to, 0x07000000);
	assert_int_equal(sent.command, 0x4608);
	assert_in_range(tsc - sent.at, 200000, 200200);
	assert_sent(0x07000000, 0x4608, 0);
}

/* Try it once, in a process of its own: what it finds, and within how many ns after the host. */
static void tried(bool nmi, bool works, uint64_t late, int want, uint64_t most)
{
	int status;

	fflush(stdout);
	if (fork() == 0) {
		does_nmi = nmi;
		pit_works = works;
		power_on(-1, 1000000000);
		memset(regs, 0, sizeof(regs));
		*reg(ESR) = 0x40;
		fake_relax = host;
		held_up = tsc + late;
		if (lapic_try_nmi(&other) != (want == 0) || pit != 0 || disarmed > held_up + most)
			_exit(1);
		if (*reg(LVT_TIMER) != MASKED || *reg(TIMER_INIT) != 0 || *reg(ESR) != 0)
			_exit(2);
		if (lapic_timer.deliver(VEC_NMI) != want)
			_exit(3);
		if (want == 0 && *reg(LVT_TIMER) != NMI)
			_exit(4);
		_exit(want != 0 && *reg(LVT_TIMER) != MASKED ? 5 : 0);
	}
	wait(&status);
	assert_int_equal(status, 0);
}

/* However late the host runs the timers, what is found is true, and soon. */
static void c19_the_trial_is_not_decided_by_the_hosts_load(void **state)
{
	for (uint64_t late = 0; late <= 500000000; late = 3 * late + 100000) {
		tried(true, true, late, 0, 200000);
		tried(false, true, late, -ENOTSUP, 200000);
	}
	tried(true, false, 1000000, 0, 200000);
}

/* Where the other timer does not interrupt, a second decides, and no reading more. */
static void c19_no_machine_is_waited_for_longer_than_a_second(void **state)
{
	look = 10000;
	tried(false, false, 0, -ENOTSUP, 1000000000 + look);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(c6_it_is_found_and_told_with_its_rate),
		cmocka_unit_test(a_cpu_begins_with_all_masked),
		cmocka_unit_test(the_pin_for_nmis_is_as_the_tables_say),
		cmocka_unit_test(an_interrupt_is_ended),
		cmocka_unit_test(c6_the_timer_is_armed_for_cycles),
		cmocka_unit_test(c19_it_interrupts_by_its_vector),
		cmocka_unit_test(c11_cpus_interrupt_each_other),
		cmocka_unit_test(a_delay_is_as_long_as_asked),
		cmocka_unit_test(c11_a_cpu_is_held_and_started),
		cmocka_unit_test(c19_the_trial_is_not_decided_by_the_hosts_load),
		cmocka_unit_test(c19_no_machine_is_waited_for_longer_than_a_second),
	};

	return RUN(tests, NULL, NULL);
}
