/* <string.h>, <strings.h>, <ctype.h> and <libgen.h> against the host's. */
#include <ctype.h>
#include <strings.h>
#include "tests/libc/gn.h"

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static const char *const strings[] = {
	"",	   "a",		 "b",	 "ab",	    "abc",
	"abd",	   "aab",	 "aaab", "ABC",	    "aBc",
	"abcabd",  "  x  ",	 ":,;",	 "a:b,c;d", "\xff\x80",
	"\x01",	   "hello",	 "help", "hell",    "abcdefghijklmnopqrstuvwxyz",
	"a:b::c:", "aaaaaaaaab",
};

static void compares(void **state)
{
	for (size_t i = 0; i < nelem(strings); i++) {
		for (size_t j = 0; j < nelem(strings); j++) {
			const char *a = strings[i], *b = strings[j];

			assert_int_equal(sign(gn_strcmp(a, b)), sign(strcmp(a, b)));
			assert_int_equal(sign(gn_strcasecmp(a, b)), sign(strcasecmp(a, b)));
			for (size_t n = 0; n < 8; n++) {
				assert_int_equal(sign(gn_strncmp(a, b, n)), sign(strncmp(a, b, n)));
				assert_int_equal(sign(gn_strncasecmp(a, b, n)),
						 sign(strncasecmp(a, b, n)));
			}
		}
	}
}

static void searches(void **state)
{
	for (size_t i = 0; i < nelem(strings); i++) {
		for (size_t j = 0; j < nelem(strings); j++) {
			const char *a = strings[i], *b = strings[j];

			assert_ptr_equal(gn_strstr(a, b), strstr(a, b));
			assert_int_equal(gn_strspn(a, b), strspn(a, b));
			assert_int_equal(gn_strcspn(a, b), strcspn(a, b));
			assert_ptr_equal(gn_strpbrk(a, b), strpbrk(a, b));
			assert_ptr_equal(gn_strchr(a, b[0]), strchr(a, b[0]));
			assert_ptr_equal(gn_strchrnul(a, b[0]), strchrnul(a, b[0]));
			assert_ptr_equal(gn_strrchr(a, b[0]), strrchr(a, b[0]));
			assert_ptr_equal(gn_memchr(a, b[0], strlen(a)), memchr(a, b[0], strlen(a)));
			assert_ptr_equal(gn_memrchr(a, b[0], strlen(a)),
					 memrchr(a, b[0], strlen(a)));
		}
		assert_int_equal(gn_strlen(strings[i]), strlen(strings[i]));
		for (size_t n = 0; n < 30; n++)
			assert_int_equal(gn_strnlen(strings[i], n), strnlen(strings[i], n));
	}
	assert_ptr_equal(gn_memmem("a\0b\0c", 5, "\0c", 2) != NULL, 1);
	assert_null(gn_memmem("abc", 3, "abcd", 4));
}

/* Each pair of ends of an area and each length around the word size. */
static void memory(void **state)
{
	unsigned char ours[64], theirs[64], from[64];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 7 + 1);
	for (size_t to = 0; to < 20; to++) {
		for (size_t at = 0; at < 20; at++) {
			for (size_t n = 0; n < 40; n++) {
				memcpy(ours, from, sizeof(ours));
				memcpy(theirs, from, sizeof(theirs));
				assert_ptr_equal(gn_memmove(ours + to, ours + at, n), ours + to);
				memmove(theirs + to, theirs + at, n);
				assert_memory_equal(ours, theirs, sizeof(ours));
				gn_memcpy(ours + to, from + at, n);
				memcpy(theirs + to, from + at, n);
				assert_memory_equal(ours, theirs, sizeof(ours));
				assert_int_equal(sign(gn_memcmp(ours + to, from + to + 1, n)),
						 sign(memcmp(ours + to, from + to + 1, n)));
			}
			assert_ptr_equal(gn_memset(ours + to, (int)at + 300, at), ours + to);
			memset(theirs + to, (int)at + 300, at);
			assert_memory_equal(ours, theirs, sizeof(ours));
		}
	}
}

static void copies(void **state)
{
	char ours[64], theirs[64];

	for (size_t i = 0; i < nelem(strings); i++) {
		const char *s = strings[i];

		for (size_t n = 1; n < 32; n++) {
			memset(ours, 'x', sizeof(ours));
			memset(theirs, 'x', sizeof(theirs));
			assert_ptr_equal(gn_strncpy(ours, s, n), ours);
			strncpy(theirs, s, n);
			assert_memory_equal(ours, theirs, sizeof(ours));
			assert_int_equal(gn_strlcpy(ours, s, n), strlen(s));
			snprintf(theirs, n, "%s", s);
			assert_string_equal(ours, theirs);
			assert_int_equal(gn_strlcat(ours, "12345", n), strlen(theirs) + 5);
			strncat(theirs, "12345", n - 1 - strlen(theirs));
			assert_string_equal(ours, theirs);
			assert_ptr_equal(gn_strncat(ours, s, n), ours);
			strncat(theirs, s, n);
			assert_string_equal(ours, theirs);
		}
		assert_ptr_equal(gn_stpcpy(ours, s), ours + strlen(s));
		assert_ptr_equal(gn_strcat(ours, s), ours);
		snprintf(theirs, sizeof(theirs), "%s%s", s, s);
		assert_string_equal(ours, theirs);
		assert_ptr_equal(gn_strcpy(ours, s), ours);
		assert_string_equal(ours, s);
	}
	memset(ours, 'x', 4);
	assert_int_equal(gn_strlcpy(ours, "abc", 0), 3);
	assert_int_equal(ours[0], 'x');
	/* A destination without a NUL in its size is left alone. */
	assert_int_equal(gn_strlcat(ours, "abc", 4), 7);
	assert_memory_equal(ours, "xxxx", 4);
}

static void cuts(void **state)
{
	for (size_t i = 0; i < nelem(strings); i++) {
		for (size_t j = 0; j < nelem(strings); j++) {
			char *ours = strdup(strings[i]), *theirs = strdup(strings[i]);
			char *p = ours, *q = theirs, *s, *t, *a, *b;

			do {
				a = gn_strsep(&p, strings[j]);
				b = strsep(&q, strings[j]);
				assert_int_equal(a == NULL, b == NULL);
				if (a != NULL)
					assert_string_equal(a, b);
			} while (a != NULL);
			strcpy(ours, strings[i]);
			strcpy(theirs, strings[i]);
			for (s = ours, t = theirs; s == ours || a != NULL; s = t = NULL) {
				a = gn_strtok_r(s, strings[j], &p);
				b = strtok_r(t, strings[j], &q);
				assert_int_equal(a == NULL, b == NULL);
				if (a == NULL)
					break;
				assert_string_equal(a, b);
			}
			free(ours);
			free(theirs);
		}
	}
}

static void duplicates(void **state)
{
	char *s = gn_strdup("abc"), *t = gn_strndup("abcdef", 2);

	assert_string_equal(s, "abc");
	assert_string_equal(t, "ab");
	gn_free(s);
	gn_free(t);
}

static void classes(void **state)
{
	for (int c = -1; c < 256; c++) {
#define CLASS(name) assert_int_equal(gn_##name(c) != 0, (name)(c) != 0);
#define SAME(name) assert_int_equal(gn_##name(c), (name)(c));
		CTYPES(CLASS)
		SAME(tolower)
		SAME(toupper)
	}
}

/* Every number in abi/errno.h has a name, and no two have the same. */
static void errors(void **state)
{
	static const int numbers[] = {
		1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 11, 12, 13, 14, 16, 17, 18, 19, 20,  21,
		22, 23, 24, 25, 27, 28, 29, 30, 32, 33, 34, 36, 38, 39, 40, 71, 75, 95, 110,
	};

	for (size_t i = 0; i < nelem(numbers); i++) {
		const char *text = gn_strerror(numbers[i]);

		assert_null(strstr(text, "Unknown"));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(text, gn_strerror(numbers[j]));
	}
	assert_string_equal(gn_strerror(15), "Unknown error 15");
	assert_string_equal(gn_strerror(4000), "Unknown error 4000");
	assert_string_equal(gn_strerror(-1), "Unknown error -1");
	assert_string_equal(gn_strerror(INT32_MIN), "Unknown error -2147483648");
	assert_string_equal(gn_strsignal(2), "Interrupt");
	assert_string_equal(gn_strsignal(31), "Unknown signal");
	assert_string_equal(gn_strsignal(32), "Unknown signal");
	assert_string_equal(gn_strsignal(-1), "Unknown signal");
}

static void paths(void **state)
{
	static const struct {
		const char *path, *base, *dir;
	} row[] = {
		{"/usr/lib", "lib", "/usr"},
		{"/usr/", "usr", "/"},
		{"usr", "usr", "."},
		{"/", "/", "/"},
		{"///", "/", "/"},
		{"", ".", "."},
		{".", ".", "."},
		{"..", "..", "."},
		{"a/b/", "b", "a"},
		{"a//b//", "b", "a"},
		{"//a", "a", "/"},
	};
	char buf[32];

	for (size_t i = 0; i < nelem(row); i++) {
		strcpy(buf, row[i].path);
		assert_string_equal(gn_basename(buf), row[i].base);
		strcpy(buf, row[i].path);
		assert_string_equal(gn_dirname(buf), row[i].dir);
	}
	assert_string_equal(gn_basename(NULL), ".");
	assert_string_equal(gn_dirname(NULL), ".");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares), cmocka_unit_test(searches),
		cmocka_unit_test(memory),   cmocka_unit_test(copies),
		cmocka_unit_test(cuts),	    cmocka_unit_test(duplicates),
		cmocka_unit_test(classes),  cmocka_unit_test(errors),
		cmocka_unit_test(paths),
	};

	return RUN(tests, NULL, NULL);
}
