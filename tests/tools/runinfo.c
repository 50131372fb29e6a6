/* tools/profile/runinfo.c: how a profile was counted, from FILE.run and kpstack's comments. C5 */
#include "tests/test.h"
#include "tools/memory.h"
#include "tools/profile/runinfo.h"

static const char text[] =
	"build=1234\nqemu=7.2.22\naccel=tcg\nmodel=max,-smap\nmemory_mb=64\nicount=3\ncpus=1\n"
	"profiler=any clock=pit delivery=nmi hz=1000 period_us=1000 cpus=2 elapsed_us=9000000 "
	"ticks=9000 lost=9000\n"
	"cpu=0 ticks=6000 lost=3000\n"
	"cpu=1 ticks=3000 lost=6000\n"
	"profiler=kprof clock=pit delivery=nmi hz=1000 period_us=1000 cpus=2 elapsed_us=500000 "
	"ticks=750 lost=250\n"
	"cpu=0 ticks=450 lost=50\n"
	"cpu=1 ticks=300 lost=200\n"
	"profiler=gmon clock=pit ticks=0 lost=0\n"
	"cpu=0 ticks=0 lost=0\n";

/* Read a text. */
static struct runinfo read_text(const char *profiler, const char *words)
{
	struct runinfo r = {.cpus = 0};

	runinfo_words(&r, profiler, words, strlen(words));
	return r;
}

/* What is written for the whole, or as kpstack's comments; the caller frees it. */
static char *written(const struct runinfo *r, void (*print)(const struct runinfo *r, FILE *to))
{
	struct memory_stream to;

	memory_stream_open(&to);
	print(r, to.f);
	memory_stream_close(&to);
	return to.data;
}

/* Check what is written, and that it reads as what it was written of. */
static void expect_written(const struct runinfo *r, const char *wanted)
{
	char *now = written(r, runinfo_print);
	struct runinfo again = read_text(r->profiler, now);

	assert_string_equal(now, wanted);
	assert_memory_equal(r, &again, sizeof(again));
	free(now);
}

/* Each profiler has its ticks; one that has none has seen what all have. */
static void sections(void **state)
{
	struct runinfo r = read_text("kprof", text);

	assert_string_equal(r.build, "1234");
	assert_string_equal(r.model, "max,-smap");
	assert_true(r.memory_mb == 64 && r.hz == 1000 && r.period_us == 1000 && r.cpus == 2);
	assert_true(r.elapsed_us == 500000 && r.all.taken == 750 && r.all.lost == 250);
	assert_true(r.cpu[0].taken == 450 && r.cpu[1].lost == 200 && runinfo_ncpu(&r) == 2);
	r = read_text("gmon", text);
	assert_true(r.all.taken == 9000 && r.cpu[1].lost == 6000);
	assert_string_equal(r.profiler, "any");
}

static void odd_text(void **state)
{
	char long_one[200] = "model=";
	struct runinfo r;

	r = read_text("kprof", "# cpu=63 ticks=1\n# cpu=64 ticks=7 lost=7\ncpu=x lost=9 ticks=9\n"
		      "hz=12x ticks= lost=99999999999999999999 a==b =c d\n\n   # period_us=5");
	assert_true(runinfo_ncpu(&r) == 64 && r.cpu[63].taken == 1);
	assert_true(r.hz == 0 && r.all.taken == 0 && r.all.lost == 0 && r.period_us == 5);
	memset(long_one + 6, 'm', sizeof(long_one) - 7);
	r = read_text("kprof", long_one);
	assert_int_equal(strlen(r.model), RUNINFO_TEXT - 1);
	assert_int_equal(*r.icount, 0);
}

/* What is written can be read again, and nothing in a text can pass for something else. */
static void writing(void **state)
{
	struct runinfo r = read_text("kprof", text);
	char *now = written(&r, runinfo_print_clock);

	assert_string_equal(now, "# clock=pit delivery=nmi hz=1000 period_us=1000 cpus=2 "
			    "elapsed_us=500000 ticks=750 lost=250\n"
			    "# cpu=0 ticks=450 lost=50\n# cpu=1 ticks=300 lost=200\n");
	free(now);
	expect_written(&r, "build=1234\nqemu=7.2.22\naccel=tcg\nmodel=max,-smap\nmemory_mb=64\n"
		       "icount=3\nprofiler=kprof clock=pit delivery=nmi hz=1000 period_us=1000 "
		       "cpus=2 elapsed_us=500000 ticks=750 lost=250\n"
		       "cpu=0 ticks=450 lost=50\ncpu=1 ticks=300 lost=200\n");
	r = (struct runinfo){.all.taken = 1, .cpu[0].taken = 1};
	expect_written(&r, "ticks=1 lost=0\ncpu=0 ticks=1 lost=0\n");
	r = (struct runinfo){.model = "a lost=3\nb"};
	now = written(&r, runinfo_print);
	assert_string_equal(now, "model=a_lost=3_b\n");
	free(now);
	r = (struct runinfo){.cpus = 0};
	expect_written(&r, "");
}

static void completing(void **state)
{
	struct runinfo all = read_text("any", text), own;

	own = read_text("kprof", "# clock=lapic ticks=5 lost=0\n# cpu=1 ticks=5 lost=0");
	runinfo_complete(&own, &all);
	assert_string_equal(own.clock, "lapic");
	assert_string_equal(own.qemu, "7.2.22");
	assert_true(own.hz == 1000 && own.all.lost == 0 && own.elapsed_us == 0);
	assert_true(own.cpu[0].taken == 0 && own.cpu[1].taken == 5);
	own = read_text("kprof", "clock=lapic");
	runinfo_complete(&own, &all);
	assert_true(own.all.lost == 9000 && own.elapsed_us == 9000000 && own.cpu[1].lost == 6000);
}

static void adding(void **state)
{
	struct runinfo a = read_text("kprof", text), b = a, none = {.cpus = 2};

	strcpy(b.model, "qemu32");
	b.hz = 100;
	assert_true(runinfo_add(&a, &b));
	assert_true(a.all.taken == 1500 && a.all.lost == 500 && a.elapsed_us == 1000000);
	assert_true(a.cpu[0].lost == 100 && a.cpu[1].lost == 400 && a.cpus == 2 && a.hz == 0);
	assert_int_equal(*a.model, 0);
	assert_string_equal(a.qemu, "7.2.22");
	assert_false(runinfo_add(&a, &none));
	assert_true(a.all.taken == 0 && a.all.lost == 0 && a.cpu[1].lost == 0 && a.cpus == 2);
}

/* H14: a sum that has no room is the greatest number. */
static void adding_much(void **state)
{
	struct runinfo a = read_text("any", "elapsed_us=18446744073709551615 ticks=7 lost=9\n"
				     "cpu=0 ticks=18446744073709551615 lost=9"), b = a;

	a.all.taken = b.all.lost = UINT64_MAX - 1;
	assert_true(runinfo_add(&a, &b));
	assert_true(a.elapsed_us == UINT64_MAX && a.cpu[0].taken == UINT64_MAX);
	assert_true(a.all.taken == UINT64_MAX && a.all.lost == UINT64_MAX);
	assert_int_equal(a.cpu[0].lost, 18);
}

/* A line says what was lost, and only what may help. */
static void loss(void **state)
{
	static const struct { const char *words, *wanted; } row[] = {
		{"ticks=99 lost=1", NULL}, {"", NULL}, {"ticks=5 lost=0", NULL},
		{"ticks=97 lost=3 cpus=1 icount=3 period_us=10000",
		 "lost: 3.0 % of the ticks that were due, 3 of 100; times are of the 97 taken, "
		 "0.97 s of 1.00 s; fewer are lost at a lower rate"},
		{"ticks=1 lost=3 cpus=4 icount=3 qemu=7.2.22 clock=pit",
		 "lost: 75.0 % of the ticks that were due, 3 of 4; times are of the 1 taken; fewer "
		 "are lost with profclock=lapic, with turns=on, or by QEMU 8.1 or later"},
		{"ticks=1 lost=3 cpus=4 icount=3 qemu=8.1.0 clock=lapic", "lost at a lower"},
		{"ticks=1 lost=3 cpus=4 icount=3 qemu=8.0.5 clock=lapic",
		 "lost with turns=on, or by QEMU 8.1 or later"},
		{"ticks=1 lost=3 cpus=4 icount=off qemu=7.2 clock=lapic",
		 "lost at a lower rate"},
		{"ticks=1 lost=3 cpus=1 icount=off qemu=7.2",
		 "lost by `gnomon run --icount 3', or at a lower rate"},
		{"ticks=1 lost=3 cpus=1 icount=auto", "lost by `gnomon run --icount 3', or at"},
		{"ticks=1 lost=3 cpus=4 icount=off accel=kvm", "lost with profclock=lapic, or"},
		{"ticks=0 lost=18446744073709551615 cpus=1 icount=3", "lost: 100.0 %"},
	};
	struct runinfo r;
	size_t i;
	char *now;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		r = read_text("any", row[i].words);
		now = runinfo_loss(&r);
		if (!row[i].wanted)
			assert_null(now);
		else if (!now || !strstr(now, row[i].wanted))
			fail_msg("\"%s\" not in \"%s\"", row[i].wanted, now ? now : "nothing");
		free(now);
	}
}

/* Row 10: CPUs that lose different shares cannot be added as they are. */
static void uneven(void **state)
{
	struct runinfo r = read_text("kprof", text);

	assert_true(runinfo_uneven(&r));
	r = read_text("any", "cpu=0 ticks=50 lost=50\ncpu=1 ticks=500 lost=500\ncpu=2 ticks=0");
	assert_false(runinfo_uneven(&r));
	r = read_text("any", "cpu=0 ticks=995 lost=5\ncpu=1 ticks=1000 lost=0");
	assert_false(runinfo_uneven(&r));
	r = read_text("any", "cpu=0 ticks=985 lost=15\ncpu=1 ticks=1000 lost=0");
	assert_true(runinfo_uneven(&r));
	r = read_text("any", "ticks=1 lost=1");
	assert_false(runinfo_uneven(&r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections), cmocka_unit_test(odd_text), cmocka_unit_test(writing),
		cmocka_unit_test(completing), cmocka_unit_test(adding),
		cmocka_unit_test(adding_much), cmocka_unit_test(loss), cmocka_unit_test(uneven),
	};

	return RUN(tests, NULL, NULL);
}
