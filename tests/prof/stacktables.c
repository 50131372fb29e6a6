/*
 * The tables of paths, prof/prof_stacktable.c: what memory they have and give back, that nothing of
 * what was counted before is in one that was emptied, and how long its ticks were. And what
 * prof_stackout.c writes of an entry.
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"
#include "prof/prof_stackout.h"
#include "prof/prof_stacktable.h"

#define LO ((prof_addr)0xf8001000u)
#define NCPU 3u

static struct prof prof;
static prof_addr kernel[16]; /* a stack without frames */

static int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	prof_stack_init(&prof, NCPU, 0);
	prof_period(&prof, 1000);
	return 0;
}

static int power_off(void **state)
{
	prof_stack_close(&prof, PROF_WAIT);
	prof_stack_close(&prof, PROF_STACK);
	assert_int_equal(machine_given(), 0);
	machine_reset();
	return 0;
}

static struct prof_sample sample(unsigned cpu, enum prof_cause what, prof_addr pc)
{
	return (struct prof_sample){
		.at = {pc, LO, 0}, .cpu = cpu, .what = what, .lo = LO, .hi = LO + sizeof(kernel),
		.stack = kernel, .pid = 7, .name = "sh", .waited = 5, .ready = 2,
	};
}

static void tick(unsigned cpu, prof_addr pc)
{
	struct prof_sample s = sample(cpu, PROF_KERNEL, pc);

	machine_tick(&prof, &s);
}

static void wait_at(unsigned cpu, prof_addr pc)
{
	struct prof_sample s = sample(cpu, PROF_PIPE, pc);

	prof_stack_wait(&prof, &s);
}

/* The file; valid until the next call. */
static const char *text(uint32_t bit)
{
	static char *out;
	size_t size;
	FILE *f;

	free(out);
	f = open_memstream(&out, &size);
	assert_non_null(f);
	assert_int_equal(prof_stack_write(&prof, bit, &(struct prof_sink){
						  .write = machine_put, .arg = f}), 0);
	fclose(f);
	return out;
}

static void open_both(void)
{
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	assert_true(prof_stack_open(&prof, PROF_WAIT, 1000));
	prof_start(&prof, PROF_PATHS);
}

/* Each piece of memory that cannot be had, and then the one after it. */
static void what_was_had_is_given_back(void **state)
{
	static const uint32_t bits[] = {PROF_STACK, PROF_WAIT};
	unsigned given;

	for (unsigned i = 0; i < 2; i++) {
		for (int had = 0;; had++) {
			machine.allocs_left = had;
			if (prof_stack_open(&prof, bits[i], 1))
				break;
			assert_int_equal(machine_given(), 0);
			assert_int_equal(prof_ready(&prof), 0);
			assert_false(prof_stack_on(&prof, bits[i]));
		}
		given = machine_given();
		assert_true(given >= 2 * NCPU);
		machine.allocs_left = -1;
		assert_true(prof_stack_open(&prof, bits[i], 1)); /* it is there already */
		assert_int_equal(machine_given(), given);
		prof_stack_close(&prof, bits[i]);
		assert_int_equal(machine_given(), 0);
	}
}

/* A smaller piece may be had when a larger one cannot: each of a CPU's three is missed. */
static void a_piece_that_is_missing_is_missed(void **state)
{
	for (unsigned piece = 1; piece <= 3 * NCPU; piece++) {
		machine.alloc_fails = piece;
		assert_false(prof_stack_open(&prof, PROF_STACK, 1));
		assert_int_equal(machine_given(), 0);
		machine.alloc_fails = piece;
		assert_false(prof_stack_open(&prof, PROF_WAIT, 1));
		assert_int_equal(machine_given(), 0);
	}
	assert_int_equal(machine.alloc_fails, 0);
}

/* The rings refer to the tables of ticks, and with changes of process to those of waits, too. */
static void rings_go_with_their_tables(void **state)
{
	open_both();
	assert_int_equal(prof_ready(&prof), PROF_STACK | PROF_WAIT);
	assert_true(prof_trace_open(&prof, 4, 0, 1000, 0));
	assert_int_equal(prof_ready(&prof), PROF_STACK | PROF_WAIT | PROF_TRACE);
	prof_stack_close(&prof, PROF_WAIT);
	assert_int_equal(prof_ready(&prof), PROF_STACK | PROF_TRACE);
	prof_stack_close(&prof, PROF_STACK);
	assert_int_equal(prof_ready(&prof), 0);
	open_both();
	assert_true(prof_trace_open(&prof, 4, PROF_WAIT, 1000, 0));
	prof_stack_close(&prof, PROF_WAIT);
	assert_int_equal(prof_ready(&prof), PROF_STACK);
	open_both();
	assert_true(prof_trace_open(&prof, 4, PROF_WAIT, 1000, 0));
	prof_stack_close(&prof, PROF_STACK);
	assert_int_equal(prof_ready(&prof), PROF_WAIT);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	for (int had = 0; had < 2 * (int)NCPU + 1; had++) {
		machine.allocs_left = had;
		unsigned given = machine_given();
		assert_false(prof_trace_open(&prof, 4, PROF_WAIT, 1000, 0));
		assert_int_equal(machine_given(), given);
	}
	machine.allocs_left = -1;
}

/* A path that is too deep is cut, so each entry has room; all of a table is used, and no more. */
static void tables_are_filled_to_their_ends(void **state)
{
	open_both();
	assert_in_range(machine.largest, (PROF_STACK_WORDS / NCPU - 64) * sizeof(prof_addr),
			PROF_STACK_WORDS / NCPU * sizeof(prof_addr));
	for (unsigned cpu = 0; cpu < NCPU; cpu++)
		for (uint32_t i = 0; i < 70000; i++) {
			tick(cpu, 0xc0000000 + 16 * i);
			wait_at(cpu, 0xc0000000 + 16 * i);
		}
	for (unsigned cpu = 0; cpu < NCPU; cpu++) {
		const struct prof_stacks *k = &prof.stack;

		assert_in_range(k->cpu[cpu].used, k->nword - 256, k->nword);
		assert_in_range(prof.wait.cpu[cpu].used, prof.wait.nword - 256, prof.wait.nword);
		assert_in_range(k->nword, PROF_STACK_WORDS / NCPU - 64, PROF_STACK_WORDS / NCPU);
		assert_in_range((UINT32_MAX >> k->shift) + 1, k->nword / 4, k->nword);
	}
	assert_non_null(strstr(text(PROF_STACK), "[overflow] "));
	assert_non_null(strstr(text(PROF_WAIT), "[overflow] "));
	prof_clear(&prof, PROF_PATHS);
	assert_null(strstr(text(PROF_STACK), "[overflow]"));
	assert_null(strstr(text(PROF_WAIT), "[overflow]"));
	assert_non_null(strstr(text(PROF_STACK), "ticks=0 "));
	assert_non_null(strstr(text(PROF_WAIT), " total_us=0\n"));
	tick(1, 0xc0000010);
	wait_at(2, 0xc0000010);
	assert_non_null(strstr(text(PROF_STACK), "c0000010 1\n"));
	assert_non_null(strstr(text(PROF_WAIT), "c0000010 5\n")); /* us */
}

/* After an emptying each path is new, in whichever slot of the hash it was. */
static void what_was_emptied_knows_no_path(void **state)
{
	const unsigned n = 100;
	prof_addr pc;

	prof_stack_init(&prof, PROF_MAXCPU, 0); /* the smallest hashes, so that all slots are met */
	open_both();
	for (unsigned round = 0; round < 50; round++) {
		for (unsigned i = 0; i < 2 * n; i++) {
			if (i % n == 0)
				prof_clear(&prof, PROF_PATHS);
			pc = 0xc0000000 + 16 * (n * round + i % n);
			tick(PROF_MAXCPU - 1, pc);
			wait_at(PROF_MAXCPU - 1, pc);
		}
		assert_non_null(strstr(text(PROF_STACK), " ticks=100 overflow=0 "));
		assert_non_null(strstr(text(PROF_WAIT), " waits=100 overflow=0 "));
	}
}

/* Return where in its half of the slots the search for a new path begins. */
static uint32_t slot_of_path(struct prof_sample *s)
{
	const struct prof_stacks *k = &prof.stack;
	uint32_t half = UINT32_MAX >> k->shift >> 1, at = k->cpu[0].used;

	if (at > k->nword / 16) { /* before its 32 slots are full */
		prof_clear(&prof, PROF_PATHS);
		at = k->cpu[0].used;
	}
	machine_tick(&prof, s);
	assert_true(k->cpu[0].used > at);
	return (uint32_t)k->cpu[0].word[at + PROF_STACK_HASH] >> k->shift & half;
}

/* Programs of others choose addresses that are meant for the slots of a path of the owner's. */
static void B16_others_take_no_slot_of_the_owner(void **state)
{
	struct prof_sample s = sample(0, PROF_USER, 0x1000);
	uint32_t wanted, n = 0;
	prof_addr pc[128];

	prof_stack_init(&prof, PROF_MAXCPU, 0);
	open_both();
	wanted = slot_of_path(&s);
	s.others = true;
	for (s.at.pc = 0x2000; n < 128; s.at.pc += 16)
		if (slot_of_path(&s) == wanted)
			pc[n++] = s.at.pc;
	prof_clear(&prof, PROF_PATHS);
	while (n > 0) {
		s.at.pc = pc[--n];
		machine_tick(&prof, &s);
	}
	assert_null(strstr(text(PROF_STACK), " overflow=0 "));
	s.others = false;
	s.at.pc = 0x1000;
	machine_tick(&prof, &s);
	assert_non_null(strstr(text(PROF_STACK), "00001000 1\n"));
}

/* Behind the last entry that a table takes there is room for the longest path, which is counted. */
static void the_longest_path_has_room(void **state)
{
	const uint32_t longest = PROF_STACK_BODY + 8 + PROF_STACK_MAXDEPTH + 1;
	const uint32_t least = PROF_STACK_BODY + 1 + 1; /* and its addresses, with the name "sh" */
	static prof_addr deep[2 * PROF_STACK_MAXDEPTH];
	struct prof_sample s = sample(0, PROF_KERNEL, 0xc0000000);
	uint32_t room, n;

	prof_stack_depth(&prof, PROF_STACK_MAXDEPTH);
	open_both();
	for (uint32_t i = 0; i < nelem(deep); i += 2) {
		deep[i] = LO + (i + 2) * sizeof(*deep);
		deep[i + 1] = 0xc0100000 + i;
	}
	s.stack = deep;
	s.hi = LO + sizeof(deep);
	for (;;) {
		room = prof.stack.nword - longest - prof.stack.cpu[0].used;
		if (room == 0)
			break;
		n = room - least;
		if (n > 60)
			n = 50;
		s.at.pc += 16;
		s.at.fp = s.hi - 2 * (n - 1) * sizeof(*deep);
		machine_tick(&prof, &s);
	}
	assert_non_null(strstr(text(PROF_STACK), " overflow=0 "));
	s.name = "thirty-one characters of a name";
	s.named = 2;
	s.at.fp = LO;
	machine_tick(&prof, &s);
	assert_non_null(strstr(text(PROF_STACK), " overflow=1 "));
}

/* Paths of one hash are told from each other by all of their words. */
static void all_of_a_path_is_compared(void **state)
{
	const struct prof_stacks *k = &prof.stack;
	prof_addr e[32];
	uint32_t *slot, at, n;

	open_both();
	tick(0, 0xc0000010);
	at = PROF_STACK_FIRST;
	n = prof_stack_entry_size(k->cpu[0].word[at + PROF_STACK_SHAPE]);
	assert_in_range(n, PROF_STACK_BODY + 2, 31);
	memcpy(e, k->cpu[0].word + at, n * sizeof(*e));
	assert_int_equal(prof_stack_find(k, 0, e, n, &slot), at);
	for (uint32_t i = PROF_STACK_SHAPE; i < n; i++) {
		e[i] ^= 1;
		assert_int_equal(prof_stack_find(k, 0, e, n, &slot), 0);
		assert_non_null(slot);
		e[i] ^= 1;
	}
	assert_int_equal(prof_stack_find(k, 1, e, n, &slot), 0); /* each CPU has its own */
}

/* A ring may name any place, and a table in a dump may hold anything. */
static void only_a_whole_entry_is_sound(void **state)
{
	struct prof_stacks *k = &prof.stack;
	struct prof_stack_cpu *c = &k->cpu[0];
	uint32_t first = PROF_STACK_FIRST, second, used, end;
	prof_addr shape;

	open_both();
	tick(0, 0xc0000010);
	second = c->used;
	tick(0, 0xc0000020);
	used = c->used;
	shape = c->word[second + PROF_STACK_SHAPE];
	end = second + prof_stack_entry_size(shape);
	assert_int_equal(c->word[end], PROF_STACK_NOWHERE);
	assert_true(prof_stackout_sound(k, 0, first));
	assert_true(prof_stackout_sound(k, 0, second));
	for (uint32_t at = used - PROF_STACK_BODY + 1; at < used + 3; at++)
		assert_false(prof_stackout_sound(k, 0, at));
	assert_false(prof_stackout_sound(k, 0, UINT32_MAX));
	assert_false(prof_stackout_sound(k, 1, first)); /* of another CPU, which has none */

	c->used = end; /* what ends it is not there yet */
	assert_false(prof_stackout_sound(k, 0, second));
	c->used = k->nword + 1;
	assert_false(prof_stackout_sound(k, 0, first));
	c->used = used;
	c->word[end] = 0;
	assert_false(prof_stackout_sound(k, 0, second));
	c->word[end] = PROF_STACK_NOWHERE;
	c->word[second + PROF_STACK_SHAPE] = shape | 15u << PROF_STACK_CAUSE;
	assert_false(prof_stackout_sound(k, 0, second));
	c->word[second + PROF_STACK_SHAPE] = shape | 0xff;
	assert_false(prof_stackout_sound(k, 0, second));
	c->word[second + PROF_STACK_SHAPE] = shape;
	assert_true(prof_stackout_sound(k, 0, second));
}

static void what_a_name_may_not_have_is_replaced(void **state)
{
	struct prof_sample s = sample(0, PROF_USER, 0x400010);

	open_both();
	s.name = "!a~b c;d#e[f]\x7f\x80";
	machine_tick(&prof, &s);
	assert_non_null(strstr(text(PROF_STACK), "!a~b_c_d_e_f]__;[user];"));
	s.name = "abc\1def"; /* the last of a word */
	s.named = 1;
	machine_tick(&prof, &s);
	assert_non_null(strstr(text(PROF_STACK), "\nabc_def;[user];"));
}

static void a_name_has_32_characters_at_most(void **state)
{
	struct prof_sample s = sample(0, PROF_USER, 0x400010);

	open_both();
	s.name = "one-that-has-more-than-32-of-them,-all-of-which-may-be-read";
	machine_tick(&prof, &s);
	s.name = "one-that-has-exactly-32-of-them.";
	s.named = 1;
	machine_tick(&prof, &s);
	assert_non_null(strstr(text(PROF_STACK), "one-that-has-more-than-32-of-the;[user];"));
	assert_non_null(strstr(text(PROF_STACK), "one-that-has-exactly-32-of-them.;[user];"));
}

/* The shortest wait is written, and none that took no time. */
static void waits_of_no_time_are_not_written(void **state)
{
	struct prof_sample s = sample(0, PROF_PIPE, 0xc0000010);

	open_both();
	s.waited = 1;
	s.ready = 0;
	prof_stack_wait(&prof, &s);
	assert_non_null(strstr(text(PROF_WAIT), "c0000010 1\n"));
	s.at.pc = 0xc0000020;
	s.waited = 0;
	prof_stack_wait(&prof, &s);
	assert_null(strstr(text(PROF_WAIT), "c0000020"));
	s.ready = 1;
	prof_stack_wait(&prof, &s);
	assert_non_null(strstr(text(PROF_WAIT), "[ready];"));
}

/* Until a wait is counted there are no times in its entry, whatever was there before it. */
static void a_new_entry_has_no_times(void **state)
{
	struct prof_sample s = sample(0, PROF_PIPE, 0xc0000010);
	const struct prof_stack_times *t;
	struct prof_stack_cpu *c = &prof.wait.cpu[0];
	prof_addr *e;

	open_both();
	memset(c->word + c->used - prof.wait.extra, 0xff, 64 * sizeof(*c->word));
	e = prof_stackcache_find(&prof.wait, &s);
	assert_ptr_equal(e, c->word + PROF_STACK_FIRST + prof.wait.extra);
	t = (const struct prof_stack_times *)e - 1;
	assert_int_equal(e[PROF_STACK_COUNT], 0);
	assert_int_equal(t->done, 0);
	assert_int_equal(prof_stack_time(t->time[0]), 0);
	assert_int_equal(prof_stack_time(t->time[1]), 0);
	assert_non_null(strstr(text(PROF_WAIT), " waits=0 "));
}

/* The mean of periods is weighed by the ticks of each. */
static void ticks_are_as_long_as_they_were(void **state)
{
	open_both();
	prof_period(&prof, 2000); /* no tick had the one before */
	assert_non_null(strstr(text(PROF_STACK), "period_us=2000"));
	tick(0, 0xc0000010);
	tick(2, 0xc0000010);
	tick(2, 0xc0000020);
	prof_period(&prof, 5000);
	tick(1, 0xc0000010);
	assert_non_null(strstr(text(PROF_STACK), "period_us=2750"));
	prof_clear(&prof, PROF_PATHS);
	assert_non_null(strstr(text(PROF_STACK), "period_us=5000"));
}

/* By default an address is as long as the machine's are, and paths have a usual depth. */
static void what_is_not_said_is_as_usual(void **state)
{
	char wanted[40];

	open_both();
	tick(0, 0xc0000010);
	snprintf(wanted, sizeof(wanted), ";0x%0*x 1\n", (int)(2 * sizeof(prof_addr)), 0xc0000010u);
	assert_non_null(strstr(text(PROF_STACK), wanted));
	assert_int_equal(prof.stack.depth, PROF_STACK_DEPTH);
	assert_int_equal(prof.wait.depth, PROF_STACK_DEPTH);
	prof_stack_depth(&prof, 9);
	assert_int_equal(prof.stack.depth, 9);
	assert_int_equal(prof.wait.depth, 9);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_had_is_given_back),
		TEST(a_piece_that_is_missing_is_missed),
		TEST(rings_go_with_their_tables),
		TEST(tables_are_filled_to_their_ends),
		TEST(what_was_emptied_knows_no_path),
		TEST(B16_others_take_no_slot_of_the_owner),
		TEST(the_longest_path_has_room),
		TEST(all_of_a_path_is_compared),
		TEST(only_a_whole_entry_is_sound),
		TEST(what_a_name_may_not_have_is_replaced),
		TEST(a_name_has_32_characters_at_most),
		TEST(waits_of_no_time_are_not_written),
		TEST(a_new_entry_has_no_times),
		TEST(ticks_are_as_long_as_they_were),
		TEST(what_is_not_said_is_as_usual),
	};

	return RUN(tests, NULL, NULL);
}
