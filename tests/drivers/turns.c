/*
 * CPUs that an emulator runs in turn, and those of which that is not so (C17, C18).
 * Links: drivers/clock/turns.c tests/drivers/fakes.c
 */
#include <stdio.h>
#include "drivers/bus/acpi.h"
#include "drivers/clock/turns.h"
#include "drivers/clock/tsc.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/smp.h"
#include "kernel/sched/idle.h"
#include "tests/drivers/fakes.h"

#define CONFIG 0x010
#define END_TURN 0x108
#define BEAT_CONFIG 0x120
#define BEAT_AT 0x128

static struct acpi tables = {.hpet = 0xfed00000};
const struct acpi *const acpi = &tables;
static uint32_t regs[0x400 / 4];
static uint64_t tsc;
static uint32_t jitter; /* how much the time that equal work takes varies, if it does */
static bool emulated;
static const char *word; /* the command line's turns=, or NULL */
static unsigned armed;
static uint32_t cycles;

/* Time passes by equal steps when instructions are counted. */
uint64_t rdtsc(void)
{
	static uint32_t random = 1;

	random = random * 1664525 + 1013904223;
	return tsc += 800 + (jitter ? (random >> 8) % jitter : 0);
}

struct cpuid cpuid(uint32_t leaf)
{
	assert_int_equal(leaf, 0x40000000);
	if (emulated)
		return (struct cpuid){.ebx = 0x54474354, .ecx = 0x43544743, .edx = 0x47435447};
	return (struct cpuid){.ebx = 0x4b4d564b, .ecx = 0x564b4d56, .edx = 0x4d}; /* KVM */
}

uint64_t tsc_hz(void)
{
	return 1000000000;
}

bool cmdline_get(const char *key, char *value, size_t size)
{
	assert_string_equal(key, "turns");
	if (word)
		snprintf(value, size, "%s", word);
	return word;
}

void (*smp_turn)(void);
uint32_t idle_cpus[IDLE_WORDS];

void *map_device(uint32_t pa, size_t n)
{
	assert_int_equal(pa, 0xfed00000);
	assert_true(n <= sizeof(regs));
	return regs;
}

static void arm(uint32_t n)
{
	armed++;
	cycles = n;
}

static const struct timer own = {.name = "own", .percpu = true, .arm = arm};
static const struct timer shared = {.name = "shared", .arm = arm};

static uint32_t reg(unsigned at)
{
	return regs[at / 4];
}

/* Whether arming that timer on a CPU ends its turn, `later` ns after what was before. */
static bool ends_turn(const struct timer *t, unsigned cpu, uint32_t later)
{
	unsigned before = armed;

	tsc += later;
	regs[END_TURN / 4] = 1;
	fake_cpu = cpu;
	t->arm(12345);
	fake_cpu = 0;
	assert_int_equal(armed, before + 1);
	assert_int_equal(cycles, 12345);
	return reg(END_TURN) == 0;
}

/* On such machines nothing is changed, least of all a timer of theirs. */
static void c18_not_in_turn(void **state)
{
	static const struct {
		unsigned ncpu;
		bool emulated;
		uint32_t jitter, hpet;
	} machines[] = {
		{1, true, 0, 0xfed00000}, {4, false, 0, 0xfed00000}, {4, true, 3, 0xfed00000},
		{4, true, 1000, 0xfed00000}, {4, true, 0, 0},
	};

	for (unsigned i = 0; i < nelem(machines); i++) {
		ncpu = machines[i].ncpu;
		emulated = machines[i].emulated;
		jitter = machines[i].jitter;
		tables.hpet = machines[i].hpet;
		turns_init();
		turns_pace(20000);
		assert_ptr_equal(turns_timer(&own), &own);
		assert_ptr_equal(turns_timer(&shared), &shared);
		for (unsigned k = 0; k < nelem(regs); k++)
			assert_int_equal(regs[k], 0);
	}
}

static void c17_c18_in_turn(void **state)
{
	const struct timer *t;

	ncpu = 4;
	emulated = true;
	jitter = 0;
	tables.hpet = 0xfed00000;
	word = "off";
	turns_init();
	assert_ptr_equal(turns_timer(&own), &own);
	assert_null(smp_turn);
	word = NULL;
	turns_init();
	assert_int_equal(reg(CONFIG), 1);
	assert_int_equal(reg(BEAT_CONFIG), 8); /* again and again, and it interrupts nobody */
	assert_int_equal(reg(BEAT_AT), TURNS_NS / 8 / 10);
	assert_int_equal(turns_pace(250000), 250000);
	assert_int_equal(reg(BEAT_AT), 250000 / 8 / 10);
	assert_int_equal(turns_pace(10), 80000); /* or a turn would be shorter than a tick */
	assert_int_equal(reg(BEAT_AT), 10000 / 10);
	t = turns_timer(&shared);
	assert_true(t->turns && !t->percpu);
	assert_int_equal(t->max_ns, TURNS_NS);
	t = turns_timer(&own);
	assert_true(t->turns && t->percpu);
	assert_true(ends_turn(t, 0, 80000));
	assert_false(ends_turn(t, 0, 40000)); /* the others have not had their turns */
	assert_true(ends_turn(t, 0, 40000));
	for (unsigned cpu = 1; cpu < 4; cpu++)
		assert_false(ends_turn(t, cpu, 80000));
	assert_int_equal(reg(BEAT_AT), 10000 / 10);
	idle_cpus[0] = 0xf; /* the host need not beat for nobody */
	ends_turn(t, 0, 0);
	assert_int_equal(reg(BEAT_AT), 10000000 / 10);
	idle_cpus[0] = 0x7;
	ends_turn(t, 0, 0);
	assert_int_equal(reg(BEAT_AT), 10000 / 10);
	tsc += 80000;
	regs[END_TURN / 4] = 1;
	smp_turn(); /* any CPU that waits for another */
	assert_int_equal(reg(END_TURN), 0);
	ncpu = 1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c18_not_in_turn),
		cmocka_unit_test(c17_c18_in_turn),
	};

	return RUN(tests, NULL, NULL);
}
