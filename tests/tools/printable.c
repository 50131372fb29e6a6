/*
 * tools/printable.c: what of a text reaches people as it is, and how the rest is shown (B17).
 * Links: tools/printable.c tools/texts.c tools/distinct.c tools/memory.c
 */
#include <stdio.h>
#include "tests/test.h"
#include "tools/printable.h"

static const struct {
	const char *text, *shown;
} cases[] = {
	{"", ""},
	{"plain, with a\ttab", "plain, with a\ttab"},
	{"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9f",
	 "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\x9f"},
	{"\033[6n\a\r\n\x7f", "\\x1b[6n\\x07\\x0d\\x0a\\x7f"},
	{"\xc2\x9b" "6n\xc2\xa0", "\\x9b6n\xc2\xa0"},
	{"a\xe2\x80\xae" "b\xe2\x81\xa6\xe2\x80\xa8\xef\xbb\xbf", "a\\u202eb\\u2066\\u2028\\ufeff"},
	{"caf\xe9", "caf?"},
	{"\xe9t\xe9 \x9b" "6n", "?t? ?6n"},
	{"\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xf4\x90\x80\x80", "????????????"},
	{"\xe2\x82", "??"},
	{"\xf3\xa0\x80\xa1", "\\ue0021"},
};

#define NCASES (sizeof(cases) / sizeof(cases[0]))

static void shown(void **state)
{
	struct texts kept = {.n = 0};
	char cut[64];

	for (size_t i = 0; i < NCASES; i++) {
		char *s = printable(cases[i].text);

		assert_string_equal(s, cases[i].shown);
		assert_string_equal(printable_kept(&kept, cases[i].text), s);
		assert_ptr_equal(printable_kept(&kept, s), s);
		printable_cut(cut, sizeof(cut), cases[i].text);
		assert_string_equal(cut, s);
		free(s);
	}
	assert_null(printable_kept(&kept, NULL));
	texts_free(&kept);
}

/* What is cut is cut between characters, and never too long. */
static void cut(void **state)
{
	static const char *const wanted[] = {
		"", "a", "a", "a", "a", "a\\x1b", "a\\x1b", "a\\x1b\xc3\xbc", "a\\x1b\xc3\xbc",
	};
	char to[16];

	for (size_t room = 1; room <= sizeof(wanted) / sizeof(wanted[0]); room++) {
		memset(to, '!', sizeof(to));
		printable_cut(to, room, "a\033\xc3\xbc");
		assert_string_equal(to, wanted[room - 1]);
		assert_int_equal(to[room], '!');
	}
}

/* No byte, nor two, reach a terminal as control characters or as what is no UTF-8. */
static void all_bytes(void **state)
{
	char text[3] = "", *s;

	for (unsigned i = 1; i < 0x10000; i++) {
		text[0] = (char)(i >> 8);
		text[1] = (char)i;
		s = printable(text);
		for (const char *c = s; *c; c++)
			assert_true((unsigned char)*c >= ' ' || *c == '\t');
		assert_null(strstr(s, "\xc2\x9b"));
		free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shown),
		cmocka_unit_test(cut),
		cmocka_unit_test(all_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
