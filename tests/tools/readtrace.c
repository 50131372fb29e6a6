/*
 * tools/profile/readstacks.c of waits, and readtrace.c: what they make of whole files, and of
 * damaged ones.
 * Links: tests/tools/readers.c
 */
#include "tests/test.h"
#include "tests/tools/readers.h"

static const char waits[] =
	"# kpwait version=1 build=" ID "\n"
	"sort;[pipe];0x00401234;0xc0101234;0xc0105678 1234567\n"
	"sort;[ready];0x00401234;0xc0101234;0xc0105678 2500\n"
	"sh;[child];0x00401234;0xc0101234 5000000000\n"
	"sh;[sleep];[cut];0xc0101234 3\n"
	"sh;[lock];0xc0101234 4\n"
	"sh;[device];0xc0101234 5\n"
	"[overflow] 17\n"
	"# unit=us waits=1234 overflow=17 depth=64 total_us=5001237096\n";

/* H10: microseconds, by what was waited for. */
static void read_waits(void **state)
{
	static const uint32_t first[] = {0x401234, 0xc0101234, 0xc0105678};
	static const struct damaged d[] = {
		{"# kpwait version=1\nsh;[kernel];0xc0101234 4\n", "line 2: NAME;[MODE]"},
		{"# kpwait version=1\nsh;[lock];0xc0101234 4\n# unit=us waits=1 total_us=5\n",
		 "5 us expected, the lines have 4"},
		{"# kpwait version=1\nsh;[lock];0xc0101234 4\n", "no line tells how many us"},

	};
	static const char sumless[] = "# kpwait version=1\nsh;[lock];0xc0101234 4\n"
				      "# unit=us waits=1 overflow=0 depth=64\n";
	static const struct damaged ticks = {"sh;[lock];0xc0101234 4\n", "NAME;[MODE]"};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_waits((const uint8_t *)waits, strlen(waits)));
	assert_false(profread_is_stacks((const uint8_t *)waits, strlen(waits)));
	assert_int_equal(read_bytes(profread_waits, &p, waits, strlen(waits), &why), 0);
	assert_true(p.unit == PROFDATA_MICROSECONDS && p.us == 1 && p.has_modes);
	assert_true(p.total == 5001237096 && p.by_mode[PROFDATA_CHILD] == 5000000000);
	assert_int_equal(p.nsample, 7);
	expect_sample(&p, 0, 1234567, PROFDATA_PIPE, 3, first);
	expect_sample(&p, 1, 2500, PROFDATA_READY, 3, first);
	expect_sample(&p, 6, 17, PROFDATA_NPATH, 0, NULL);
	assert_true(profdata_ms(&p, 2500) == 2.5);
	assert_string_equal(p.image[p.frame[1].image].buildid, ID);
	profdata_free(&p);
	shake(profread_waits, waits, strlen(waits));
	refuse(profread_waits, d, nelem(d));
	refuse(profread_stacks, &ticks, 1);
	assert_int_equal(read_bytes(profread_waits, &p, sumless, strlen(sumless), &why), 0);
	profdata_free(&p);
}

static const char trace[] =
	"# kptrace version=1 build=" ID " cpus=2\n"
	"# cpu=0 records=4 overwritten=123\n"
	"12345678 0 7 sh;[kernel];0x00401234;0xc0101230\n"
	"12345680 0 7 sh;[kernel];0x00401234;0xc0101230\n"
	"# woken=9 us=12345990\n"
	"12346000 0 9 cat;[switch]\n"
	"# wait=[pipe]\n"
	"12346000 0 9 cat;[user];[cut];0x00401234\n"
	"# cpu=1 records=2 overwritten=2\n"
	"345678 1 0 idle;[idle];0xc0101230\n"
	"345679 1 3 ?;[overflow]\n";

/* H9: the ticks and changes of process in their order, and the paths of the ticks. */
static void read_trace(void **state)
{
	static const uint32_t pc[] = {0x401234, 0xc0101230};
	static const struct damaged d[] = {
		{"# kptrace version=1\n5 0 7 sh;[user];0x00401234\n", "line 2: # cpu=N"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n"
		 "5 0 7 sh;[user];0x00401234\n", "truncated: records are missing"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n"
		 "5 0 7 sh;[user];0x00401234\n# cpu=1 records=0 overwritten=0\n",
		 "1 records of cpu0 are missing"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n"
		 "5 0 7 sh;[switch]\n4 0 7 sh;[switch]\n", "line 4: a time that is not before"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n5 1 7 sh;[switch]\n",
		 "line 3: a record of the CPU"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n5 0 sh;[switch]\n",
		 "TIME CPU PID PATH"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n5 0 7 ;[switch]\n",
		 "NAME;[MODE]"},
		{"# kptrace version=1\n# cpu=0 records=1 overwritten=0\n"
		 "5 0 7 a;[pipe];0x00401234\n",
		 "NAME;[MODE]"},
		{"# kptrace version=1\n# cpu=0 records=2\n", "overwritten=N"},
		{"# kptrace version=1\n# cpu=0 records=0 overwritten=0\n# wait=[pipe]\n",
		 "line 3: a wait, after the record"},
		{"# kptrace version=1\n# cpu=0 records=1 overwritten=0\n"
		 "5 0 7 sh;[switch]\n# wait=[idle]\n", "line 4: a wait"},
		{"# kptrace version=1\n# cpu=0 records=0 overwritten=0\n# woken=7\n",
		 "# woken=PID us=TIME"},
		{"# kptrace version=1 cpus=2\n# cpu=0 records=0 overwritten=0\n",
		 "CPUs are missing"},
		{"# kptrace version=1\n", "CPUs are missing"},
		{"# kptrace\n", "version"},
	};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_trace((const uint8_t *)trace, strlen(trace)));
	assert_int_equal(read_bytes(profread_trace, &p, trace, strlen(trace), &why), 0);
	assert_true(p.total == 5 && p.nsample == 4 && p.overwritten == 125 && p.nrecord == 6);
	expect_sample(&p, 0, 2, PROFDATA_KERNEL, 2, pc);
	expect_sample(&p, 3, 1, PROFDATA_NPATH, 0, NULL);
	assert_true(p.record[1].us == 12345680 && p.record[1].pid == 7 && !p.record[1].sample);
	assert_true(p.record[2].sample == PROFDATA_NONE && p.record[2].pid == 9);
	assert_string_equal(p.name[p.record[2].process], "cat");
	assert_true(p.record[2].wait == PROFDATA_PIPE && p.record[3].wait == 0);
	assert_true(p.nwoken == 1 && p.woken[0].us == 12345990 && p.woken[0].pid == 9);
	assert_true(p.record[4].cpu == 1 && p.record[4].sample == 2);
	assert_string_equal(p.image[p.frame[0].image].name, "sh");
	profdata_free(&p);
	shake(profread_trace, trace, strlen(trace));
	refuse(profread_trace, d, nelem(d));
}

/* R8: of functions; a path counts the instructions up to the next record. */
static void read_functions(void **state)
{
	static const uint32_t pc[] = {0xc0100010, 0xc0100100};
	static const char text[] =
		"# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000 build=" ID "\n"
		"# kernel=/boot/my.elf\n"
		"# cpu=0 records=5 overwritten=9\n"
		"100 0 0 guest;[kernel];0xc0100000\n"
		"110 0 0 guest;[kernel];0xc0100010;0xc0100100\n"
		"125 0 0 guest;[kernel];0xc0100010\n"
		"130 0 0 guest;[kernel];0xc0100010;0xc0100100\n"
		"137 0 0 off;[switch]\n";
	static const struct damaged d[] = {
		{"# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000\n"
		 "# cpu=0 records=2 overwritten=0\n0 0 0 g;[user];0x00401234\n"
		 "18446744073709551615 0 0 g;[switch]\n# cpu=1 records=2 overwritten=0\n"
		 "0 1 0 g;[user];0x00401234\n1 1 0 g;[switch]\n", "add up to 2^64 or more"},
	};
	struct complaint why;
	struct profdata p;

	assert_int_equal(read_bytes(profread_trace, &p, text, strlen(text), &why), 0);
	assert_true(p.unit == PROFDATA_EXECUTED && p.total == 37 && p.nrecord == 5);
	expect_sample(&p, 1, 15 + 7, PROFDATA_KERNEL, 2, pc);
	expect_sample(&p, 2, 5, PROFDATA_KERNEL, 1, pc);
	assert_int_equal(p.overwritten, 9);
	assert_string_equal(p.image[p.frame[0].image].path, "/boot/my.elf");
	profdata_free(&p);
	shake(profread_trace, text, strlen(text));
	refuse(profread_trace, d, nelem(d));
}

/* For profdata_filter(). */
static bool is_idle(const struct profdata *p, const struct profdata_sample *s, void *unused)
{
	return s->mode == PROFDATA_IDLE;
}

/* H9: what is left out takes its records along. */
static void part_of_trace(void **state)
{
	struct complaint why;
	struct profdata p;

	assert_int_equal(read_bytes(profread_trace, &p, trace, strlen(trace), &why), 0);
	profdata_filter(&p, is_idle, NULL);
	assert_true(p.nrecord == 2 && p.record[0].sample == PROFDATA_NONE);
	assert_true(p.record[1].sample == 0 && p.nsample == 1 && p.total == 1);
	profdata_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_waits), cmocka_unit_test(read_trace),
		cmocka_unit_test(part_of_trace), cmocka_unit_test(read_functions),
	};

	return RUN(tests, NULL, NULL);
}
