/* printf's family against the host's. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#include <errno.h>
#include <limits.h>
#include "tests/libc/gn.h"

static const char *const widths[] = {"", "1", "5", "23"};
static const char *const precisions[] = {"", ".", ".0", ".1", ".6", ".25"};
static const char flag_letters[] = "-0+ #";

/* Compares with the arguments given; size is part of the comparison: 0, short, enough. */
#define SAME(fmt, ...)                                                                         \
	do {                                                                                   \
		static const size_t room[] = {0, 1, 4, 100};                                   \
		for (size_t at = 0; at < nelem(room); at++) {                                  \
			char ours[100] = "xxxx", theirs[100] = "xxxx";                         \
			int n = gn_snprintf(ours, room[at], fmt, __VA_ARGS__);                 \
			int m = snprintf(theirs, room[at], fmt, __VA_ARGS__);                  \
			if (n != m || strcmp(ours, theirs) != 0)                               \
				fail_msg("%s: '%s' %d, not '%s' %d", fmt, ours, n, theirs, m); \
		}                                                                              \
	} while (0)

static void flags_text(unsigned set, char *buf)
{
	for (size_t i = 0; flag_letters[i] != '\0'; i++) {
		if (set & 1u << i)
			*buf++ = flag_letters[i];
	}
	*buf = '\0';
}

static void check_numbers(const char *start)
{
	static const long long values[] = {
		0, 1, -1, 7, 8, 255, -128, 65535, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN,
	};
	static const char letters[] = "diuxXo";
	char fmt[32];

	for (size_t l = 0; letters[l] != '\0'; l++) {
		for (size_t v = 0; v < nelem(values); v++) {
			snprintf(fmt, sizeof(fmt), "%s%c", start, letters[l]);
			SAME(fmt, (int)values[v]);
			snprintf(fmt, sizeof(fmt), "%sll%c", start, letters[l]);
			SAME(fmt, values[v]);
		}
	}
}

static void numbers(void **state)
{
	char start[24], flags[8];

	for (unsigned set = 0; set < 1u << (sizeof(flag_letters) - 1); set++) {
		flags_text(set, flags);
		for (size_t w = 0; w < nelem(widths); w++) {
			for (size_t p = 0; p < nelem(precisions); p++) {
				snprintf(start, sizeof(start), "%%%s%s%s", flags, widths[w],
					 precisions[p]);
				check_numbers(start);
			}
		}
	}
}

static void sizes(void **state)
{
	static const long values[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65536, LONG_MIN};
	static const char *const letters[] = {"d", "u", "x", "o"};
	char fmt[16];

	for (size_t l = 0; l < nelem(letters); l++) {
		for (size_t v = 0; v < nelem(values); v++) {
			snprintf(fmt, sizeof(fmt), "%%hh%s", letters[l]);
			SAME(fmt, (int)values[v]);
			snprintf(fmt, sizeof(fmt), "%%h%s", letters[l]);
			SAME(fmt, (int)values[v]);
			snprintf(fmt, sizeof(fmt), "%%l%s", letters[l]);
			SAME(fmt, values[v]);
			snprintf(fmt, sizeof(fmt), "%%z%s", letters[l]);
			SAME(fmt, (size_t)values[v]);
			snprintf(fmt, sizeof(fmt), "%%t%s", letters[l]);
			SAME(fmt, (ptrdiff_t)values[v]);
			snprintf(fmt, sizeof(fmt), "%%j%s", letters[l]);
			SAME(fmt, (intmax_t)values[v]);
		}
	}
}

static void strings(void **state)
{
	static const char *const texts[] = {"", "a", "hello", "a string longer than a width"};
	char fmt[16];

	for (unsigned left = 0; left < 2; left++) {
		for (size_t w = 0; w < nelem(widths); w++) {
			for (size_t p = 0; p < nelem(precisions); p++) {
				snprintf(fmt, sizeof(fmt), "%%%s%s%ss", left ? "-" : "", widths[w],
					 precisions[p]);
				for (size_t t = 0; t < nelem(texts); t++)
					SAME(fmt, texts[t]);
			}
			snprintf(fmt, sizeof(fmt), "%%%s%sc", left ? "-" : "", widths[w]);
			SAME(fmt, 'x');
		}
	}
	/* A precision bounds what is read: no NUL is needed. */
	SAME("%.3s", ((const char[]){'a', 'b', 'c'}));
}

static void mixed(void **state)
{
	char buf[16];

	SAME("%d%%%s|%c", 1, "two", '3');
	SAME("%*d|%-*d|%*d", 6, 1, 6, 2, -6, 3);
	SAME("%.*d|%.*d", 3, 7, -1, 7);
	SAME("%.*s", 2, "abc");
	SAME("%p %p", (void *)&buf, (void *)16);
	SAME("%20p|%-20p|", (void *)16, (void *)17);
	SAME("no conversions at all%s", "");
	assert_int_equal(gn_snprintf(buf, sizeof(buf), "%s", (char *)NULL), 6);
	assert_string_equal(buf, "(null)");
	assert_int_equal(gn_snprintf(buf, sizeof(buf), "a%c%db", 0, 5), 4);
	assert_memory_equal(buf, "a\0005b", 5);
	assert_int_equal(gn_snprintf(NULL, 0, "%0100d", 1), 100);
}

/* What is not a conversion stands for itself, and those after it are done. */
static void unknown(void **state)
{
	char buf[32];

	gn_snprintf(buf, sizeof(buf), "%y|%-5w|%d|", 5);
	assert_string_equal(buf, "%y|%-5w|5|");
	gn_snprintf(buf, sizeof(buf), "50%");
	assert_string_equal(buf, "50%");
	gn_snprintf(buf, sizeof(buf), "%-08ll");
	assert_string_equal(buf, "%-08ll");
}

static void too_long(void **state)
{
	char buf[8];

	gn_errno = 0;
	assert_int_equal(
		gn_snprintf(buf, sizeof(buf), "%*d%*d%*d", INT_MAX / 2, 1, INT_MAX / 2, 1, 100, 1),
		-1);
	assert_int_equal(gn_errno, EOVERFLOW);
	assert_string_equal(buf, "       ");
}

static void allocated(void **state)
{
	char *s;

	assert_int_equal(gn_asprintf(&s, "%d-%s", 12, "abc"), 6);
	assert_string_equal(s, "12-abc");
	gn_free(s);
}

/* Short text is one write; long text arrives whole. */
static void to_descriptor(void **state)
{
	static char long_text[3000];

	fake_reset();
	assert_int_equal(gn_dprintf(1, "%s-%d\n", "abc", 5), 6);
	assert_int_equal(fake_file[1].writes, 1);
	assert_string_equal(fake_file[1].data, "abc-5\n");
	memset(long_text, 'y', sizeof(long_text) - 1);
	fake_reset();
	fake_file[1].most = 100;
	assert_int_equal(gn_dprintf(1, "<%300s>%s", "z", long_text), 302 + 2999);
	assert_int_equal(fake_file[1].len, 302 + 2999);
	assert_string_equal(fake_file[1].data + 302, long_text);
	fake_file[1].fail = EIO;
	assert_int_equal(gn_dprintf(1, "x"), -1);
	assert_int_equal(gn_errno, EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),   cmocka_unit_test(sizes),
		cmocka_unit_test(strings),   cmocka_unit_test(mixed),
		cmocka_unit_test(unknown),   cmocka_unit_test(too_long),
		cmocka_unit_test(allocated), cmocka_unit_test(to_descriptor),
	};

	return RUN(tests, NULL, NULL);
}
