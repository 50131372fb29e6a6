/*
 * tools/profile/kpdata.c:
 * reading, every kind of damage, and which function gets a bucket (K4, K5, K6, K12).
 * Links: tests/tools/elfdata.c
 */
#include <unistd.h>
#include "tests/test.h"
#include "tests/tools/elfdata.h"
#include "tools/profile/kpdata.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define NBUCKET 64
#define KTZERO 0xc0100000u

static char path[64];

/* Text of 64 buckets; `first` begins right after the six that the special counts replace. */
static const struct elfdata_symbol kernel[] = {
	{"ktzero", KTZERO, 0, 'n'},
	{"etext", KTZERO + NBUCKET * 8 - 3, 0, 'n'},
	{"first", KTZERO + 48, 16, 'F'},
	{"second", KTZERO + 64, 12, 'f'}, /* ends inside bucket 9 */
	{"third", KTZERO + 76, 20, 'F'},  /* bucket 9's first byte is not its own */
	{"hole", KTZERO + 96, 8, 'F'},    /* nothing covers buckets 13 to 15 */
	{"last", KTZERO + 128, 0, 'F'},   /* without a size: to the end */
};

static void set(uint8_t *p, unsigned i, uint32_t v)
{
	p[4 * i] = v >> 24;
	p[4 * i + 1] = v >> 16;
	p[4 * i + 2] = v >> 8;
	p[4 * i + 3] = v;
}

/* Make a file with these counts from bucket 6 on. */
static void make(uint8_t p[4 * NBUCKET], uint32_t outside, const uint32_t *count, unsigned n)
{
	uint32_t total = outside;
	unsigned i;

	memset(p, 0, 4 * NBUCKET);
	for (i = 0; i < n; i++) {
		set(p, 6 + i, count[i]);
		total += count[i];
	}
	set(p, 0, total);
	set(p, 1, outside);
	set(p, 2, 1000);
	set(p, 3, NBUCKET);
	set(p, 4, 4);
	set(p, 5, 3);
}

/* K4: big-endian, six special counts, buckets at their own place. */
static void read_file(void **state)
{
	static const uint32_t count[] = {0x01020304, 0, 5};
	uint8_t p[4 * NBUCKET];
	struct complaint why;
	struct kpdata k;
	unsigned i;

	make(p, 7, count, nelem(count));
	assert_int_equal(kpdata_parse(&k, p, sizeof(p), &why), 0);
	assert_int_equal(k.total, 0x01020304 + 5 + 7);
	assert_int_equal(k.outside, 7);
	assert_int_equal(k.us, 1000);
	assert_int_equal(k.nbucket, NBUCKET);
	for (i = 0; i < 6; i++)
		assert_int_equal(k.count[i], 0);
	assert_int_equal(k.count[6], 0x01020304);
	assert_int_equal(k.count[8], 5);
	kpdata_free(&k);
}

/* Counts of another size, with as much text in the special counts' place. */
static void other_sizes(void **state)
{
	uint8_t p[24 + 8] = {0};
	struct complaint why;
	struct kpdata k;

	set(p, 0, 0x0102 + 3);
	set(p, 2, 1);
	set(p, 3, 16);
	set(p, 4, 2);
	set(p, 5, 2);
	p[24] = 1;
	p[25] = 2;
	p[31] = 3;
	assert_int_equal(kpdata_parse(&k, p, sizeof(p), &why), 0);
	assert_int_equal(k.count[12], 0x0102);
	assert_int_equal(k.count[15], 3);
	kpdata_free(&k);
}

/* H14: counts of 8 bytes whose sum is the total only if 2^64 is left out of it. */
static void sum_does_not_wrap(void **state)
{
	uint8_t p[24 + 16] = {0};
	struct complaint why;
	struct kpdata k;

	set(p, 0, 105);
	set(p, 2, 1);
	set(p, 3, 5);
	set(p, 4, 8);
	set(p, 5, 3);
	memset(p + 24, 0xff, 8); /* -5 */
	p[31] = 0xfb;
	p[39] = 110;
	assert_int_equal(kpdata_parse(&k, p, sizeof(p), &why), -1);
	assert_non_null(strstr(why.text, "add up to 18446744073709551615"));
}

/* A special count that is changed, or the file's length, and the reason that is given. */
static const struct {
	unsigned at;
	uint32_t value;
	size_t length;
	const char *why;
} damaged[] = {
	{0, 11, 256, "the counts add up to 10"},	{1, 3, 256, "the total is 10 ticks"},
	{2, 0, 256, "a tick of 0"},			{3, 65, 256, "truncated"},
	{3, 63, 256, "damaged"},			{3, 0, 256, "damaged"},
	{3, 0x40000040, 256, "truncated"},		{4, 0, 256, "buckets of 0 bytes"},
	{4, 3, 256, "buckets of 3"},			{4, 8, 256, "truncated"},
	{4, 0x04000000, 256, "no kpdata file"},		{5, 17, 256, "2^17"},
	{5, 0xffffffff, 256, "no kpdata file"},		{6, 5, 256, "add up to 14"},
	{63, 1, 256, "add up to 11"},			{0, 10, 252, "truncated"},
	{0, 10, 255, "no multiple of 4"},		{0, 10, 0, "truncated: 0 bytes"},
	{0, 10, 20, "the header alone"},		{0, 10, 24, "truncated"},
};

static void damage(void **state)
{
	static const uint32_t count[] = {1, 7};
	uint8_t p[4 * NBUCKET];
	struct complaint why;
	struct kpdata k;
	size_t i;

	for (i = 0; i < nelem(damaged); i++) {
		make(p, 2, count, nelem(count));
		set(p, damaged[i].at, damaged[i].value);
		assert_int_equal(kpdata_parse(&k, p, damaged[i].length, &why), -1);
		assert_non_null(strstr(why.text, damaged[i].why));
	}
}

/* A row of the report. */
static void expect(const struct kpdata_row *row, uint64_t ticks, const char *name)
{
	assert_int_equal(row->ticks, ticks);
	if (name)
		assert_string_equal(row->name, name);
	else
		assert_null(row->name);
}

/* K12: a bucket belongs to the function that covers its first byte; the most ticks come first. */
static void attribute(void **state)
{
	/* Buckets 6 to 17, and the last one, 63. */
	static const uint32_t count[NBUCKET - 6] = {
		1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 1, 2, [NBUCKET - 7] = 4,
	};
	struct kpdata_row *row;
	uint8_t p[4 * NBUCKET];
	struct complaint why;
	struct symbols s;
	struct kpdata k;
	size_t n;

	elfdata_write(path, kernel, nelem(kernel), NULL);
	assert_int_equal(symbols_load(&s, path, &why), 0);
	make(p, 100, count, nelem(count));
	assert_int_equal(kpdata_parse(&k, p, sizeof(p), &why), 0);
	assert_int_equal(kpdata_fits(&k, &s, &why), 0);
	row = kpdata_by_symbol(&k, &s, &n);
	assert_int_equal(n, 6);
	expect(&row[0], 8 + 9, NULL);
	expect(&row[1], 5 + 6, "third");
	expect(&row[2], 7, "hole");
	expect(&row[3], 1 + 2 + 4, "last");
	expect(&row[4], 3 + 4, "second");
	expect(&row[5], 1 + 2, "first");
	free(row);
	kpdata_free(&k);
	symbols_free(&s);
}

/* The number of buckets tells one kernel's text from another's. */
static void fit(void **state)
{
	static const struct { uint32_t text; int r; } size[] = {
		{NBUCKET * 8 - 8, -1}, {NBUCKET * 8 - 7, 0},
		{NBUCKET * 8, 0}, {NBUCKET * 8 + 1, -1},
	};
	struct symbols s = {.ktzero = KTZERO};
	struct kpdata k = {.nbucket = NBUCKET, .size = 4, .shift = 3};
	struct complaint why;
	size_t i;

	for (i = 0; i < nelem(size); i++) {
		s.etext = KTZERO + size[i].text;
		assert_int_equal(kpdata_fits(&k, &s, &why), size[i].r);
	}
	assert_non_null(strstr(why.text, "another kernel"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_file), cmocka_unit_test(other_sizes),
		cmocka_unit_test(sum_does_not_wrap),
		cmocka_unit_test(damage), cmocka_unit_test(attribute), cmocka_unit_test(fit),
	};
	int failed;

	snprintf(path, sizeof(path), "/tmp/gnomon-kpdata.%d", getpid());
	failed = RUN(tests, NULL, NULL);
	unlink(path);
	return failed;
}
