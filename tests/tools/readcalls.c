/*
 * tools/profile/readcalls.c and calls.c: durations of calls, kpcall(5); what they make of whole
 * files, of sums, and of damaged files.
 * Links: tests/tools/readers.c
 */
#include "tests/test.h"
#include "tests/tools/readers.h"

#define HEAD "# kpcall version=1 build=" ID " cpus=1 per_ms=1000000 cost=720\n"
#define CPU "# cpu=0 inside=81520 lost=4 left=1\n"
#define PAIR "0;0xc0100080;0xc0100035 3 81520 1520 9000 17520 40000 14:1 15:2\n"

static const char calls[] =
	"# kpcall version=1 build=" ID " cpus=2 per_ms=1000000 cost=720\n"
	CPU PAIR
	"0;0xc0100040;0xc0100075 1 80000 80000 0 80000 80000 16:1\n"
	"# cpu=1 inside=0 lost=3 left=0\n"
	"1;0xc0100080;0xc0100035 0 0 0 700 0 0\n"
	"# pairs=3\n";

/* T1: each number where it belongs; the time of the functions alone as samples, calls as arcs. */
static void read_calls(void **state)
{
	struct complaint why;
	struct calls_cpu all;
	struct profdata p;

	assert_true(profread_is_calls((const uint8_t *)calls, strlen(calls)));
	assert_int_equal(read_bytes(profread_calls, &p, calls, strlen(calls), &why), 0);
	assert_true(p.unit == PROFDATA_CYCLES && p.us == 0.001 && p.total == 81520);
	assert_true(p.timed.per_ms == 1000000 && p.timed.cost == 720 && p.timed.n == 3);
	assert_true(p.timed.pair[0].frompc == 0xc0100080 && p.timed.pair[0].selfpc == 0xc0100035);
	assert_true(p.timed.pair[0].times.total == 81520 && p.timed.pair[0].times.self == 1520);
	assert_true(p.timed.pair[0].times.shortest == 17520);
	assert_true(p.timed.pair[0].times.longest == 40000);
	assert_true(p.timed.pair[0].times.span[15] == 2 && p.timed.pair[0].times.asleep == 9000);
	assert_true(p.timed.pair[2].cpu == 1 && p.timed.pair[2].times.asleep == 700);
	assert_true(p.nsample == 2 && p.narc == 2 && p.arc[0].count == 3);
	assert_string_equal(p.image[p.timed.pair[0].image].buildid, ID);
	all = calls_cpus(&p.timed);
	assert_true(all.inside == 81520 && all.lost == 7 && all.left == 1);
	profdata_free(&p);
	shake(profread_calls, calls, strlen(calls));
}

/* T1, A7: what is damaged, cut off or of another version is refused, and why. */
static void refuse_calls(void **state)
{
	static const struct damaged d[] = {
		{"# kpcall version=2 cpus=1 per_ms=1 cost=0\n", "version 2 of the format"},
		{"# kpcall cpus=1 per_ms=1\n", "version 0 of the format"},
		{"# kpcall version=1 per_ms=1 cost=0\n", "line 1: cpus=N"},
		{"# kpcall version=1 cpus=0 per_ms=1 cost=0\n", "line 1: cpus=N"},
		{"# kpcall version=1 cpus=1 per_ms=0 cost=0\n", "per_ms=N"},
		{HEAD CPU PAIR, "after line 3: truncated: no line tells how many pairs"},
		{HEAD CPU PAIR "0;0xc0100080;0xc01", "line 4, which is cut short"},
		{HEAD CPU PAIR "# pairs=2\n", "damaged: 2 pairs expected, there are 1"},
		{HEAD "# pairs=0\n", "truncated: CPUs are missing"},
		{HEAD CPU CPU, "line 3: # cpu=N inside=N"},
		{HEAD "# cpu=0 inside=1\n", "line 2: # cpu=N inside=N lost=N left=N"},
		{HEAD PAIR, "line 2: a pair of the CPU"},
		{HEAD CPU "0;0xc0100080 3 1 1 0 1 1 0:3\n", "CPU;0xFROM;0xFUNCTION"},
		{HEAD CPU "0;0xc0100080;0x35 3 1 1 0 1 1 0:3\n", "addresses of one width"},
		{HEAD CPU "0;0xc0100080;0xc0100035 3 81520 1520 9000 17520 40000 14:1\n",
		 "a histogram of as many calls"},
		{HEAD CPU "0;0xc0100080;0xc0100035 1 8 9 0 8 8 3:1\n", "CALLS TOTAL SELF"},
		{HEAD CPU "0;0xc0100080;0xc0100035 1 8 8 0 9 8 3:1\n", "CALLS TOTAL SELF"},
		{HEAD CPU "0;0xc0100080;0xc0100035 2 8 8 0 4 4 64:2\n", "CALLS TOTAL SELF"},
		{HEAD CPU "0;0xc0100080;0xc0100035 2 8 8 0 4 4 2:1 2:1\n", "CALLS TOTAL SELF"},
		{HEAD CPU "0;0xc0100080;0xc0100035 1 18446744073709551616 0 0 1 1 0:1\n",
		 "CALLS TOTAL SELF"},
		{HEAD CPU PAIR "0;0xc0100040;0xc0100075 1 18446744073709551615 0 0 1 1 0:1\n",
		 "line 4: the counts add up to 2^64 or more"},
	};

	refuse(profread_calls, d, nelem(d));
}

/* T1: sums keep the shortest and the longest; what is not over has neither. */
static void add_calls(void **state)
{
	struct calls_times sum = {.asleep = 5};
	const struct calls_times some = {
		.count = 2, .total = 30, .self = 20, .shortest = 10, .longest = 20,
		.span[3] = 1, .span[4] = 1,
	};
	const struct calls_times one = {
		.count = 1, .total = 7, .self = 7, .asleep = 1, .shortest = 7, .longest = 7,
		.span[2] = 1,
	};
	const struct calls_times none = {.asleep = 3}, many = {.total = UINT64_MAX - 36};

	assert_true(calls_add(&sum, &some) && calls_add(&sum, &none) && calls_add(&sum, &one));
	assert_true(sum.count == 3 && sum.total == 37 && sum.self == 27 && sum.asleep == 9);
	assert_true(sum.shortest == 7 && sum.longest == 20);
	assert_true(sum.span[2] == 1 && sum.span[3] == 1 && sum.span[4] == 1);
	assert_false(calls_add(&sum, &many));
	assert_true(sum.total == 37 && sum.count == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_calls),
		cmocka_unit_test(refuse_calls),
		cmocka_unit_test(add_calls),
	};

	return RUN(tests, NULL, NULL);
}
