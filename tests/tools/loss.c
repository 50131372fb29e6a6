/*
 * userland/profile/loss.c: what the guest's programs say of lost ticks (C5).
 * Links: userland/profile/loss.c
 */
#include "tests/test.h"
#include "userland/profile/loss.h"

static const char kpinfo[] =
	"# kpinfo version=1 build=0123 machine=A_b memory_kb=65536 start=1f00000002\n"
	"# profiler=any clock=pit delivery=nmi hz=1000 period_us=1000 cpus=2 elapsed_us=9000000 "
	"ticks=700 lost=300\n"
	"# cpu=0 ticks=400 lost=100\n"
	"# cpu=1 ticks=300 lost=200\n"
	"# profiler=kprof clock=pit delivery=nmi hz=1000 period_us=1000 cpus=2 elapsed_us=50000 "
	"ticks=60 lost=40\n"
	"# cpu=0 ticks=40 lost=10\n"
	"# cpu=1 ticks=20 lost=30\n";

static const char kpstack[] =
	"# kpstack version=1 build=0123\n"
	"# clock=lapic delivery=irq hz=50 period_us=20000 cpus=1 elapsed_us=40000 ticks=2 lost=0\n"
	"# cpu=0 ticks=2 lost=0\n"
	"a;[user];0x00400010 2\n"
	"# period_us=20000 ticks=2 overflow=0 depth=64\n";

static void C5_what_is_parsed(void **state)
{
	static const struct {
		const char *text, *profiler;
		bool found;
		const char *clock, *delivery;
		uint32_t hz, period, ncpu;
		uint64_t start, elapsed, taken, lost, taken1, lost1;
	} cases[] = {
		{kpinfo, "any", true, "pit", "nmi", 1000, 1000, 2, 0x1f00000002, 9000000, 700, 300,
		 300, 200},
		{kpinfo, "kprof", true, "pit", "nmi", 1000, 1000, 2, 0x1f00000002, 50000, 60, 40,
		 20, 30},
		{kpinfo, "any", true, "pit", "nmi", 1000, 1000, 2, 0x1f00000002, 9000000, 700, 300,
		 300, 200},
		{kpinfo, "gmon", false, "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{kpinfo, "kpro", false, "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{kpstack, "any", true, "lapic", "irq", 50, 20000, 1, 0, 40000, 2, 0, 0, 0},
		{"", "any", false, "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{"# kpstack version=1\na;[user];0x00400010 2\n# clock=pit ticks=1\n", "any", false,
		 "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{"# clock=a-name-that-is-too-long", "any", true, "a-name-", "", 0, 0, 0, 0, 0, 0, 0,
		 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct loss l;

		print_message("# case %zu\n", i);
		assert_int_equal(loss_parse(&l, cases[i].text, cases[i].profiler), cases[i].found);
		assert_string_equal(l.clock, cases[i].clock);
		assert_string_equal(l.delivery, cases[i].delivery);
		assert_int_equal(l.hz, cases[i].hz);
		assert_int_equal(l.period_us, cases[i].period);
		assert_int_equal(l.ncpu, cases[i].ncpu);
		assert_int_equal(l.start, cases[i].start);
		assert_int_equal(l.elapsed_us, cases[i].elapsed);
		assert_int_equal(l.all.taken, cases[i].taken);
		assert_int_equal(l.all.lost, cases[i].lost);
		assert_int_equal(l.cpu[1].taken, cases[i].taken1);
		assert_int_equal(l.cpu[1].lost, cases[i].lost1);
	}
}

static void C5_what_is_said(void **state)
{
	static const struct {
		const char *clock;
		uint32_t ncpu;
		uint64_t taken, lost;
		const char *line;
	} cases[] = {
		{"pit", 2, 0, 0, ""},
		{"pit", 2, 1000, 0, ""},
		{"pit", 2, 990, 10, ""},
		{"pit", 2, 989, 11, "lost: 1.1 % of the ticks that were due, 11 of 1000; times are "
		 "of the 989 taken; fewer are lost with profclock=lapic, with turns=on, "
		 "by QEMU 8.1 or later, or at a lower rate"},
		{"pit", 1, 1, 2, "lost: 66.7 % of the ticks that were due, 2 of 3; times are of "
		 "the 1 taken; fewer are lost by `gnomon run --icount 3', or at a lower rate"},
		{"lapic", 4, 0, 7, "lost: 100.0 % of the ticks that were due, 7 of 7; times are of "
		 "the 0 taken; fewer are lost with turns=on, by QEMU 8.1 or later, "
		 "or at a lower rate"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct loss l = {.ncpu = cases[i].ncpu, .all = {cases[i].taken, cases[i].lost}};
		char line[TICKS_LINE];

		strcpy(l.clock, cases[i].clock);
		assert_string_equal(loss_line(&l, "times", line), cases[i].line);
	}
}

static void C5_what_is_new(void **state)
{
	struct loss before, now;

	loss_parse(&before, kpinfo, "kprof");
	loss_parse(&now, kpinfo, "any");
	loss_since(&now, &before);
	assert_int_equal(now.all.taken, 640);
	assert_int_equal(now.all.lost, 260);
	assert_int_equal(now.cpu[1].lost, 170);
	assert_int_equal(now.elapsed_us, 8950000);

	/* The counts were zeroed in between. */
	loss_parse(&now, kpinfo, "kprof");
	loss_parse(&before, kpinfo, "any");
	loss_since(&now, &before);
	assert_int_equal(now.all.taken, 60);
	assert_int_equal(now.cpu[0].lost, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(C5_what_is_parsed),
		cmocka_unit_test(C5_what_is_said),
		cmocka_unit_test(C5_what_is_new),
	};

	return RUN(tests, NULL, NULL);
}
