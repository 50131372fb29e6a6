/*
 * CPUs that an emulator runs in turn, and those of which that is not so (C17, C18).
 * Links: drivers/clock/turns.c tests/drivers/fakes.c
 */
#include <stdio.h>
#include "drivers/bus/acpi.h"
#include "drivers/clock/turns.h"
#include "kernel/machine/cmdline.h"
#include "tests/drivers/fakes.h"

#define CONFIG 0x010
#define COUNTER 0x0f0
#define END_CONFIG 0x100
#define END_TURN 0x108
#define BEAT_CONFIG 0x120
#define BEAT_AT 0x128

static struct acpi tables = {.hpet = 0xfed00000};
const struct acpi *const acpi = &tables;
static uint32_t regs[0x400 / 4];
static uint64_t tsc;
static uint32_t jitter; /* how much the time that equal work takes varies, if it does */
static int alike = -1; /* so many trials take as long, the others longer; -1: all do */
static unsigned reads; /* of the time: two a trial */
static bool emulated;
static const char *word = "on"; /* the command line's turns=, or NULL */
static unsigned armed;
static uint32_t cycles;

/* Time passes by equal steps when instructions are counted. */
uint64_t rdtsc(void)
{
	static uint32_t random = 1;

	if (alike >= 0) {
		unsigned trial = reads++ / 2;

		return tsc += trial < (unsigned)alike ? 800 : 900 + trial;
	}
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

bool cmdline_get(const char *key, char *value, size_t size)
{
	assert_string_equal(key, "turns");
	if (word)
		snprintf(value, size, "%s", word);
	return word;
}

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

/* Whether arming that timer on a CPU ends its turn. */
static bool ends_turn(const struct timer *t, unsigned cpu)
{
	unsigned before = armed;

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

/* The time is not counted where only half of the 32 trials take as long as the shortest. */
static void c18_half_is_not_in_turn(void **state)
{
	ncpu = 4;
	emulated = true;
	tables.hpet = 0xfed00000;
	jitter = 0;
	for (alike = 15; alike <= 16; alike++) {
		reads = 0;
		turns_init();
		assert_ptr_equal(turns_timer(&own), &own);
	}
	alike = -1;
}

static void c17_c18_in_turn(void **state)
{
	const struct timer *mine, *all;

	ncpu = 4;
	emulated = true;
	jitter = 0;
	tables.hpet = 0xfed00000;
	word = NULL; /* nobody asked for it */
	turns_init();
	assert_ptr_equal(turns_timer(&own), &own);
	word = "on";
	ncpu = 4;
	emulated = true;
	jitter = 0;
	tables.hpet = 0xfed00000;
	regs[COUNTER / 4] = 7000;
	regs[END_CONFIG / 4] = UINT32_MAX;
	alike = 17; /* of 32 trials: more than half */
	reads = 0;
	turns_init();
	assert_true(fake_logged("turns: an emulator runs the CPUs in turn\n"));
	assert_int_equal(reg(CONFIG), 1);
	assert_int_equal(reg(END_CONFIG), 0); /* it interrupts nobody, and is due once */
	assert_int_equal(reg(BEAT_CONFIG), 0x48); /* nor does this; it comes again and again */
	assert_int_equal(reg(BEAT_AT), TURNS_SLOW / 10);
	turns_pace(20000);
	assert_int_equal(reg(BEAT_AT), 20000 / 10);
	mine = turns_timer(&own);
	all = turns_timer(&shared);
	assert_true(mine->turns && mine->percpu);
	assert_true(all->turns && !all->percpu);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		assert_true(ends_turn(mine, cpu));
		assert_true(ends_turn(all, cpu));
	}
	ncpu = 3;
	assert_true(ends_turn(mine, 1));
	ncpu = 2;
	assert_true(ends_turn(mine, 0));
	assert_false(ends_turn(mine, 1));
	ncpu = 1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c18_not_in_turn),
		cmocka_unit_test(c18_half_is_not_in_turn),
		cmocka_unit_test(c17_c18_in_turn),
	};

	return RUN(tests, NULL, NULL);
}
