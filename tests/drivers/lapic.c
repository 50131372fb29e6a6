/*
 * The local APIC's timer on simulated hardware: whether it can interrupt by NMI (C19).
 * Links: drivers/clock/lapic.c tests/drivers/fakes.c
 */
#undef ssize_t
#include <sys/wait.h>
#include <unistd.h>
#include "drivers/bus/acpi.h"
#include "drivers/clock/lapic.h"
#include "drivers/clock/tsc.h"
#include "tests/drivers/fakes.h"

#define LVT_TIMER 0x320
#define TIMER_INIT 0x380
#define IRR 0x200
#define MASKED 0x10000u
#define NMI 0x400u

static struct acpi tables = {.nmi_lint = -1};
const struct acpi *const acpi = &tables;
static uint32_t regs[1024];
static uint64_t tsc, shot, pit; /* when the timers are due; 0: never */
static uint64_t held_up;	/* until when the host runs no timer */
static bool does_nmi, pit_works;
static struct cpu boot_cpu;

uint64_t rdtsc(void)
{
	return tsc += 100;
}

uint64_t rdmsr(uint32_t msr)
{
	return 0;
}

void wrmsr(uint32_t msr, uint64_t v)
{
}

uint64_t tsc_hz(void)
{
	return 1000000000;
}

uint64_t tsc_calibrate(uint32_t (*other)(void))
{
	return 1000000000;
}

void *map_device(uint32_t pa, size_t n)
{
	return regs;
}

static void pit_arm(uint32_t cycles)
{
	pit = tsc + cycles;
}

static void pit_disarm(void)
{
	pit = 0;
}

static int pit_deliver(unsigned vector)
{
	assert_int_equal(vector, VEC_PROF);
	return 0;
}

static const struct timer other = {.arm = pit_arm, .disarm = pit_disarm, .deliver = pit_deliver};

/* The host runs timers that are due, in their order, as soon as it can. */
static void host(void)
{
	if (regs[TIMER_INIT / 4] != 0) {
		shot = tsc + regs[TIMER_INIT / 4];
		regs[TIMER_INIT / 4] = 0;
	}
	if (tsc < held_up)
		return;
	if (shot != 0 && shot <= tsc) {
		shot = 0;
		if (does_nmi && regs[LVT_TIMER / 4] == NMI)
			fake_trap[VEC_NMI](NULL);
	}
	if (pit_works && pit != 0 && pit <= tsc)
		regs[(IRR + VEC_PROF / 32 * 16) / 4] |= 1u << VEC_PROF % 32;
}

/* Try it once, in a process of its own: what it finds, and within how many ns after the host. */
static void tried(bool nmi, bool works, uint64_t late, int want, uint64_t most)
{
	int status;

	fflush(stdout);
	if (fork() == 0) {
		does_nmi = nmi;
		pit_works = works;
		fake_relax = host;
		cpus[0] = &boot_cpu;
		lapic_init();
		held_up = tsc + late;
		if (lapic_try_nmi(&other) != (want == 0) || pit != 0 || tsc > late + most)
			_exit(1);
		if (lapic_timer.deliver(VEC_NMI) != want)
			_exit(4);
		if (want == 0 && regs[LVT_TIMER / 4] != NMI)
			_exit(2);
		_exit(want != 0 && regs[LVT_TIMER / 4] != MASKED ? 3 : 0);
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
	tried(false, false, 0, -ENOTSUP, 1100000000); /* no machine is waited for longer */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(c19_the_trial_is_not_decided_by_the_hosts_load),
	};

	return RUN(tests, NULL, NULL);
}
