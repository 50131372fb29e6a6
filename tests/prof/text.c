/*
 * Text in small pieces, prof/prof_text.c: whatever the pieces' borders fall into, it is whole (A9).
 * Links: prof/prof_text.c prof/prof_pace.c
 */
#include <inttypes.h>
#include "tests/test.h"
#include "prof/prof_text.h"

#define ROOM 4096
#define SHIFTS 270 /* characters before the rest, so that it lies in each way in a piece */

/* What has been written. */
static char got[ROOM];
static size_t ngot;

static int gather(void *arg, const void *data, size_t n)
{
	assert_true(ngot + n < ROOM);
	memcpy(got + ngot, data, n);
	ngot += n;
	got[ngot] = 0;
	return *(int *)arg;
}

/* Addresses, characters and numbers, after so many characters. */
static void text_is_whole(unsigned before, uint32_t digits)
{
	static const uint64_t number[] = {
		0, 9, 10, UINT32_MAX, UINT32_MAX + 1ull, 42949672969, UINT64_MAX,
	};
	static const prof_addr steps[] = {0xfedcba98, 0xc0101234};
	int fails = 0;
	const struct prof_sink to = {.write = gather, .arg = &fails, .moved = UINTPTR_MAX};
	struct prof_text *t = calloc(1, sizeof(*t)); /* beyond which nothing may be written */
	char *wanted = NULL;
	unsigned i;

	*got = 0;
	ngot = 0;
	t->to = &to;
	for (i = 0; i < before; i++)
		prof_text_char(t, '-');
	for (i = 0; i < 8; i++) {
		prof_text_steps(t, steps, sizeof(steps) / sizeof(steps[0]), digits);
		prof_text_char(t, '+');
	}
	prof_text_print(t, " % % % % % % %", number);
	prof_text_string(t, " end");
	assert_int_equal(prof_text_end(t), 0);
	for (i = 0; i < before; i++)
		assert_int_equal(got[i], '-');
	for (i = 0; i < 8; i++) {
		assert_true(asprintf(&wanted, ";0x%0*x;0x%0*x+", (int)digits, 0xc0101234u,
				     (int)digits, 0xfedcba98u) > 0);
		assert_memory_equal(got + before + i * (7 + 2 * digits), wanted, 7 + 2 * digits);
		free(wanted);
	}
	assert_string_equal(got + before + 8 * (7 + 2 * digits),
			    " 0 9 10 4294967295 4294967296 42949672969 18446744073709551615 end");
	free(t);
}

static void pieces(void **state)
{
	for (unsigned before = 0; before < SHIFTS; before++) {
		text_is_whole(before, 8);
		text_is_whole(before, 16);
	}
}

/* A sink that fails gets no more. */
static void failing(void **state)
{
	int fails = -5;
	const struct prof_sink to = {.write = gather, .arg = &fails};
	struct prof_text t = {.to = &to};

	ngot = 0;
	for (unsigned i = 0; i < 10; i++)
		prof_text_string(&t, "a text that is not short, of which some are several pieces ");
	assert_int_equal(prof_text_end(&t), -5);
	assert_int_equal(ngot, sizeof(t.piece));
}

/* Times in other units, also those whose product with these has more than 64 bits. */
static void times(void **state)
{
	static const uint64_t time[] = {
		0, 1, 999, 1ull << 32, (1ull << 44) - 1, 1ull << 44, 19327348532532705, 1ull << 60,
	};
	static const uint32_t per_ms[] = {1, 1000, 2000000, 3999999999};

	for (size_t i = 0; i < sizeof(time) / sizeof(time[0]); i++)
		for (size_t k = 0; k < sizeof(per_ms) / sizeof(per_ms[0]); k++)
			for (uint32_t units = 1; units <= 1000000; units *= 1000)
				assert_int_equal(prof_text_in_units(time[i], per_ms[k], units),
						 (uint64_t)((unsigned __int128)time[i] * units /
							    per_ms[k]));
	assert_int_equal(prof_text_in_units(19327348532532705, 1000, 1000), 19327348532532705);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pieces), cmocka_unit_test(failing),
					    cmocka_unit_test(times)};

	return RUN(tests, NULL, NULL);
}
