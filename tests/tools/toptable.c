/*
 * tools/guest/toptable.c: the table of gnomon top, of two looks that are known.
 * Links: tests/tools/elfdata.c
 */
#include <unistd.h>
#include "tests/test.h"
#include "tests/tools/elfdata.h"
#include "tools/guest/toptable.h"
#include "tools/memory.h"

#define TEXT 0xc0100000u
#define BUCKETS 32
#define LARGE (8u << 20) /* of the greatest counts a thousand times as many are more than 2^64 */

static const struct elfdata_symbol kernel[] = {
	{"ktzero", TEXT, 0, 'n'},
	{"etext", TEXT + BUCKETS * 8, 0, 'n'},
	{"busy", TEXT + 64, 16, 'F'},
	{"cpu_idle", TEXT + 80, 16, 'F'},
};

static uint32_t cells[2][2][BUCKETS]; /* of each look, of each CPU */
static struct look look[2];
static struct symbols symbols;

/* Two looks a second apart, at two CPUs of which one was in `busy` and one idle. */
static void make_looks(void)
{
	unsigned i, cpu;

	memset(cells, 0, sizeof(cells));
	memset(look, 0, sizeof(look));
	for (i = 0; i < 2; i++) {
		look[i].kprof.nbucket = BUCKETS;
		look[i].kprof.first = TEXT + (PROF_KPROF_SPECIAL << PROF_KPROF_LOG2);
		look[i].kprof.shift = 3;
		look[i].kprof.ncpu = 2;
		look[i].kprof.pace.us = 1000;
		for (cpu = 0; cpu < 2; cpu++)
			look[i].kprof.cell[cpu] = cells[i][cpu];
		look[i].khz = 2000000;
		look[i].ns = (1 + i) * 1000000000ull;
		look[i].process[0] = (struct inside_process){.pid = 7, .name = "cat"};
		look[i].nprocess = 1;
		look[i].clock = (struct runinfo){.cpus = 2, .period_us = 1000};
	}
	look[1].process[0].time = 1900000000; /* cycles: 950 ms */
}

static struct toptable t = {.lines = 24, .columns = 120};

/* Check that the table has this. */
static void expect_table(const char *wanted, bool there)
{
	struct memory_stream to;

	memory_stream_open(&to);
	toptable_print(to.f, &look[1], &look[0], &symbols, &t);
	memory_stream_close(&to);
	if (!strstr(to.data, wanted) == there)
		fail_msg("\"%s\" is%s in \"%s\"", wanted, there ? " not" : "", to.data);
	free(to.data);
}

/* Row 7: however many ticks came, a process has the share of the guest's time that it had. */
static void shares(void **state)
{
	make_looks();
	cells[1][0][8] = 950;
	cells[1][1][10] = 1000;
	look[1].clock.all.taken = 1950;
	look[1].clock.all.lost = 5;
	expect_table("    95.0      950000      7 cat\n", true);
	expect_table("    48.7         950  busy\n", true);
	expect_table("lost", false);
	cells[1][0][8] = 95;
	cells[1][1][10] = 100;
	look[0].clock.all = (struct ticks){.taken = 1000, .lost = 1000};
	look[1].clock.all = (struct ticks){.taken = 1195, .lost = 2805};
	expect_table("    95.0      950000      7 cat\n", true);
	expect_table("lost: 90.3 % of the ticks that were due, 1805 of 2000; times are of the 195 "
		     "taken, 0.20 s of 2.00 s; fewer are lost with profclock=lapic", true);
}

/* H4: what a CPU did, and what was lost, are parts of its time that add up to 100 %. */
static void whole(void **state)
{
	make_looks();
	cells[1][0][8] = 333;
	cells[1][0][10] = 333;
	cells[1][0][PROF_KPROF_OUTSIDE] = 333;
	cells[1][1][10] = 2;
	look[1].clock.cpu[1].lost = 1;
	expect_table("cpu0 [#############==============             ] kernel  33.4 %  "
		     "outside  33.3 %  idle  33.3 %\n", true);
	expect_table("cpu1 [-------------                           ] kernel   0.0 %  "
		     "outside   0.0 %  idle  66.7 %  lost  33.3 %\n", true);
	expect_table("    33.2         333  busy\n", true);
	t.columns = 80;
	expect_table("cpu0 [####=====    ] kernel  33.4 %", true);
	t.columns = 40;
	expect_table("cpu0 k  33.4  o  33.3  i  33.3\n", true);
	expect_table("cpu1 k   0.0  o   0.0  i  66.7  l  33.3\n", true);
	t.columns = 120;
	t.color = true;
	expect_table("cpu0 [\033[31m#############\033[32m==============\033[0m      ", true);
	t.color = false;
	look[0].clock.cpus = 0; /* the first look could not tell */
	expect_table("idle 100.0 %\n", true);
	look[0].clock.cpus = 2;
	look[1].clock.cpu[1].lost = UINT64_MAX; /* as a guest may say, and as many ticks */
	expect_table("idle   0.0 %  lost 100.0 %\n", true);
	look[1].clock.cpu[0].lost = 5;
	memset(cells[1][0], 0xff, sizeof(cells[1][0]));
	expect_table(" kernel  88.9 %  outside   3.7 %  idle   7.4 %  lost   0.0 %\n", true);
}

/* H14: a guest that makes up buckets may have more ticks than can be multiplied. */
static void made_up(void **state)
{
	uint32_t *cell[2] = {memory_zeroed(LARGE, sizeof(uint32_t)),
			     memory_zeroed(LARGE, sizeof(uint32_t))};
	unsigned i;

	make_looks();
	memset(cell[1], 0xff, LARGE * sizeof(uint32_t));
	for (i = 0; i < 2; i++) {
		look[i].kprof.nbucket = LARGE;
		look[i].kprof.ncpu = 1;
		look[i].kprof.cell[0] = cell[i];
	}
	expect_table(" kernel 100.0 %  outside   0.0 %  idle   0.0 %\n", true);
	free(cell[0]);
	free(cell[1]);
}

/* H4: with many CPUs and few lines, the others share one; their ticks count among all. */
static void many(void **state)
{
	unsigned i, cpu;

	make_looks();
	for (i = 0; i < 2; i++) {
		look[i].kprof.ncpu = 9;
		for (cpu = 2; cpu < 9; cpu++)
			look[i].kprof.cell[cpu] = cells[i][1];
	}
	cells[1][0][8] = 100;
	cells[1][1][8] = 50;
	cells[1][1][10] = 50;
	t.lines = 16;
	expect_table("cpu3 [", true);
	expect_table("cpu4 [", false);
	expect_table("cpu4 to 8 [####################                    ] kernel  50.0 %", true);
	expect_table("    55.6         500  busy\n", true);
	t.lines = 24;
	expect_table("cpu7 [", false);
	expect_table("cpu6 [", true);
	expect_table("cpu7 to 8 [", true);
}

/* H4: rows are sorted as is asked, and only those with some letters are shown. */
static void rows(void **state)
{
	make_looks();
	cells[1][0][8] = 10;
	cells[1][0][10] = 90;
	look[1].process[1] = (struct inside_process){
		.pid = 3, .name = "busybody", .time = 10000000,
	};
	look[1].nprocess = 2;
	expect_table("90  cpu_idle\n    10.0          10  busy\n", true);
	expect_table("7 cat\n     0.5        5000      3 busybody\n", true);
	t.sort = TOPTABLE_NAME;
	expect_table("10  busy\n    90.0          90  cpu_idle\n", true);
	expect_table("3 busybody\n    95.0      950000      7 cat\n", true);
	t.sort = TOPTABLE_NUMBER;
	expect_table("10  busy\n    90.0          90  cpu_idle\n", true);
	expect_table("3 busybody\n    95.0      950000      7 cat\n", true);
	t.sort = TOPTABLE_SHARE;
	t.filter = "BUS";
	expect_table("function\n    10.0          10  busy\n\n", true);
	expect_table("process\n     0.5        5000      3 busybody\n", true);
	t.filter = NULL;
	t.mark = true;
	t.row = 1;
	expect_table("\n\033[7m    10.0          10  busy\033[0m\n", true);
	assert_string_equal(t.symbol->name, "busy");
	t.row = 70;
	expect_table("\033[7m    10.0          10  busy", true);
	assert_int_equal(t.row, 1);
	t.filter = "none";
	expect_table("\033[7m", false);
	assert_null(t.symbol);
	t.filter = NULL;
	t.mark = false;
}

/* Without kprof there are no ticks, but processes have their time. */
static void off(void **state)
{
	make_looks();
	expect_table("kprof is off", true);
	expect_table("    95.0      950000      7 cat\n", true);
	look[1].ns = look[0].ns;
	expect_table("     0.0      950000      7 cat\n", true);
	look[0].clock.cpus = 0; /* the first look could not tell */
	look[1].clock.all.lost = 5000;
	expect_table("lost", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares), cmocka_unit_test(whole),
		cmocka_unit_test(made_up), cmocka_unit_test(many), cmocka_unit_test(rows),
		cmocka_unit_test(off),
	};
	struct complaint why;
	char path[64];
	int failed;

	snprintf(path, sizeof(path), "/tmp/gnomon-toptable.%d", getpid());
	elfdata_write(path, kernel, sizeof(kernel) / sizeof(kernel[0]), NULL);
	if (symbols_load(&symbols, path, &why) < 0)
		return 1;
	unlink(path);
	failed = RUN(tests, NULL, NULL);
	symbols_free(&symbols);
	return failed;
}
