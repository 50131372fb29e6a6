/*
 * What a profiler was given of the profiling clock's ticks (C5, C20), drivers/clock/profspan.c:
 * from when it was switched on until it was switched off, by the clock's counts then.
 * Flags: -Wno-format
 * Links: drivers/clock/profspan.c tests/drivers/fakes.c prof/prof_block.c
 */
#include "tests/drivers/fakes.h"
#include "drivers/clock/profspan.h"
#include "kernel/machine/image.h"
#include "kernel/prof/profilers.h"
#include "prof/prof_block.h"

#define NCPU 3

extern struct prof_block prof_block; /* by this name tools find it */
struct prof profilers, *const prof = &profilers;
const uint8_t build_id_note[36];
uint64_t profclock_stood;
static uint64_t tsc; /* two cycles are a nanosecond; the machine began at 1,000,000 */
static struct clock_counts counts[NCPU];
static int held, changes;
static bool counting;
static struct profspan span;
static char shown[1000];

uint64_t rdtsc(void)
{
	return tsc;
}

uint64_t time_start(void)
{
	return 1000000;
}

uint64_t time_cycles(uint64_t cycles)
{
	return cycles / 2;
}

struct clock_counts profclock_counts(unsigned cpu)
{
	assert_in_range(cpu, 0, NCPU - 1);
	return counts[cpu];
}

void profclock_change(int more, void (*then)(void *arg), void *arg)
{
	changes++;
	held += more;
	profclock_stood = tsc;
	then(arg);
}

void profclock_status(struct profclock_status *st)
{
	*st = (struct profclock_status){"lapic", "nmi", 1000, 1001, 0};
}

void profclock_describe(struct prof_block_field *f)
{
}

int picture_print(struct picture *pic, const char *fmt, ...)
{
	size_t n = strlen(shown);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(shown + n, sizeof(shown) - n, fmt, ap);
	va_end(ap);
	return 0;
}

/* The clock goes on by that many microseconds, and gives each CPU ticks, of which some are lost. */
static void passes(uint64_t us, uint64_t ticks)
{
	tsc += us * 2000;
	for (unsigned i = 0; i < NCPU; i++) {
		counts[i].ticks += ticks * (i + 1);
		counts[i].lost += i;
	}
}

static void count(bool on)
{
	assert_int_not_equal(counting, on);
	counting = on;
}

static int power_on(void **state)
{
	ncpu = NCPU;
	span = (struct profspan){.on = false};
	memset(counts, 0, sizeof(counts));
	held = changes = 0;
	counting = false;
	tsc = 1000000;
	passes(5000, 7);
	return 0;
}

static void assert_span(uint64_t us, uint64_t ticks, uint64_t lost)
{
	struct clock_counts all = profspan_all(&span), sum = {0};
	char words[80];

	assert_int_equal(all.ticks, ticks * 6);
	assert_int_equal(all.lost, lost * 3);
	for (unsigned i = 0; i < NCPU; i++) {
		struct clock_counts n = profspan_cpu(&span, i);

		assert_int_equal(n.ticks, ticks * (i + 1));
		assert_int_equal(n.lost, lost * i);
		sum.ticks += n.ticks;
	}
	assert_int_equal(sum.ticks, all.ticks);
	shown[0] = 0;
	profspan_show(&span, "# ", NULL);
	snprintf(words, sizeof(words), " cpus=3 elapsed_us=%llu ticks=%llu lost=%llu\n",
		 (unsigned long long)us, (unsigned long long)ticks * 6,
		 (unsigned long long)lost * 3);
	assert_non_null(strstr(shown, words));
}

static void ticks_between_on_and_off_count(void **state)
{
	span.count = count;
	assert_span(0, 0, 0);
	profspan_run(&span, true);
	assert_true(span.on && counting);
	assert_int_equal(held, 1);
	assert_span(0, 0, 0);
	passes(1000, 2);
	assert_span(1000, 2, 1);
	profspan_run(&span, true); /* it is on */
	assert_int_equal(held, 1);
	assert_int_equal(changes, 1);
	passes(1000, 3);
	profspan_run(&span, false);
	assert_false(span.on || counting);
	assert_int_equal(held, 0);
	assert_span(2000, 5, 2);
	passes(4000, 100); /* nobody counts */
	assert_span(2000, 5, 2);
	profspan_run(&span, false);
	assert_int_equal(changes, 2);

	/* Adding to what is there; nothing is to be called. */
	span.count = NULL;
	profspan_run(&span, true);
	assert_false(counting);
	passes(500, 1);
	assert_span(2500, 6, 3);
	profspan_run(&span, false);
	assert_span(2500, 6, 3);
}

static void clearing_does_not_stop(void **state)
{
	span.count = count;
	profspan_run(&span, true);
	passes(1000, 2);
	profspan_clear(&span);
	assert_true(span.on && counting);
	assert_int_equal(held, 1);
	assert_span(0, 0, 0);
	passes(300, 4);
	assert_span(300, 4, 1);
	profspan_run(&span, false);
	assert_span(300, 4, 1);
	profspan_clear(&span);
	assert_false(span.on);
	assert_span(0, 0, 0);
}

/* One that is on since boot has all that the clock had. */
static void since_boot(void **state)
{
	passes(1000, 1);
	assert_int_equal(profspan_cpu(&profspan_any, 2).ticks, 24);
	assert_int_equal(profspan_cpu(&profspan_any, 2).lost, 4);
	assert_int_equal(profspan_all(&profspan_any).ticks, 48);
	shown[0] = 0;
	profspan_show(&profspan_any, "clock: ", NULL);
	assert_string_equal(shown, "clock: clock=lapic delivery=nmi hz=1000 period_us=1001 cpus=3"
				   " elapsed_us=6000 ticks=48 lost=6\n"
				   "# cpu=0 ticks=8 lost=0\n# cpu=1 ticks=16 lost=2\n"
				   "# cpu=2 ticks=24 lost=4\n");
}

/* For who looks into memory: the block leads to the profilers and to the build id. */
static void the_block_is_made(void **state)
{
	profspan_describe();
	assert_int_equal(prof_block.prof, (uintptr_t)&profilers);
	assert_int_equal(prof_block.build, (uintptr_t)build_id_note + 16);
	assert_int_not_equal(prof_block.clock, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(ticks_between_on_and_off_count, power_on),
		cmocka_unit_test_setup(clearing_does_not_stop, power_on),
		cmocka_unit_test_setup(since_boot, power_on),
		cmocka_unit_test_setup(the_block_is_made, power_on),
	};

	return RUN(tests, NULL, NULL);
}
