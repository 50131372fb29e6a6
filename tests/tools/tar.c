/* tools/tar.c: the bytes of the archives it writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tar.h"

/* An archive in memory. */
struct archive {
	FILE *f;
	char *data;
	size_t n;
	struct complaint why;
};

static void begin(struct archive *a)
{
	memset(a, 0, sizeof(*a));
	a->f = open_memstream(&a->data, &a->n);
	assert_non_null(a->f);
}

static void end(struct archive *a)
{
	fclose(a->f);
}

/* The fields of a header, as POSIX lays them out. */
static void header(void **state)
{
	struct archive a;
	unsigned i, sum = 0;

	(void)state;
	begin(&a);
	assert_int_equal(tar_file(a.f, "//run/script", 0755, "hello\n", 6, &a.why), 0);
	assert_int_equal(tar_end(a.f, &a.why), 0);
	end(&a);
	assert_int_equal(a.n, 512 + 512 + 1024);
	assert_string_equal(a.data, "run/script");
	assert_string_equal(a.data + 100, "0000755");
	assert_string_equal(a.data + 108, "0000000");
	assert_string_equal(a.data + 124, "00000000006");
	assert_string_equal(a.data + 136, "00000000000");
	assert_int_equal(a.data[156], '0');
	assert_memory_equal(a.data + 257, "ustar\00000", 8);
	for (i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)a.data[i];
	assert_int_equal(strtoul(a.data + 148, NULL, 8), sum);
	assert_memory_equal(a.data + 512, "hello\n\0\0", 8);
	free(a.data);
}

/* Content around the size of a block: its length in the archive. */
static void padding(void **state)
{
	static const struct { size_t n, blocks; } row[] = {
		{0, 0}, {1, 1}, {511, 1}, {512, 1}, {513, 2}, {1024, 2},
	};
	static const char data[1024];
	struct archive a;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		begin(&a);
		assert_int_equal(tar_file(a.f, "f", 0644, data, row[i].n, &a.why), 0);
		end(&a);
		assert_int_equal(a.n, 512 + row[i].blocks * 512);
		free(a.data);
	}
}

/* A path of n characters: `a`, but with a slash after `slash` of them (0: none). */
static int put_path(size_t n, size_t slash, char name[101], char prefix[156])
{
	struct archive a;
	char path[400];
	int r;

	memset(path, 'a', n);
	path[n] = 0;
	if (slash)
		path[slash] = '/';
	begin(&a);
	r = tar_file(a.f, path, 0644, "", 0, &a.why);
	end(&a);
	name[0] = prefix[0] = 0;
	if (r == 0) {
		snprintf(name, 101, "%.100s", a.data);
		snprintf(prefix, 156, "%.155s", a.data + 345);
	}
	free(a.data);
	return r;
}

/* Long paths are cut at a slash, and refused where there is none in the right place. */
static void paths(void **state)
{
	static const struct { size_t n, slash; int r; size_t name, prefix; } row[] = {
		{1, 0, 0, 1, 0},	 {100, 0, 0, 100, 0},	 {100, 50, 0, 100, 0},
		{101, 0, -1, 0, 0},	 {101, 50, 0, 50, 50},	 {101, 1, 0, 99, 1},
		{256, 155, 0, 100, 155}, {256, 156, -1, 0, 0},	 {256, 154, -1, 0, 0},
		{257, 156, -1, 0, 0},	 {300, 150, -1, 0, 0},	 {0, 0, -1, 0, 0},
		{200, 199, -1, 0, 0},
	};
	char name[101], prefix[156];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		assert_int_equal(put_path(row[i].n, row[i].slash, name, prefix), row[i].r);
		assert_int_equal(strlen(name), row[i].name);
		assert_int_equal(strlen(prefix), row[i].prefix);
	}
}

/* An archive that cannot be written is an error, at the latest at its end. */
static void full(void **state)
{
	FILE *f = fopen("/dev/full", "w");
	struct complaint why = {0};

	(void)state;
	assert_non_null(f);
	assert_int_equal(tar_file(f, "f", 0644, "x", 1, &why), 0);
	assert_int_equal(tar_end(f, &why), -1);
	assert_non_null(strstr(why.text, "No space"));
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header), cmocka_unit_test(padding), cmocka_unit_test(paths),
		cmocka_unit_test(full),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
