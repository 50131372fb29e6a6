/*
 * tools/merge: files of every kind, cut short anywhere or with any bit changed, are refused by
 * their reader, or added up so that the same reader can read the sum.
 */
#include "tests/test.h"
#include "tools/merge/merge.h"
#include "tools/profile/profread.h"

#define ID "abcd000000000000000000000000000000000000"

typedef const struct merge_kind merger;

/* Add files up, and write the sum. Return 0, or -1: they do not fit each other. */
static int add_up(merger *kind, struct merge_file *file, size_t n, FILE *out)
{
	struct merge m = {.us = file[0].prof.us};
	void *sum = calloc(1, kind->size);
	struct complaint why;
	int bad = 0;
	size_t i;

	for (i = 0; i < n && !bad; i++) {
		bad = kind->add(sum, &file[i], &why);
		if (!bad && kind->add_bytes)
			kind->add_bytes(sum, &file[i]);
	}
	if (!bad)
		kind->write(sum, &m, out);
	kind->free(sum);
	free(sum);
	return bad;
}

/* Check that a sum has twice the samples and calls of one file. */
static void expect_twice(const struct profdata *sum, const struct profdata *one)
{
	uint64_t calls = 0, calls_sum = 0;
	size_t i;

	for (i = 0; i < one->narc; i++)
		calls += one->arc[i].count;
	for (i = 0; i < sum->narc; i++)
		calls_sum += sum->arc[i].count;
	assert_int_equal(sum->total, 2 * one->total);
	assert_int_equal(calls_sum, 2 * calls);
	assert_int_equal(sum->by_mode[PROFDATA_OUTSIDE], 2 * one->by_mode[PROFDATA_OUTSIDE]);
	assert_true(sum->us == one->us && sum->unit == one->unit);
	assert_string_equal(sum->format, one->format);
}

/* Add a file to itself if it can be read. Return whether it could be. */
static bool twice(merger *add, const uint8_t *data, size_t n)
{
	struct merge_file file[2] = {{.path = "a", .n = n}, {.path = "b", .n = n}};
	struct complaint why;
	struct profdata sum;
	size_t size;
	char *text;
	FILE *out;
	bool good;
	int i;

	for (i = 0; i < 2; i++) {
		file[i].data = calloc(1, n + 1);
		memcpy(file[i].data, data, n);
	}
	good = profread_data(&file[0].prof, "a", file[0].data, n, &why) == 0;
	if (good && file[0].prof.total < UINT32_MAX / 2) {
		assert_int_equal(profread_data(&file[1].prof, "b", file[1].data, n, &why), 0);
		out = open_memstream(&text, &size);
		/* a change may have made it a file of another kind, which `add` is not for */
		if (strcmp(file[0].prof.format, "prf") != 0 && add_up(add, file, 2, out) == 0) {
			fflush(out);
			if (profread_data(&sum, "sum", (uint8_t *)text, size, &why) < 0)
				fail_msg("%s", why.text);
			expect_twice(&sum, &file[0].prof);
			profdata_free(&sum);
		}
		fclose(out);
		free(text);
		profdata_free(&file[1].prof);
	}
	if (good)
		profdata_free(&file[0].prof);
	free(file[0].data);
	free(file[1].data);
	return good;
}

/* Try the file as it is, every beginning of it, and every bit changed. */
static void shake(merger *add, bool (*is)(const uint8_t *data, size_t n), const void *data,
		  size_t n)
{
	uint8_t *copy = malloc(n);
	size_t i;

	assert_true(twice(add, data, n));
	for (i = 0; i < 9 * n; i++) {
		memcpy(copy, data, n);
		if (i >= n)
			copy[(i - n) / 8] ^= 1 << (i - n) % 8;
		if (is(copy, i < n ? i : n))
			twice(add, copy, i < n ? i : n);
	}
	free(copy);
}

static void kpdata(void **state)
{
	static const uint8_t data[] = {
		0, 0, 0, 100, 0, 0, 0, 60, 0, 0, 1, 244, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 0, 3,
		0, 0, 0, 10, 0, 0, 0, 20, 0, 0, 0, 10,
	};

	shake(&merge_kpdata, profread_is_kpdata, data, sizeof(data));
}

static void gmon(void **state)
{
	static const char gnu[] =
		"gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\0\0\0\x10\xc0\x10\0\x10\xc0\4\0\0\0\xe8\3\0\0seconds\0\0\0\0\0\0\0\0s"
		"\xff\xff\1\0\0\0\7\0"
		"\1\4\0\x10\xc0\x10\0\x10\xc0\xff\xff\xff\xff";
	static const char blocks[] = "\2\1\0\0\0\0\0\x10\xc0\1\0\0\0";
	uint8_t all[sizeof(gnu) + sizeof(blocks)];
	static const char bsd[] =
		"\0\0\x10\xc0\x10\0\x10\xc0\x28\0\0\0\x79\x18\5\0\xe8\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\1\0\2\0\0\0\xff\xff"
		"\4\0\x10\xc0\x10\0\x10\xc0\3\0\0\0";

	shake(&merge_gmon, profread_is_gmon, gnu, sizeof(gnu) - 1);
	shake(&merge_gmon, profread_is_gmon, bsd, sizeof(bsd) - 1);
	memcpy(all, gnu, sizeof(gnu) - 1);
	memcpy(all + sizeof(gnu) - 1, blocks, sizeof(blocks) - 1);
	assert_true(twice(&merge_gmon, all, sizeof(gnu) + sizeof(blocks) - 2));
}

static void stacks(void **state)
{
	static const char text[] =
		"# kpstack version=1 build=" ID "\n"
		"sh;[kernel];0x00401234;0xc0101230;0xc0104567 17\n"
		"deep;[user];[cut];0x00401234;0x00401235 14\n"
		"[overflow] 5\n"
		"# period_us=500 ticks=36 overflow=5 depth=32\n";

	shake(&merge_stacks, profread_is_stacks, text, sizeof(text) - 1);
}

static void modules(void **state)
{
	static const char text[] =
		"gnomon modules 2 sampling 1000\n"
		"module sh /bin/sh 00400000 " ID "\n"
		"0 3\n17 42\n"
		"module a\\040b\\134 /tmp/a\\040b - -\n"
		"5 1\n"
		"end 6\n";

	shake(&merge_modules, profread_is_modules, text, sizeof(text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kpdata),
		cmocka_unit_test(gmon),
		cmocka_unit_test(stacks),
		cmocka_unit_test(modules),
	};

	return RUN(tests, NULL, NULL);
}
