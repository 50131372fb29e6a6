/*
 * prof/prof_gmon.c: arcs as NetBSD keeps them, the histogram, states, pictures (G1 G2 G4-G8 G11 C8
 * C15).
 * Links: tests/prof/machine.c tests/prof/gmonmachine.c
 */
#include "tests/test.h"
#include "tests/prof/gmonmachine.h"
#include "prof/prof_hooks.h"

/* How often the pair was seen, in a fresh picture; checks that it stands there but once. */
static uint32_t arc(uint32_t frompc, uint32_t selfpc)
{
	uint32_t n = 0, steps = 0, at;

	memset(froms, 0, sizeof(froms));
	memset(tos, 0, NCPU * _gmonparam.tossize);
	prof_gmon_arcs(&prof, PROF_GMON_ALL, froms, tos);
	for (at = froms[(frompc - LO) / 4]; at; at = tos[at].link) {
		assert_in_range(at, 1, tos[0].link);
		assert_true(steps++ <= tos[0].link);
		if (tos[at].selfpc == selfpc) {
			assert_int_equal(n, 0);
			n = tos[at].count;
		}
	}
	return n;
}

static uint32_t in_cell(uint32_t pc)
{
	prof_gmon_count(&prof, PROF_GMON_ALL, count);
	return count[(pc - LO) / 4];
}

static void G2_sizes_follow_from_text(void **state)
{
	static const struct {
		uint32_t lo, hi;
		unsigned ncpu;
		uint32_t lowpc, highpc, tolimit; /* tolimit: one CPU's */
	} t[] = {
		{LO, LO + 4, 1, LO, LO + 4, 50},
		{LO + 1, LO + 5, 1, LO, LO + 8, 50},
		{LO + 3, LO + 4, 1, LO, LO + 4, 50},
		{LO, LO + 2500, 1, LO, LO + 2500, 50},
		{LO, LO + 2548, 1, LO, LO + 2548, 50},
		{LO, LO + 2549, 1, LO, LO + 2552, 51},
		{LO, LO + 200000, 1, LO, LO + 200000, 4000},
		{LO, LO + 3276700, 1, LO, LO + 3276700, 65534},
		{LO, LO + 8000000, 1, LO, LO + 8000000, 65534},
		{LO, LO + 8000000, 8, LO, LO + 8000000, 8191},
		{LO, LO + 2500, 8, LO, LO + 2500, 50},
	};
	size_t i;

	for (i = 0; i < nelem(t); i++) {
		const struct prof_gmon_param *g = &_gmonparam;
		struct prof_gmon_param all;

		machine_reset();
		assert_true(prof_gmon_init(&prof, t[i].lo, t[i].hi, t[i].ncpu, &_gmonparam));
		assert_int_equal(g->state, PROF_GMON_OFF);
		assert_int_equal(g->lowpc, t[i].lowpc);
		assert_int_equal(g->highpc, t[i].highpc);
		assert_int_equal(g->textsize, t[i].highpc - t[i].lowpc);
		assert_int_equal(g->kcountsize, g->textsize);
		assert_int_equal(g->hashfraction, 2);
		assert_int_equal(g->fromssize, g->textsize / 2);
		assert_int_equal(g->tolimit, t[i].tolimit);
		assert_int_equal(g->tossize, g->tolimit * sizeof(struct prof_tostruct));
		prof_gmon_param(&prof, PROF_GMON_ALL, &all);
		assert_int_equal(all.tolimit, t[i].tolimit * t[i].ncpu);
		assert_int_equal(all.tossize, g->tossize * t[i].ncpu);
		assert_true(all.tolimit <= 65534);
	}
}

static void G2_what_cannot_be_profiled_is_refused(void **state)
{
	int n;

	assert_false(prof_gmon_init(&prof, LO, LO, 1, &_gmonparam));
	assert_false(prof_gmon_init(&prof, HI, LO, 1, &_gmonparam));
	assert_false(prof_gmon_init(&prof, 0, UINT32_MAX, 1, &_gmonparam));
	assert_false(prof_gmon_init(&prof, LO, HI, 0, &_gmonparam));
	assert_false(prof_gmon_init(&prof, LO, HI, PROF_MAXCPU + 1, &_gmonparam));
	for (n = 0; n < 7; n++) {
		machine_reset();
		machine.allocs_left = n;
		assert_false(prof_gmon_init(&prof, LO, HI, 2, &_gmonparam));
	}
}

/* A11: text may end anywhere. A cell that has the last byte of memory would have no end. */
static void A11_text_up_to_the_end_of_memory(void **state)
{
	struct prof_sample s = {.at = {.pc = UINTPTR_MAX - 4}};

	for (unsigned past = 0; past < 7; past++) {
		machine_reset();
		assert_true(prof_gmon_init(&prof, UINTPTR_MAX - 99, UINTPTR_MAX - past, 1,
					   &_gmonparam));
		assert_int_equal(_gmonparam.lowpc, UINTPTR_MAX - 99);
		assert_int_equal(_gmonparam.highpc, UINTPTR_MAX - 3);
		assert_int_equal(_gmonparam.textsize, 96);
	}
	prof_period(&prof, 1000);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	machine_tick(&prof, &s);
	s.at.pc = UINTPTR_MAX;
	machine_tick(&prof, &s);
	assert_int_equal(_gmonparam.kcount[_gmonparam.textsize / 4 - 1], 1);
}

static void G5_entries_are_taken_in_order_of_first_use(void **state)
{
	const struct prof_tostruct *e = _gmonparam.tos;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO + 0x100, 7);
	call(0, LO + 0x200, 8);
	call(0, LO + 0x100, 7);
	call(0, LO + 0x080, 9);
	assert_int_equal(e[0].link, 3);
	assert_int_equal(e[1].selfpc, 7);
	assert_int_equal(e[1].count, 2);
	assert_int_equal(e[2].selfpc, 8);
	assert_int_equal(e[3].selfpc, 9);
	assert_int_equal(tables(0)->froms[0x100 / 4], 1);
	assert_int_equal(tables(0)->froms[0x200 / 4], 2);
	assert_int_equal(tables(0)->froms[0x080 / 4], 3);
	memset(froms, 0, sizeof(froms));
	memset(tos, 0, NCPU * _gmonparam.tossize);
	prof_gmon_arcs(&prof, PROF_GMON_ALL, froms, tos);
	assert_int_equal(tos[0].link, 3);
	assert_int_equal(tos[2].selfpc, 8);
	assert_int_equal(froms[0x080 / 4], 3);
	assert_int_equal(arc(LO + 0x200, 8), 1);
	assert_memory_equal(&tos[4], &(struct prof_tostruct){0}, sizeof(*tos));
	assert_memory_equal(&tos[NCPU * _gmonparam.tolimit - 1], &tos[4], sizeof(*tos));
}

static void G5_a_hit_moves_to_the_head_of_its_list(void **state)
{
	const struct prof_tostruct *e = _gmonparam.tos;
	const uint16_t *head = &tables(0)->froms[4];

	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO + 16, 7);
	call(0, LO + 16, 8);
	call(0, LO + 16, 9);
	assert_int_equal(*head, 3); /* 9 8 7 */
	call(0, LO + 16, 8);
	assert_int_equal(*head, 2); /* 8 9 7 */
	assert_int_equal(e[2].link, 3);
	assert_int_equal(e[3].link, 1);
	call(0, LO + 16, 7);
	assert_int_equal(*head, 1); /* 7 8 9 */
	assert_int_equal(e[1].link, 2);
	assert_int_equal(e[2].link, 3);
	assert_int_equal(e[3].link, 0);
	assert_int_equal(arc(LO + 16, 7), 2);
	assert_int_equal(arc(LO + 16, 8), 2);
	assert_int_equal(arc(LO + 16, 9), 1);
}

static void G5_callers_four_bytes_apart_have_lists_of_their_own(void **state)
{
	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO + 16, 7);
	call(0, LO + 19, 7);
	call(0, LO + 20, 7);
	assert_int_equal(arc(LO + 16, 7), 2);
	assert_int_equal(arc(LO + 20, 7), 1);
}

static void G4_only_callers_in_text_are_counted(void **state)
{
	static const struct {
		uint32_t frompc;
		bool in;
	} t[] = {
		{LO - 1, false}, {LO, true}, {HI - 1, true},	  {HI, false},
		{HI + 1, false}, {0, false}, {UINT32_MAX, false},
	};
	size_t i;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < nelem(t); i++) {
		prof_gmon_clear_arcs(&prof, PROF_GMON_ALL);
		call(0, t[i].frompc, 7);
		assert_int_equal(_gmonparam.tos[0].link, t[i].in);
	}
}

static void G6_a_full_table_is_an_error_and_harms_nothing(void **state)
{
	const struct prof_gmon_param *g = tables(1);
	uint32_t i, taken = g->tolimit - 1;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < taken; i++)
		call(1, LO + 4 * (i % CELLS), 1000 + i);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	call(1, LO, 5);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ERROR);
	assert_int_equal(g->tos[0].link, taken);
	assert_null(machine.arcs[1]);
	call(1, LO, 1000);
	tick(1, LO, PROF_KERNEL);
	assert_int_equal(in_cell(LO), 0);
	for (i = 0; i < taken; i++)
		assert_int_equal(arc(LO + 4 * (i % CELLS), 1000 + i), 1);
	assert_int_equal(arc(LO, 5), 0);
}

/* Fill that CPU's table, and count one more. */
static void overflow(unsigned cpu)
{
	uint32_t i;

	for (i = 0; i <= tables(cpu)->tolimit; i++)
		call(cpu, LO, 1000 + i);
}

static void C8_a_full_table_ends_all(void **state)
{
	unsigned cpu;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	overflow(1);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ERROR);
	for (cpu = 0; cpu < NCPU; cpu++) {
		assert_int_equal(prof_gmon_state(&prof, cpu),
				 cpu == 1 ? PROF_GMON_ERROR : PROF_GMON_OFF);
		assert_null(machine.arcs[cpu]);
		call(cpu, LO + 8, 7);
		tick(cpu, LO, PROF_KERNEL);
	}
	assert_int_equal(arc(LO + 8, 7), 0);
	assert_int_equal(in_cell(LO), 0);
}

/* A CPU that is within mcount when another one's table is full is off when it comes out. */
static void C8_also_those_within_mcount(void **state)
{
	prof_gmon_start(&prof, PROF_GMON_ALL);
	prof.gmon.cpu[2].param->state = PROF_GMON_BUSY;
	overflow(0);
	assert_int_equal(prof_gmon_state(&prof, 2), PROF_GMON_OFF);
	overflow(3); /* is off, and finds no error of its own */
	assert_int_equal(prof_gmon_state(&prof, 3), PROF_GMON_OFF);
}

static void C8_the_error_stays_until_start_or_reset(void **state)
{
	struct prof_gmon_param g;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	overflow(0);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.state, PROF_GMON_ERROR);
	assert_true(prof_wants(&prof, PROF_GMON) && machine_entries());
	prof_gmon_stop(&prof, 2); /* whichever: all have ended */
	assert_false(prof_wants(&prof, PROF_GMON) || machine_entries());
	machine.switches = 0;
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	assert_int_equal(machine.switches, 0);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ERROR);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	call(0, LO, 1000);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	call(0, LO, 999);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ERROR);
	prof_gmon_clear_arcs(&prof, PROF_GMON_ALL);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_OFF);
	assert_false(prof_wants(&prof, PROF_GMON) || machine_entries());
	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO, 999);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	assert_int_equal(arc(LO, 999), 1);
}

/* What a debugger finds from _gmonparam on: a CPU after the other, each with its own tables. */
static void C15_the_tables_are_as_documented(void **state)
{
	const struct prof_gmon_param *g = &_gmonparam;
	unsigned cpu;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (cpu = 0; cpu < NCPU; cpu++) {
		call(cpu, LO + 16, 7 + cpu);
		tick(cpu, LO + 8 + 4 * cpu, PROF_KERNEL);
	}
	prof.gmon.cpu[1].param->state = PROF_GMON_BUSY;
	call(1, LO, 7);
	for (cpu = 0; cpu < NCPU; cpu++, g = g->next) {
		assert_int_equal(g->state, cpu == 1 ? PROF_GMON_BUSY : PROF_GMON_ON);
		assert_int_equal(g->profrate, 1000);
		assert_int_equal(g->lost, cpu == 1);
		assert_int_equal(g->kcount[2 + cpu], 1);
		assert_int_equal(g->froms[4], 1);
		assert_int_equal(g->tos[0].link, 1);
		assert_int_equal(g->tos[1].selfpc, 7 + cpu);
		assert_int_equal(g->tos[1].count, 1);
		assert_int_equal(g->tos[1].link, 0);
	}
	assert_null(g);
	prof_period(&prof, 2000);
	assert_int_equal(_gmonparam.profrate, 500);
}

static void G5_a_call_within_mcount_is_lost_and_counted_as_lost(void **state)
{
	struct prof_gmon_param g;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	prof.gmon.cpu[2].param->state = PROF_GMON_BUSY; /* an NMI found it so */
	call(2, LO, 7);
	tick(2, LO, PROF_KERNEL);
	call(3, LO, 7);
	prof.gmon.cpu[2].param->state = PROF_GMON_ON;
	call(2, LO, 8);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.lost, 1);
	assert_int_equal(arc(LO, 7), 1);
	assert_int_equal(arc(LO, 8), 1);
	assert_int_equal(in_cell(LO), 1);
	prof_gmon_clear_arcs(&prof, PROF_GMON_ALL);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.lost, 0);
}

static void G7_each_pc_has_its_cell(void **state)
{
	static const struct {
		uint32_t pc;
		enum prof_cause what;
		int cell; /* -1: none */
	} t[] = {
		{LO - 1, PROF_KERNEL, -1},
		{LO, PROF_KERNEL, 0},
		{LO + 3, PROF_KERNEL, 0},
		{LO + 4, PROF_KERNEL, 1},
		{HI - 1, PROF_KERNEL, CELLS - 1},
		{HI, PROF_KERNEL, -1},
		{0, PROF_KERNEL, -1},
		{UINT32_MAX, PROF_KERNEL, -1},
		{LO + 4, PROF_IDLE, 1},
		{LO + 4, PROF_USER, -1},
	};
	size_t i;
	int c;

	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < nelem(t); i++) {
		prof_gmon_clear_count(&prof, PROF_GMON_ALL);
		tick(i % NCPU, t[i].pc, t[i].what);
		prof_gmon_count(&prof, PROF_GMON_ALL, count);
		for (c = 0; c < (int)CELLS; c++)
			assert_int_equal(count[c], c == t[i].cell);
	}
}

static void G7_counts_stay_at_their_end(void **state)
{
	prof_gmon_start(&prof, PROF_GMON_ALL);
	_gmonparam.kcount[0] = UINT32_MAX - 1;
	tick(0, LO, PROF_KERNEL);
	tick(0, LO, PROF_KERNEL);
	tick(1, LO, PROF_KERNEL);
	assert_int_equal(in_cell(LO), UINT32_MAX);
}

static void G7_the_rate_is_that_of_the_ticks(void **state)
{
	struct prof_gmon_param g;
	int i;

	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 1000);
	prof_period(&prof, 500); /* no tick has come at these rates */
	prof_period(&prof, 1000);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < 10; i++)
		tick(0, LO, PROF_KERNEL);
	prof_period(&prof, 3000);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.mixed, 0);
	for (i = 0; i < 10; i++)
		tick(0, LO, PROF_KERNEL);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 500);
	assert_int_equal(g.mixed, 1);
	prof_gmon_clear_count(&prof, PROF_GMON_ALL);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 333);
	assert_int_equal(g.mixed, 0);
	for (i = 0; i < 10; i++)
		tick(0, LO, PROF_KERNEL);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 333);
	prof_gmon_clear_count(&prof, PROF_GMON_ALL);
	prof_period(&prof, 1500);
	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	assert_int_equal(g.profrate, 667);
}

static void G1_the_two_data_sets_are_independent(void **state)
{
	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO, 7);
	tick(0, LO, PROF_KERNEL);
	prof_gmon_clear_count(&prof, PROF_GMON_ALL);
	assert_int_equal(in_cell(LO), 0);
	assert_int_equal(arc(LO, 7), 1);
	tick(0, LO, PROF_KERNEL);
	prof_gmon_clear_arcs(&prof, PROF_GMON_ALL);
	assert_int_equal(in_cell(LO), 1);
	assert_int_equal(arc(LO, 7), 0);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_ON);
	assert_true(machine_entries());
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	prof_gmon_clear_arcs(&prof, PROF_GMON_ALL);
	prof_gmon_clear_count(&prof, PROF_GMON_ALL);
	assert_int_equal(prof_gmon_state(&prof, PROF_GMON_ALL), PROF_GMON_OFF);
	assert_false(machine_entries());
}

static void G7_kprof_and_gmon_run_independently(void **state)
{
	assert_true(prof_kprof_init(&prof, LO, HI, NCPU));
	prof_gmon_start(&prof, PROF_GMON_ALL);
	prof_start(&prof, PROF_KPROF);
	assert_true(prof_wants(&prof, PROF_GMON));
	prof_stop(&prof, PROF_KPROF);
	assert_true(prof_wants(&prof, PROF_GMON));
	assert_false(prof_wants(&prof, PROF_KPROF));
	prof_start(&prof, PROF_KPROF);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	assert_true(prof_wants(&prof, PROF_KPROF));
	assert_false(prof_wants(&prof, ~PROF_KPROF));
}

static void G8_stopped_counts_nothing_and_keeps_all(void **state)
{
	call(0, LO, 7);
	tick(0, LO, PROF_KERNEL);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO, 7);
	tick(0, LO, PROF_KERNEL);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	call(0, LO, 7);
	tick(0, LO, PROF_KERNEL);
	assert_int_equal(arc(LO, 7), 1);
	assert_int_equal(in_cell(LO), 1);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	call(0, LO, 7);
	assert_int_equal(arc(LO, 7), 2);
}

/* Calls come before the switch to off is complete: they must find the tables in order. */
static void call_while_switching(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < NCPU; cpu++) {
		assert_ptr_equal(machine.arcs[cpu], tables(cpu));
		call(cpu, LO + 8, 7);
	}
}

static void G11_entries_call_only_while_the_tables_are_ready(void **state)
{
	machine.switched = call_while_switching;
	prof_gmon_start(&prof, PROF_GMON_ALL);
	assert_true(machine_entries());
	assert_int_equal(arc(LO + 8, 7), NCPU);
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	assert_false(machine_entries());
	assert_null(machine.arcs[0]);
	assert_int_equal(arc(LO + 8, 7), 2 * NCPU);
	machine.switched = NULL;
}

/* What is under way on another CPU when a clear begins. */
static int lates;

static void late(void)
{
	struct prof_sample s = {.cpu = 1, .at.pc = LO, .what = PROF_KERNEL};

	lates++;
	prof_gmon_tick(&prof, &s);
}

static void G8_clear_waits_for_ticks_under_way(void **state)
{
	prof_gmon_start(&prof, PROF_GMON_ALL);
	tick(1, LO, PROF_KERNEL);
	machine.quiesce = late;
	lates = 0;
	prof_gmon_clear_count(&prof, PROF_GMON_ALL);
	assert_int_equal(lates, 1);
	assert_int_equal(in_cell(LO), 0);
}

static void G5_random_calls_are_counted_each(void **state)
{
	enum { FROM = 40, SELF = 5 };
	static uint32_t wanted[FROM][SELF];
	int i, f, s;

	memset(wanted, 0, sizeof(wanted));
	srand(1);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	for (i = 0; i < 20000; i++) {
		f = rand() % FROM;
		s = rand() % (1 + rand() % SELF);
		call((unsigned)rand() % NCPU, LO + 4 * (uint32_t)f, 100 + (uint32_t)s);
		wanted[f][s]++;
	}
	for (f = 0; f < FROM; f++)
		for (s = 0; s < SELF; s++)
			assert_int_equal(arc(LO + 4 * (uint32_t)f, 100 + (uint32_t)s),
					 wanted[f][s]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(G1_the_two_data_sets_are_independent),
		TEST(G2_sizes_follow_from_text),
		TEST(G2_what_cannot_be_profiled_is_refused),
		TEST(A11_text_up_to_the_end_of_memory),
		TEST(G4_only_callers_in_text_are_counted),
		TEST(G5_entries_are_taken_in_order_of_first_use),
		TEST(G5_a_hit_moves_to_the_head_of_its_list),
		TEST(G5_callers_four_bytes_apart_have_lists_of_their_own),
		TEST(G5_a_call_within_mcount_is_lost_and_counted_as_lost),
		TEST(G5_random_calls_are_counted_each),
		TEST(G6_a_full_table_is_an_error_and_harms_nothing),
		TEST(C8_a_full_table_ends_all),
		TEST(C8_also_those_within_mcount),
		TEST(C8_the_error_stays_until_start_or_reset),
		TEST(C15_the_tables_are_as_documented),
		TEST(G7_each_pc_has_its_cell),
		TEST(G7_counts_stay_at_their_end),
		TEST(G7_the_rate_is_that_of_the_ticks),
		TEST(G7_kprof_and_gmon_run_independently),
		TEST(G8_stopped_counts_nothing_and_keeps_all),
		TEST(G8_clear_waits_for_ticks_under_way),
		TEST(G11_entries_call_only_while_the_tables_are_ready),
	};

	return RUN(tests, NULL, NULL);
}
