/* userland/formats/ticks.c: words that tell of ticks, and what is said of those lost (C5). */
#include "tests/test.h"
#include "userland/formats/ticks.h"

/* Words of another profiler are passed over; a CPU's words end with its line. */
static void C5_words(void **state)
{
	static const char text[] = "# a=1 none profiler=gmon ticks=5 cpu=1 lost=2\nhz=6\n"
		"profiler=kprof b=x=y cpu=64 lost=7 cpu=3 lost=8\n\nc=9";
	static const struct { const char *key, *value; bool single; uint64_t cpu; } wanted[] = {
		{"a", "1", false, 0}, {"profiler", "kprof", false, 0}, {"b", "x=y", false, 0},
		{"lost", "7", true, 64}, {"lost", "8", true, 3}, {"c", "9", false, 0},
	};
	struct ticks_text t;
	struct ticks_word w;
	char value[16];
	size_t i;

	ticks_text_init(&t, text, sizeof(text) - 1, "kprof");
	for (i = 0; ticks_next(&t, &w); i++) {
		assert_true(i < sizeof(wanted) / sizeof(wanted[0]));
		assert_true(ticks_is(&w, wanted[i].key));
		ticks_copy(&w, value, sizeof(value));
		assert_string_equal(value, wanted[i].value);
		assert_int_equal(w.single, wanted[i].single);
		if (w.single)
			assert_int_equal(w.cpu, wanted[i].cpu);
	}
	assert_int_equal(i, sizeof(wanted) / sizeof(wanted[0]));
}

static void C5_numbers(void **state)
{
	static const struct { const char *text; uint64_t wanted; } rows[] = {
		{"0", 0}, {"18446744073709551615", UINT64_MAX}, {"18446744073709551616", 77},
		{"99999999999999999999", 77}, {"", 77}, {"1x", 77}, {"-1", 77},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ticks_word w = {.value = rows[i].text, .nvalue = strlen(rows[i].text)};
		uint64_t v = 77;

		ticks_number(&w, &v);
		assert_int_equal(v, rows[i].wanted);
	}
}

/* One in a hundred is no loss worth a word; a damaged number is only a number. */
static void C5_line(void **state)
{
	static const struct {
		struct ticks ticks;
		uint64_t period_us;
		unsigned helps;
		const char *wanted;
	} rows[] = {
		{{0, 0}, 0, 0, ""}, {{99, 1}, 0, 0, ""},
		{{98, 1}, 0, TICKS_RATE, "lost: 1.0 % of the ticks that were due, 1 of 99; shares "
		 "are of the 98 taken; fewer are lost at a lower rate"},
		{{1, 2}, 5000, TICKS_ICOUNT | TICKS_RATE,
		 "lost: 66.7 % of the ticks that were due, 2 of 3; "
		 "shares are of the 1 taken, 0.01 s of 0.02 s; fewer are lost by `gnomon run "
		 "--icount 3', or at a lower rate"},
		{{UINT64_MAX, UINT64_MAX}, UINT64_MAX, 31,
		 "lost: 100.0 % of the ticks that were due, 18446744073709551615 of "
		 "18446744073709551615; shares are of the 18446744073709551615 taken, "
		 "18446744073709.55 s of 18446744073709.55 s; fewer are lost with profclock=lapic, "
		 "by `gnomon run --icount 3', with turns=on, by QEMU 8.1 or later, or at a lower "
		 "rate"},
	};
	char line[TICKS_LINE];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(ticks_lost(&rows[i].ticks, "shares", rows[i].period_us,
					       rows[i].helps, line), rows[i].wanted);
}

/* Under `make run`, QEMU's -icount alone follows the host's time: what helps has sleep=off, too. */
static void C18_what_helps(void **state)
{
	unsigned turns = TICKS_TURNS | TICKS_QEMU | TICKS_RATE;

	assert_int_equal(ticks_helps("lapic", 1), TICKS_ICOUNT | TICKS_RATE);
	assert_int_equal(ticks_helps("pit", 1), TICKS_ICOUNT | TICKS_RATE);
	assert_int_equal(ticks_helps("lapic", 2), turns);
	assert_int_equal(ticks_helps("pit", 2), turns | TICKS_LAPIC);
	assert_int_equal(ticks_helps("", 0), turns | TICKS_LAPIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(C5_words), cmocka_unit_test(C5_numbers),
		cmocka_unit_test(C5_line), cmocka_unit_test(C18_what_helps),
	};

	return RUN(tests, NULL, NULL);
}
