/*
 * prof/prof_gmon.c on several CPUs: each one's tables and state, and all of them merged (G1 G6-G8
 * C8).
 * Links: tests/prof/machine.c tests/prof/gmonmachine.c
 */
#include "tests/test.h"
#include "tests/prof/gmonmachine.h"

/* Make the picture of those CPUs. */
static void picture(unsigned which)
{
	memset(froms, 0, sizeof(froms));
	memset(tos, 0, NCPU * _gmonparam.tossize);
	prof_gmon_arcs(&prof, which, froms, tos);
}

/* How often the pair was seen by those CPUs. */
static uint32_t arc_of(unsigned which, uint32_t frompc, uint32_t selfpc)
{
	uint32_t at;

	picture(which);
	for (at = froms[(frompc - LO) / 4]; at; at = tos[at].link)
		if (tos[at].selfpc == selfpc)
			return tos[at].count;
	return 0;
}

static uint32_t cell_of(unsigned which, uint32_t pc)
{
	prof_gmon_count(&prof, which, count);
	return count[(pc - LO) / 4];
}

static void G1_a_cpu_has_pictures_of_its_own(void **state)
{
	struct prof_gmon_param g;
	uint32_t i;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < 30; i++) {
		call(i % 3, LO, 7);
		tick(i % 2, LO + 4, PROF_KERNEL);
	}
	call(3, LO, 8);
	for (i = 0; i < NCPU; i++) {
		assert_int_equal(arc_of(i, LO, 7), i < 3 ? 10 : 0);
		assert_int_equal(arc_of(i, LO, 8), i == 3);
		assert_int_equal(tos[0].link, 1);
		assert_int_equal(cell_of(i, LO + 4), i < 2 ? 15 : 0);
		prof_gmon_param(&prof, i, &g);
		assert_int_equal(g.tolimit, _gmonparam.tolimit);
		assert_int_equal(g.tossize, g.tolimit * sizeof(*tos));
		assert_int_equal(g.state, PROF_GMON_ON);
	}
	assert_int_equal(arc_of(PROF_GMON_ALL, LO, 7), 30);
	assert_int_equal(arc_of(PROF_GMON_ALL, LO, 8), 1);
	assert_int_equal(cell_of(PROF_GMON_ALL, LO + 4), 30);
}

/* A picture of one CPU stays within what that CPU's sizes promise. */
static void G6_a_full_cpu_fits_into_its_own_picture(void **state)
{
	uint32_t limit = tables(2)->tolimit, i;
	const struct prof_tostruct mark = {1, 2, 3, 4, 5};

	prof_gmon_start(&prof, 2);
	for (i = 0; i <= limit; i++)
		call(2, LO + 4 * (i % CELLS), 1000 + i);
	memset(froms, 0, sizeof(froms));
	memset(tos, 0, NCPU * _gmonparam.tossize);
	tos[limit] = mark;
	prof_gmon_arcs(&prof, 2, froms, tos);
	assert_int_equal(tos[0].link, limit - 1);
	assert_memory_equal(&tos[limit], &mark, sizeof(mark));
}

static void G1_merged_arcs_come_in_order_of_cpu_and_first_use(void **state)
{
	static const uint32_t order[] = {31, 30, 11, 22, 21};
	uint32_t i;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(2, LO, 22);
	call(2, LO, 31);
	call(2, LO, 21);
	call(1, LO, 11);
	call(0, LO, 31);
	call(0, LO + 8, 30);
	call(0, LO, 31);
	picture(PROF_GMON_ALL);
	assert_int_equal(tos[0].link, nelem(order));
	for (i = 0; i < nelem(order); i++)
		assert_int_equal(tos[i + 1].selfpc, order[i]);
	assert_int_equal(tos[1].count, 3);
	assert_int_equal(froms[0], 5);
	assert_int_equal(froms[2], 2);
}

static void G8_a_cpu_is_switched_alone(void **state)
{
	unsigned cpu;

	prof_gmon_start(&prof, 1);
	assert_true(machine_entries());
	assert_true(prof_wants(&prof, PROF_GMON));
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	for (cpu = 0; cpu < NCPU; cpu++) {
		assert_int_equal(prof_gmon_state(&prof, cpu),
				 cpu == 1 ? PROF_GMON_ON : PROF_GMON_OFF);
		assert_ptr_equal(machine.arcs[cpu], cpu == 1 ? tables(1) : NULL);
		call(cpu, LO, 7);
		tick(cpu, LO, PROF_KERNEL);
		assert_int_equal(arc_of(cpu, LO, 7), cpu == 1);
		assert_int_equal(cell_of(cpu, LO), cpu == 1);
	}
	prof_gmon_start(&prof, 3);
	prof_gmon_stop(&prof, 1);
	assert_true(machine_entries());
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	prof_gmon_stop(&prof, 3);
	assert_false(machine_entries());
	assert_false(prof_wants(&prof, PROF_GMON));
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_OFF);
}

static void G8_all_are_switched_whatever_each_was(void **state)
{
	unsigned cpu;

	prof_gmon_start(&prof, 2);
	machine.switches = 0;
	prof_gmon_start(&prof, PROF_GMON_ALL);
	assert_int_equal(machine.switches, 2);
	for (cpu = 0; cpu < NCPU; cpu++)
		assert_int_equal(prof_gmon_state(&prof, cpu), PROF_GMON_ON);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	prof_gmon_start(&prof, 1);
	assert_int_equal(machine.switches, 2); /* twice is fine */
	prof_gmon_stop(&prof, 0);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	for (cpu = 0; cpu < NCPU; cpu++)
		assert_int_equal(prof_gmon_state(&prof, cpu), PROF_GMON_OFF);
	machine.switches = 0;
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	prof_gmon_stop(&prof, 0);
	assert_int_equal(machine.switches, 0);
}

static void G8_a_cpu_is_cleared_alone(void **state)
{
	unsigned cpu;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (cpu = 0; cpu < NCPU; cpu++) {
		call(cpu, LO, 7);
		tick(cpu, LO, PROF_KERNEL);
	}
	prof_gmon_clear_count(&prof, 1);
	prof_gmon_clear_arcs(&prof, 2);
	for (cpu = 0; cpu < NCPU; cpu++) {
		assert_int_equal(cell_of(cpu, LO), cpu != 1);
		assert_int_equal(arc_of(cpu, LO, 7), cpu != 2);
		assert_int_equal(prof_gmon_state(&prof, cpu), PROF_GMON_ON);
	}
	assert_true(machine_entries());
	assert_true(prof_wants(&prof, PROF_GMON));
}

static void C8_an_error_of_one_cpu_is_the_state_of_all(void **state)
{
	uint32_t i;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i <= tables(1)->tolimit; i++)
		call(1, LO, 1000 + i);
	prof_gmon_start(&prof, 0);
	assert_int_equal(prof_gmon_state(&prof, 1), PROF_GMON_ERROR);
	assert_int_equal(prof_gmon_state(&prof, 0), PROF_GMON_ON);
	assert_int_equal(prof_gmon_state(&prof, 2), PROF_GMON_OFF);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ERROR);
	call(0, LO, 7);
	assert_int_equal(arc_of(0, LO, 7), 1); /* what was started anew counts */
	prof_gmon_clear_arcs(&prof, 1);
	assert_int_equal(prof_gmon_state(&prof, 1), PROF_GMON_OFF);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	prof_gmon_start(&prof, 1);
	call(1, LO, 7);
	assert_int_equal(arc_of(PROF_GMON_ALL, LO, 7), 2);
}

static void G7_each_cpu_has_the_rate_of_its_own_ticks(void **state)
{
	struct prof_gmon_param g;
	int i;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < 10; i++)
		tick(0, LO, PROF_KERNEL);
	prof_period(&prof, 3000);
	for (i = 0; i < 10; i++)
		tick(1, LO, PROF_KERNEL);
	prof_gmon_param(&prof, 0, &g);
	assert_int_equal(g.profrate, 1000);
	prof_gmon_param(&prof, 1, &g);
	assert_int_equal(g.profrate, 333);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 500);
	prof_gmon_clear_count(&prof, 0);
	prof_gmon_param(&prof, 0, &g);
	assert_int_equal(g.profrate, 333);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 333);
}

static void G1_pictures_merge_the_cpus(void **state)
{
	unsigned cpu;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (cpu = 0; cpu < NCPU; cpu++) {
		call(cpu, LO, 7 + cpu % 2);
		call(cpu, LO, 9);
		call(cpu, LO + 4 * cpu, 9);
		tick(cpu, LO + 8, PROF_KERNEL);
	}
	assert_int_equal(arc_of(PROF_GMON_ALL, LO, 7), 2);
	assert_int_equal(arc_of(PROF_GMON_ALL, LO, 8), 2);
	assert_int_equal(arc_of(PROF_GMON_ALL, LO, 9), NCPU + 1);
	assert_int_equal(arc_of(PROF_GMON_ALL, LO + 4, 9), 1);
	assert_int_equal(arc_of(PROF_GMON_ALL, LO + 12, 9), 1);
	assert_int_equal(tos[0].link, 6);
	assert_int_equal(cell_of(PROF_GMON_ALL, LO + 8), NCPU);
}

static void G6_tables_of_all_cpus_fit_into_one_picture(void **state)
{
	uint32_t i, cpu, n = 0;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (cpu = 0; cpu < NCPU; cpu++)
		for (i = 1; i < tables(cpu)->tolimit; i++, n++)
			call(cpu, LO + 4 * (n % CELLS), n + 1);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	picture(PROF_GMON_ALL);
	assert_int_equal(tos[0].link, n);
	assert_true(n < NCPU * _gmonparam.tolimit);
	for (i = 0; i < n; i += 7)
		assert_int_equal(arc_of(PROF_GMON_ALL, LO + 4 * (i % CELLS), i + 1), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(G1_a_cpu_has_pictures_of_its_own),
		TEST(G1_merged_arcs_come_in_order_of_cpu_and_first_use),
		TEST(G1_pictures_merge_the_cpus),
		TEST(G6_a_full_cpu_fits_into_its_own_picture),
		TEST(C8_an_error_of_one_cpu_is_the_state_of_all),
		TEST(G6_tables_of_all_cpus_fit_into_one_picture),
		TEST(G7_each_cpu_has_the_rate_of_its_own_ticks),
		TEST(G8_a_cpu_is_switched_alone),
		TEST(G8_all_are_switched_whatever_each_was),
		TEST(G8_a_cpu_is_cleared_alone),
	};

	return RUN(tests, NULL, NULL);
}
