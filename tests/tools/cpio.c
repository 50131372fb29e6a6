/* tools/run/cpio.c: the bytes of the archives that it writes, and what it reads of such. */
#include "tests/test.h"
#include "tools/run/cpio.h"

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

/* The headers of a file and of the archive's end, as cpio's newc format lays them out. */
static void header(void **state)
{
	static const char want[] = "070701"
				   "00000000" "000081ED" "00000000" "00000000" "00000001"
				   "00000000" "00000006" "00000000" "00000000" "00000000"
				   "00000000" "0000000B" "00000000"
				   "run/script\0" "\0\0\0"
				   "hello\n" "\0\0"
				   "070701"
				   "00000000" "00000000" "00000000" "00000000" "00000001"
				   "00000000" "00000000" "00000000" "00000000" "00000000"
				   "00000000" "0000000B" "00000000"
				   "TRAILER!!!\0" "\0\0\0";
	struct archive a;

	begin(&a);
	assert_int_equal(cpio_file(a.f, "//run/script", 0755, "hello\n", 6, &a.why), 0);
	assert_int_equal(cpio_end(a.f, &a.why), 0);
	end(&a);
	assert_int_equal(a.n, sizeof(want) - 1);
	assert_memory_equal(a.data, want, a.n);
	free(a.data);
}

/* Names and contents of all lengths end at a multiple of 4. */
static void padding(void **state)
{
	static const struct { size_t name, data, all; } row[] = {
		{1, 0, 112},  {2, 0, 116},  {5, 0, 116},  {6, 0, 120},	{1, 1, 116},
		{1, 3, 116},  {1, 4, 116},  {1, 5, 120},  {5, 4, 120},	{300, 0, 412},
	};
	char name[301];
	struct archive a;
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		memset(name, 'a', row[i].name);
		name[row[i].name] = 0;
		begin(&a);
		assert_int_equal(cpio_file(a.f, name, 0644, "data!", row[i].data, &a.why), 0);
		end(&a);
		assert_int_equal(a.n, row[i].all);
		assert_string_equal(a.data + 110, name);
		assert_memory_equal(a.data + a.n - (row[i].data + 3) / 4 * 4, "data!", row[i].data);
		free(a.data);
	}
}

/* What no archive can hold is refused, and no part of it is written. */
static void refused(void **state)
{
	struct archive a;

	begin(&a);
	assert_int_equal(cpio_file(a.f, "", 0644, "", 0, &a.why), -1);
	assert_int_equal(cpio_file(a.f, "//", 0644, "", 0, &a.why), -1);
	assert_int_equal(cpio_file(a.f, "f", 0644, "", (size_t)UINT32_MAX + 1, &a.why), -1);
	assert_non_null(strstr(a.why.text, "f: too large"));
	end(&a);
	assert_int_equal(a.n, 0);
	free(a.data);
}

/* An archive that cannot be written is an error, at its end at the latest. */
static void full(void **state)
{
	FILE *f = fopen("/dev/full", "w");
	struct complaint why = {0};

	assert_non_null(f);
	assert_int_equal(cpio_file(f, "f", 0644, "x", 1, &why), 0);
	assert_int_equal(cpio_end(f, &why), -1);
	assert_non_null(strstr(why.text, "No space"));
	fclose(f);
}

/* Read all entries of an archive. Return how many there are; the last one stays in *e. */
static size_t count(const char *data, size_t n, struct cpio_entry *e)
{
	size_t at = 0, entries = 0;

	while (cpio_next((const uint8_t *)data, n, &at, e)) {
		assert_true(at <= n && e->data + e->n <= (const uint8_t *)data + n);
		entries++;
	}
	return entries;
}

/* What was written can be read. */
static void reading(void **state)
{
	struct cpio_entry e;
	struct archive a;
	size_t at = 0;

	begin(&a);
	cpio_file(a.f, "/bin/one", 0755, "hello", 5, &a.why);
	cpio_file(a.f, "two", 0644, "", 0, &a.why);
	cpio_end(a.f, &a.why);
	end(&a);
	assert_true(cpio_next((uint8_t *)a.data, a.n, &at, &e));
	assert_string_equal(e.path, "bin/one");
	assert_int_equal(e.mode, 0100755);
	assert_int_equal(e.links, 1);
	assert_int_equal(e.n, 5);
	assert_memory_equal(e.data, "hello", 5);
	assert_true(cpio_next((uint8_t *)a.data, a.n, &at, &e));
	assert_string_equal(e.path, "two");
	assert_int_equal(e.n, 0);
	assert_false(cpio_next((uint8_t *)a.data, a.n, &at, &e));
	free(a.data);
}

/* What is cut off anywhere, or has a wrong byte, is not read beyond its end. */
static void damaged(void **state)
{
	struct cpio_entry e;
	struct archive a;
	size_t i;
	char *cut;

	begin(&a);
	cpio_file(a.f, "bin/one", 0755, "hello", 5, &a.why);
	end(&a);
	assert_int_equal(count(a.data, a.n, &e), 1);
	for (i = 0; i < a.n; i++) {
		cut = malloc(i + 1);
		memcpy(cut, a.data, i);
		assert_int_equal(count(cut, i, &e), i >= a.n - 3);
		free(cut);
		a.data[i] ^= 0x40;
		count(a.data, a.n, &e);
		a.data[i] ^= 0x40;
	}
	free(a.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header), cmocka_unit_test(padding), cmocka_unit_test(refused),
		cmocka_unit_test(full), cmocka_unit_test(reading), cmocka_unit_test(damaged),
	};

	return RUN(tests, NULL, NULL);
}
