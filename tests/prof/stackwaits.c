/*
 * prof/prof_stack.c of waits and of the time line: paths of one address or two.
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define LO ((prof_addr)0xf8001000u) /* the kernel's stack */
#define W sizeof(prof_addr)

static struct prof prof;
static prof_addr kernel[64]; /* all zero: no frame has a caller */
static const char name[] = "sh";

static void begin(unsigned ncpu)
{
	machine_reset();
	prof = (struct prof){0};
	prof_stack_init(&prof, ncpu, 0xc0100999);
	prof.stack.digits = prof.wait.digits = 8;
	prof_stack_depth(&prof, 32);
	prof_period(&prof, 1000);
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	prof_start(&prof, PROF_PATHS);
}

static int power_on(void **state)
{
	begin(1);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

static char *out; /* the text that was written last */

/* Write the file of waits, or the time line. */
static const char *text(bool trace)
{
	struct prof_sink to = {.write = machine_put};
	size_t n;

	free(out);
	to.arg = open_memstream(&out, &n);
	if (trace)
		assert_int_equal(prof_trace_write(&prof, PROF_TRACE, &to), 0);
	else
		assert_int_equal(prof_stack_write(&prof, PROF_WAIT, &to), 0);
	fclose(to.arg);
	return out;
}

static const char *waits(void)
{
	return text(false);
}

static const char *trace(void)
{
	return text(true);
}

static void wait_for(unsigned cpu, enum prof_cause what, prof_addr pc, uint64_t waited,
		     uint64_t ready)
{
	struct prof_sample s = {
		.at = {pc, LO + 10 * W, 0}, .cpu = cpu, .what = what, .lo = LO,
		.hi = LO + sizeof(kernel), .stack = kernel, .pid = 7, .name = name,
		.waited = waited, .ready = ready,
	};

	prof_stack_wait(&prof, &s);
}

/* A tick at that time, as a kernel hands it on. */
static void tick_at(uint64_t time, prof_addr pc)
{
	struct prof_sample s = {
		.at = {pc, LO + 10 * W, 0}, .lo = LO, .hi = LO + sizeof(kernel), .stack = kernel,
		.pid = 7, .name = name,
	};

	machine_tick(&prof, &s);
	if (prof_wants(&prof, PROF_TRACE))
		prof_trace_tick(&prof, &s, time);
}

/* H10: times are of 64 bits, in the caller's unit, by cause, of all CPUs together. */
static void H10_waits_have_times(void **state)
{
	const uint64_t day = 86400ull * 1000 * 2500000; /* at 2.5 GHz */

	begin(2);
	assert_string_equal(waits(), "# unit=us waits=0 overflow=0 depth=32 total_us=0\n");
	assert_true(prof_stack_open(&prof, PROF_WAIT, 2500000) && prof_stack_on(&prof, PROF_WAIT));
	prof_start(&prof, PROF_PATHS);
	assert_true(prof_wants(&prof, PROF_WAIT));
	wait_for(0, PROF_PIPE, 0xc0100011, 5000, 2500);
	wait_for(1, PROF_PIPE, 0xc0100011, 2500, 0);
	wait_for(1, PROF_SLEEP, 0xc0100022, 5 * day, 2499);
	wait_for(1, PROF_KERNEL, 0xc0100033, 0, 7500);
	tick_at(0, 0xc0100011);
	assert_string_equal(waits(), "# count=2\nsh;[pipe];0xc0100011 3\n"
				     "sh;[ready];0xc0100011 1\n"
				     "# count=1\nsh;[sleep];0xc0100022 432000000000\n"
				     "# count=1\nsh;[ready];0xc0100033 3\n"
				     "# unit=us waits=4 overflow=0 depth=32 "
				     "total_us=432000000007\n");
	prof_stack_only(&prof, 8);
	wait_for(0, PROF_PIPE, 0xc0100011, 5000, 2500);
	assert_non_null(strstr(waits(), " waits=4 "));
	prof_clear(&prof, PROF_PATHS);
	assert_true(prof_wants(&prof, PROF_WAIT));
	assert_string_equal(waits(), "# unit=us waits=0 overflow=0 depth=32 total_us=0\n");
	prof_stack_close(&prof, PROF_WAIT);
	assert_false(prof_wants(&prof, PROF_WAIT));
}

/* H10: what finds no room is time that is told. */
static void H10_waits_overflow(void **state)
{
	unsigned i;

	assert_true(prof_stack_open(&prof, PROF_WAIT, 1000));
	for (i = 0; i < PROF_STACK_WORDS; i++)
		wait_for(0, PROF_LOCK, 0xc0100000 + i, 2, 1);
	assert_non_null(strstr(waits(), "\n[overflow] "));
	i = (unsigned)strtoul(strstr(waits(), "\n[overflow] ") + 12, NULL, 10);
	assert_true(i > 3 && i % 3 == 0);
	assert_int_equal(strtoul(strstr(waits(), " total_us=") + 10, NULL, 10),
			 3 * PROF_STACK_WORDS);
}

/* H9: the last ticks of a CPU, in their order, with their paths. */
static void H9_the_last_ticks_are_kept(void **state)
{
	struct prof_sample s = {.lo = LO, .hi = LO + 16, .stack = kernel, .pid = 7, .name = "sh"};
	unsigned i;

	assert_false(prof_trace_open(&prof, 3, PROF_WAIT, 1000000, 5000));
	assert_false(prof_trace_open(&prof, 0, 0, 1000000, 5000));
	assert_false(prof_trace_open(&prof, UINT32_MAX, 0, 1000000, 5000));
	assert_true(prof_trace_open(&prof, 3, 0, 1000000, 5000));
	prof_start(&prof, PROF_PATHS);
	for (i = 0; i < 6; i++)
		tick_at(10000 + 1000 * i, 0xc0100011 + i / 4);
	prof_stack_only(&prof, 8);
	tick_at(20000, 0xc0100011);
	prof_stack_only(&prof, PROF_STACK_EVERY);
	assert_string_equal(trace(), "# cpu=0 records=4 overwritten=2\n"
				     "7 0 7 sh;[kernel];0xc0100011\n"
				     "8 0 7 sh;[kernel];0xc0100011\n"
				     "9 0 7 sh;[kernel];0xc0100012\n"
				     "10 0 7 sh;[kernel];0xc0100012\n");
	assert_true(prof_stack_open(&prof, PROF_WAIT, 1000000));
	assert_true(prof_trace_open(&prof, 4, PROF_WAIT, 1000000, 5000));
	prof_start(&prof, PROF_PATHS);
	tick_at(10000, 0xc0100011);
	prof_trace_switch(&prof, &s, 9999); /* before that tick, but noted later */
	tick_at(11500, 0xc0100011);
	s.pid = 9;
	s.name = "cat";
	s.named = 1;
	prof_trace_switch(&prof, &s, 11000); /* during it, the process was the one before */
	assert_string_equal(trace(), "# cpu=0 records=4 overwritten=0\n"
				     "4 0 7 sh;[switch]\n5 0 7 sh;[kernel];0xc0100011\n"
				     "6 0 7 sh;[kernel];0xc0100011\n6 0 9 cat;[switch]\n");
	prof_trace_off(&prof, 13000);
	assert_non_null(strstr(trace(), "\n6 0 9 cat;[switch]\n8 0 0 off;[switch]\n"));
	prof_clear(&prof, PROF_PATHS);
	assert_string_equal(trace(), "# cpu=0 records=0 overwritten=0\n");
	prof_trace_woken(&prof, 0, 9, false, 12000);
	prof_trace_woken(&prof, 0, 7, false, 14000);
	s.what = PROF_PIPE;
	prof_trace_switch(&prof, &s, 13000); /* that another is woken changes no process */
	assert_string_equal(trace(), "# cpu=0 records=1 overwritten=0\n"
				     "# woken=9 us=7\n8 0 9 cat;[switch]\n# wait=[pipe]\n"
				     "# woken=7 us=9\n");
	prof_stack_close(&prof, PROF_WAIT);
	assert_false(prof_wants(&prof, PROF_TRACE));
	for (i = 0; i < 2; i++) {
		machine.allocs_left = 0;
		assert_false(prof_trace_open(&prof, 4, 0, 1000000, 0));
	}
	machine.allocs_left = -1;
	assert_true(prof_trace_open(&prof, 4, 0, 1000000, 0));
	prof_stack_close(&prof, PROF_STACK);
	assert_int_equal(prof.trace.size, 0);
}

/* A process of that number runs from that time on. */
static void runs_at(uint32_t pid, bool others, uint64_t time)
{
	struct prof_sample s = {.lo = LO, .hi = LO + 16, .stack = kernel, .pid = pid,
				.name = "p", .named = 9, .others = others};

	prof_trace_switch(&prof, &s, time);
}

/* B16: what other users do takes no record of what the owner's processes did, and when. */
static void B16_others_have_a_ring_of_their_own(void **state)
{
	unsigned i;

	assert_true(prof_stack_open(&prof, PROF_WAIT, 1000000));
	assert_true(prof_trace_open(&prof, 4, PROF_WAIT, 1000000, 0));
	prof_start(&prof, PROF_PATHS);
	runs_at(7, false, 1000);
	tick_at(2000, 0xc0100011); /* of process 7, the owner's */
	runs_at(20, true, 3000); /* when hers ended is hers */
	for (i = 4; i < 100; i += 3) {
		runs_at(0, false, 1000 * i); /* an idle CPU, for as long as it is theirs */
		prof_trace_woken(&prof, 0, 21, true, 1000 * i + 1000);
		runs_at(21, true, 1000 * i + 2000);
	}
	assert_string_equal(trace(), "# cpu=0 records=6 overwritten=92\n"
				     "1 0 7 p;[switch]\n2 0 7 sh;[kernel];0xc0100011\n"
				     "3 0 20 p;[switch]\n"
				     "96 0 21 p;[switch]\n"
				     "97 0 0 p;[switch]\n# woken=21 us=98\n99 0 21 p;[switch]\n");
	runs_at(7, false, 103000); /* and when she comes again */
	prof_trace_woken(&prof, 0, 7, false, 104000);
	runs_at(20, true, 105000);
	assert_string_equal(trace(), "# cpu=0 records=6 overwritten=94\n"
				     "3 0 20 p;[switch]\n96 0 21 p;[switch]\n"
				     "97 0 0 p;[switch]\n# woken=21 us=98\n99 0 21 p;[switch]\n"
				     "103 0 7 p;[switch]\n# woken=7 us=104\n105 0 20 p;[switch]\n");

	/* Where hers are lost, what others did before is not told, for she may have run then. */
	prof_clear(&prof, PROF_PATHS);
	runs_at(20, true, 1000);
	runs_at(21, true, 2000);
	for (i = 3; i < 9; i++)
		runs_at(i, false, 1000 * i);
	runs_at(20, true, 9000);
	runs_at(21, true, 10000);
	assert_string_equal(trace(), "# cpu=0 records=5 overwritten=5\n"
				     "6 0 6 p;[switch]\n7 0 7 p;[switch]\n8 0 8 p;[switch]\n"
				     "9 0 20 p;[switch]\n10 0 21 p;[switch]\n");
}

/* H13: marks, the last of each class, in a form that cannot end a line; none while it is off. */
static void H13_marks_have_their_room(void **state)
{
	struct prof_trace_mark m = {.time = 8000, .pid = 9, .cpu = 1, .text = "a b"};
	char *at;

	prof_trace_mark(&prof, 0, &m); /* no table */
	assert_true(prof_trace_open(&prof, 4, 0, 1000000, 5000));
	prof_trace_mark(&prof, 0, &m); /* it is not on */
	prof_start(&prof, PROF_PATHS);
	prof_trace_mark(&prof, 0, &m);
	m.pid = 7;
	for (unsigned i = 0; i < PROF_TRACE_MARKS + 2; i++) {
		m.time = 10000 + 1000 * i;
		prof_trace_mark(&prof, 1, &m);
	}
	at = strchr(trace(), '\n') + 1;
	assert_memory_equal(at, "# mark=9 cpu=1 us=3 a b\n# mark=7 cpu=1 us=7 a b\n", 48);
	assert_non_null(strstr(at, "us=134 a b\n"));
	prof_clear(&prof, PROF_PATHS);
	assert_null(strstr(trace(), "mark"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(H10_waits_have_times),
		TEST(H10_waits_overflow),
		TEST(H9_the_last_ticks_are_kept),
		TEST(B16_others_have_a_ring_of_their_own),
		TEST(H13_marks_have_their_room),
	};
	int bad = RUN(tests, NULL, NULL);

	free(out);
	return bad;
}
