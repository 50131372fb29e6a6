/*
 * T5, the flight recorder: entries and returns in the rings of prof/prof_trace.c, and the trigger.
 * Links: tests/prof/machine.c tests/prof/callmachine.c
 */
#include "tests/test.h"
#include "tests/prof/callmachine.h"

#define NOW 1000000 /* when the machine begins: what times are shown from */
#define RECORDS 8

static char *out; /* the text that was written last */

/* Have RECORDS be kept of each CPU; a unit of time is a nanosecond. */
static void record(void)
{
	assert_true(prof_trace_open(&prof, RECORDS, PROF_CALLS, 1000000, NOW));
	prof_start(&prof, PROF_ALL);
	prof_trace_run(&prof, 0, 7, false);
	prof_trace_run(&prof, 1, 9, false);
}

static int begin_recording(void **state)
{
	begin(2);
	prof_stack_init(&prof, 2, 0x999);
	prof.stack.digits = 4;
	assert_true(prof_stack_open(&prof, PROF_STACK, 1));
	record();
	return 0;
}

/* Return the file, of the first CPU only. */
static const char *trace(void)
{
	struct prof_sink to = {.write = machine_put};
	size_t n;

	free(out);
	to.arg = open_memstream(&out, &n);
	assert_int_equal(prof_trace_write(&prof, PROF_TRACE, &to), 0);
	fclose(to.arg);
	return out;
}

/* A call of that length, which the trigger looks at. */
static void call_of(prof_addr function, uint64_t length)
{
	call(0x11, function);
	now += length;
	ret();
}

static bool recording(void)
{
	return prof_wants(&prof, PROF_TRACE);
}

static void T5_entries_and_returns(void **state)
{
	call(0x11, 0xa0);
	now += 5;
	call(0xa5, 0xb0);
	now += 30;
	ret();
	now += 1000000000; /* a second: nanoseconds are exact all the same */
	ret();
	assert_string_equal(trace(), "# cpu=0 records=0 overwritten=0\n"
				     "# call=7 ns=0;0x00a0\n# call=7 ns=5;0x00b0\n"
				     "# return=7 ns=35;0x00b0\n# return=7 ns=1000000035;0x00a0\n"
				     "# cpu=1 records=0 overwritten=0\n");
}

static void T5_the_last_ones_stay(void **state)
{
	for (unsigned i = 0; i < 10; i++)
		call_of(0xa0 + i, 1);
	assert_non_null(strstr(trace(), "# cpu=0 records=0 overwritten=12\n"
					"# call=7 ns=6;0x00a6\n"));
	assert_non_null(strstr(out, "# return=7 ns=10;0x00a9\n# cpu=1 "));
	prof_clear(&prof, PROF_CALLS); /* what records refer to is gone, and so are they */
	assert_null(strstr(trace(), "call="));
}

/* They are of the process that runs, in the ring of its class, on the CPU where it is. */
static void T5_whose_calls(void **state)
{
	for (unsigned i = 0; i < 5; i++)
		call_of(0xa0, 1);
	call(0x11, 0xb0);
	prof_trace_run(&prof, 0, 20, true);
	for (unsigned i = 0; i < 3; i++)
		call_of(0xc0, 1);
	machine_cpu = 1; /* the thread has gone there */
	run(threads);
	prof_trace_run(&prof, 1, 7, false);
	ret();
	assert_int_equal(prof.trace.ring[0][0].n, 11);
	assert_int_equal(prof.trace.ring[0][1].n, 6);
	assert_non_null(strstr(trace(), "# call=20 ns=5;0x00c0\n"));
	assert_non_null(strstr(out, "# cpu=1 records=0 overwritten=0\n# return=7 ns=8;0x00b0\n"));
	machine_cpu = 0;
}

/* Nothing is recorded of what is off, nor while the file is written, nor without the word. */
static void T5_only_while_it_is_on(void **state)
{
	prof_stop(&prof, PROF_TRACE);
	call_of(0xa0, 1);
	prof_trace_run(&prof, 0, 7, false); /* a change of process does not turn it on */
	call_of(0xa0, 1);
	assert_null(strstr(trace(), "call="));
	prof_start(&prof, PROF_TRACE);
	call_of(0xa0, 1);
	assert_non_null(strstr(trace(), "call=7 ns=2;"));
	call_of(0xa0, 1); /* writing has turned it on again */
	assert_non_null(strstr(trace(), "call=7 ns=3;"));
	assert_true(prof_trace_open(&prof, RECORDS, 0, 1000000, NOW));
	prof_start(&prof, PROF_ALL);
	call_of(0xa0, 1);
	assert_null(strstr(trace(), "call="));
	assert_int_equal(number(arc(0x11, 0xa0)), 5);
}

static void T5_not_without_its_tables(void **state)
{
	prof_call_close(&prof, PROF_CALLS);
	assert_int_equal(prof.trace.size, 0);
	assert_false(prof_trace_open(&prof, RECORDS, PROF_CALLS, 1000000, NOW));
	assert_true(prof_call_open(&prof, PROF_CALLS, 1));
	record();
	prof_stack_close(&prof, PROF_STACK);
	assert_int_equal(prof.trace.size, 0);
	call_of(0xa0, 1); /* goes nowhere */
}

/* Where a machine's stub notes them, C does not. */
static void T5_a_stub_notes_them_itself(void **state)
{
	cpu()->stub = true;
	call_of(0xa0, 1);
	assert_null(strstr(trace(), "call="));
	cpu()->stub = false;
}

/* The first call that takes so long ends the records: it is the last of them. */
static void T5_a_slow_call_is_caught(void **state)
{
	for (unsigned i = 0; i < 20; i++)
		call_of(0xa0, 1 + i); /* longer ones before the limit is set */
	prof_trace_trigger(&prof, 0xa0, 15, 0);
	assert_null(strstr(trace(), "call=")); /* nothing is known of those */
	call_of(0xa0, 14);
	assert_in_range(arc(0x11, 0xa0)->most, 1, 14);
	call_of(0xb0, 100);
	assert_true(recording());
	call_of(0xa0, 15);
	assert_false(recording());
	call_of(0xa0, 16);
	assert_non_null(strstr(trace(), "# return=7 ns=339;0x00a0\n# cpu=1"));
	assert_non_null(strstr(out, "\n# mark=7 cpu=0 us=0 trigger\n"));
	prof_start(&prof, PROF_ALL); /* does not overwrite it, */
	assert_false(recording());
	prof_clear(&prof, PROF_ALL); /* but with this it waits again */
	prof_start(&prof, PROF_ALL);
	assert_null(strstr(trace(), "trigger"));
	call_of(0xa0, 15);
	assert_false(recording());
	prof_trace_trigger(&prof, 0, 0, 0);
	prof_start(&prof, PROF_ALL);
	call_of(0xa0, 1000);
	assert_true(recording());
}

static void T5_limits_of_all_lengths(void **state)
{
	static const uint64_t limit[] = {1, UINT32_MAX, 1ull << 32, 1ull << 40};

	for (unsigned i = 0; i < nelem(limit); i++) {
		prof_clear(&prof, PROF_ALL);
		prof_start(&prof, PROF_ALL);
		prof_trace_trigger(&prof, 0xa0, limit[i], 0);
		call_of(0xa0, limit[i] - 1);
		call_of(0xa0, limit[i] - 1);
		assert_true(recording());
		if (limit[i] <= UINT32_MAX)
			assert_true(arc(0x11, 0xa0)->most < limit[i]);
		call_of(0xa0, limit[i]);
		assert_false(recording());
	}
}

/* B16: A process of others than the owner ends no records, however slow its calls are. */
static void B16_others_fire_no_trigger(void **state)
{
	prof_trace_trigger(&prof, 0xa0, 15, 0);
	prof_trace_run(&prof, 0, 20, true);
	call_of(0xa0, 100);
	assert_true(recording());
	assert_int_equal(arc(0x11, 0xa0)->longest, 100);
	prof_trace_run(&prof, 0, 7, false);
	call_of(0xa0, 15);
	assert_false(recording());
}

/* Records go on for the time that was asked for: a tick then ends them. */
static void T5_some_time_after(void **state)
{
	struct prof_sample s = {.pid = 7, .what = PROF_USER, .at = {.pc = 0x77}, .name = "sh"};

	prof_trace_trigger(&prof, 0xa0, 10, 100);
	prof_trace_tick(&prof, &s, now);
	call_of(0xa0, 10);
	call_of(0xb0, 50);
	prof_trace_tick(&prof, &s, now + 49);
	assert_true(recording());
	call_of(0xa0, 20); /* the first has been caught */
	prof_trace_tick(&prof, &s, now + 30);
	assert_false(recording());
	assert_non_null(strstr(trace(), "# return=7 ns=80;0x00a0\n"));
	assert_non_null(strstr(out, "# mark=7 cpu=0 us=0 trigger\n"));
}

/* What the kernel takes for a reason, such as a mark that somebody made. */
static void T5_a_word(void **state)
{
	prof_stop(&prof, PROF_TRACE);
	prof_trace_fire(&prof, 1, 2, NOW); /* while it is off there is nothing to keep */
	prof_start(&prof, PROF_ALL);
	assert_true(recording());
	prof_trace_fire(&prof, 1, 3, NOW + 5000);
	prof_trace_fire(&prof, 1, 4, NOW + 5000);
	assert_false(recording());
	assert_non_null(strstr(trace(), "# mark=3 cpu=1 us=5 trigger\n"));
	assert_null(strstr(out, "mark=4"));
	assert_null(strstr(out, "mark=2"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, begin_recording, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(T5_entries_and_returns),
		TEST(T5_the_last_ones_stay),
		TEST(T5_whose_calls),
		TEST(T5_only_while_it_is_on),
		TEST(T5_not_without_its_tables),
		TEST(T5_a_stub_notes_them_itself),
		TEST(T5_a_slow_call_is_caught),
		TEST(T5_limits_of_all_lengths),
		TEST(B16_others_fire_no_trigger),
		TEST(T5_some_time_after),
		TEST(T5_a_word),
	};
	int bad = RUN(tests, NULL, NULL);

	free(out);
	return bad;
}
