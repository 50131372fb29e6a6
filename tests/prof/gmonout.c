/*
 * prof/files/prof_gmonout.c: the bytes of gmon.out, and that no cell saturates (G1 G8 G10).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "prof/files/prof_gmonout.h"
#include "tests/prof/machine.h"

/* The same file again, as a machine writes it whose numbers begin with their highest byte. */
#define prof_gmonout_head big_endian_head
#define prof_gmonout_count big_endian_count
#define prof_gmonout_arcs big_endian_arcs
#undef __BYTE_ORDER__
#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__
int big_endian_head(const struct prof_sink *o);
int big_endian_count(const struct prof_sink *o, const struct prof_gmon_param *g,
		     const uint32_t *kcount);
int big_endian_arcs(const struct prof_sink *o, const struct prof_gmon_param *g,
		    const uint16_t *froms, const struct prof_tostruct *tos);
#include "prof/files/prof_gmonout.c"
#undef prof_gmonout_head
#undef prof_gmonout_count
#undef prof_gmonout_arcs

#define LO 0xc0100000u
#define CELLS 2500u /* two whole ranges and a part of one */
#define HEAD 20
#define RECORD 33 /* of a histogram, without its cells */
#define ARC 13

static uint8_t file[1 << 20];
static size_t length;
static int writes_left; /* before one fails; -1: none does */

static int put(void *arg, const void *data, size_t n)
{
	assert_ptr_equal(arg, &length);
	if (writes_left == 0)
		return 28;
	writes_left -= writes_left > 0;
	assert_true(length + n <= sizeof(file));
	memcpy(file + length, data, n);
	length += n;
	return 0;
}

static const struct prof_sink out = {.write = put, .arg = &length, .width = 4};

static struct prof_gmon_param g = {
	.lowpc = LO,
	.highpc = LO + CELLS * 4,
	.textsize = CELLS * 4,
	.tolimit = 8,
	.profrate = 1000,
};

static uint32_t kcount[CELLS];
static uint16_t froms[CELLS];
static struct prof_tostruct tos[8];

static int empty(void **state)
{
	length = 0;
	writes_left = -1;
	memset(kcount, 0, sizeof(kcount));
	memset(froms, 0, sizeof(froms));
	memset(tos, 0, sizeof(tos));
	return 0;
}

static uint32_t le16(size_t at)
{
	return file[at] | file[at + 1] << 8;
}

static uint32_t le32(size_t at)
{
	return le16(at) | le16(at + 2) << 16;
}

static void G10_the_head_is_magic_and_version(void **state)
{
	static const uint8_t wanted[HEAD] = {'g', 'm', 'o', 'n', 1};

	assert_int_equal(prof_gmonout_head(&out), 0);
	assert_int_equal(length, HEAD);
	assert_memory_equal(file, wanted, HEAD);
}

/* Adds up all histogram records in the file, checking each; how many there are. */
static unsigned add_up(uint64_t sum[CELLS])
{
	unsigned records = 0;
	size_t at = 0;
	uint32_t i;

	memset(sum, 0, CELLS * sizeof(*sum));
	for (; at < length; records++) {
		uint32_t lo = le32(at + 1), n = le32(at + 9), first = (lo - LO) / 4;

		assert_int_equal(file[at], 0);
		assert_int_equal(le32(at + 5), lo + 4 * n);
		assert_int_equal(le32(at + 13), 1000);
		assert_memory_equal(file + at + 17, "seconds\0\0\0\0\0\0\0\0s", 16);
		assert_true(n > 0 && first + n <= CELLS);
		for (i = 0; i < n; i++)
			sum[first + i] += le16(at + RECORD + 2 * i);
		at += RECORD + 2 * n;
	}
	assert_int_equal(at, length);
	return records;
}

static void G8_no_cell_saturates(void **state)
{
	static const uint32_t n[] = {0, 1, 65534, 65535, 65536, 131070, 131071, 983025};
	uint64_t sum[CELLS];
	uint32_t i;

	for (i = 0; i < nelem(n); i++)
		kcount[i * 300] = n[i];
	kcount[CELLS - 1] = 7;
	assert_int_equal(prof_gmonout_count(&out, &g, kcount), 0);
	assert_int_equal(add_up(sum), 1 + 3 + 15); /* by range: 65535; 131071; 15 * 65535 */
	for (i = 0; i < CELLS; i++)
		assert_int_equal(sum[i], kcount[i]);
}

/* What a range's first cell has, and its last, also if no other has any. */
static void G8_a_range_begins_and_ends_with_a_cell(void **state)
{
	static const uint32_t at[] = {0, 1023, 1024, 2047, 2048, CELLS - 1};
	uint64_t sum[CELLS];
	uint32_t i, k;

	for (k = 0; k < nelem(at); k++) {
		empty(state);
		kcount[at[k]] = 1;
		assert_int_equal(prof_gmonout_count(&out, &g, kcount), 0);
		assert_int_equal(add_up(sum), 3);
		for (i = 0; i < CELLS; i++)
			assert_int_equal(sum[i], i == at[k]);
	}
}

static void G10_a_file_has_a_rate(void **state)
{
	struct prof_gmon_param none = g;

	none.profrate = 0;
	assert_int_equal(prof_gmonout_count(&out, &none, kcount), 0);
	assert_int_equal(le32(13), 1); /* gprof divides by it */
}

static void G10_an_empty_histogram_is_there_too(void **state)
{
	uint64_t sum[CELLS];

	assert_int_equal(prof_gmonout_count(&out, &g, kcount), 0);
	assert_int_equal(add_up(sum), 3);
}

static void make_arcs(void)
{
	froms[0] = 2;
	tos[2] = (struct prof_tostruct){LO + 100, 5, 1, 0, 0};
	tos[1] = (struct prof_tostruct){LO + 200, 0xfffffffe, 0, 0, 0};
	froms[CELLS - 1] = 3;
	tos[3] = (struct prof_tostruct){LO + 100, 1, 0, 0, 0};
	tos[0].link = 3;
}

static void G10_every_arc_is_written(void **state)
{
	static const struct {
		uint32_t from, self, count;
	} wanted[] = {
		{LO, LO + 100, 5},
		{LO, LO + 200, 0xfffffffe},
		{LO + 4 * (CELLS - 1), LO + 100, 1},
	};
	size_t i;

	make_arcs();
	assert_int_equal(prof_gmonout_arcs(&out, &g, froms, tos), 0);
	assert_int_equal(length, 3 * ARC);
	for (i = 0; i < nelem(wanted); i++) {
		assert_int_equal(file[i * ARC], 1);
		assert_int_equal(le32(i * ARC + 1), wanted[i].from);
		assert_int_equal(le32(i * ARC + 5), wanted[i].self);
		assert_int_equal(le32(i * ARC + 9), wanted[i].count);
	}
}

/* Of 8 bytes an address, where the records take all the room that they can. */
static void A11_addresses_as_wide_as_the_machines(void **state)
{
	static const uint8_t to[] = {8, 0};
	struct prof_sink wide = out;
	size_t i;

	make_arcs();
	tos[2].selfpc = LO + 0x9876543210u;
	kcount[1023] = 0x7fff;
	for (i = 0; i < nelem(to); i++) {
		length = 0;
		wide.width = to[i];
		assert_int_equal(prof_gmonout_arcs(&wide, &g, froms, tos), 0);
		assert_int_equal(length, 3 * (ARC + 8));
		assert_int_equal(le32(1), LO);
		assert_int_equal(le32(5), 0);
		assert_int_equal(le32(9), (uint32_t)tos[2].selfpc);
		assert_int_equal(le32(13), tos[2].selfpc >> 32);
		assert_int_equal(le32(17), 5);
		length = 0;
		assert_int_equal(prof_gmonout_count(&wide, &g, kcount), 0);
		assert_int_equal(length, 3 * (RECORD + 8) + 2 * CELLS);
		assert_int_equal(le32(9), LO + 1024 * 4);
		assert_int_equal(le32(17), 1024);
		assert_int_equal(le16(RECORD + 8 + 2 * 1023), 0x7fff);
	}
}

/* A11: numbers are in the machine's order of bytes. */
static void A11_numbers_begin_with_the_highest_byte(void **state)
{
	static const uint8_t head[HEAD] = {'g', 'm', 'o', 'n', 0, 0, 0, 1};
	static const uint8_t arc[ARC] = {1, 0xc0, 0x10, 0, 0, 0xc0, 0x10, 0, 100, 0, 0, 0, 5};
	static const uint8_t record[17] = {0, 0xc0, 0x10, 0, 0, 0xc0, 0x10, 0x10, 0,
					   0, 0,    4,	  0, 0, 0,    3,    0xe8};

	assert_int_equal(big_endian_head(&out), 0);
	assert_memory_equal(file, head, HEAD);
	length = 0;
	make_arcs();
	assert_int_equal(big_endian_arcs(&out, &g, froms, tos), 0);
	assert_memory_equal(file, arc, ARC);
	length = 0;
	kcount[1] = 0x1234;
	assert_int_equal(big_endian_count(&out, &g, kcount), 0);
	assert_memory_equal(file, record, sizeof(record));
	assert_int_equal(le16(RECORD + 2), 0x3412);
}

/* A11: of a kernel that was moved, the file has the addresses of its image. */
static void A11_addresses_of_a_kernel_that_was_moved(void **state)
{
	struct prof_sink to = out;
	uint8_t still[2 * ARC];

	make_arcs();
	assert_int_equal(prof_gmonout_arcs(&to, &g, froms, tos), 0);
	memcpy(still, file, sizeof(still));
	assert_int_equal(le32(1), LO);
	length = 0;
	to.moved = LO;
	to.by = 0x100000;
	assert_int_equal(prof_gmonout_arcs(&to, &g, froms, tos), 0);
	assert_int_equal(le32(1), LO - 0x100000);
	assert_memory_equal(file + 9, still + 9, 4);
	length = 0;
	assert_int_equal(prof_gmonout_count(&to, &g, kcount), 0);
	assert_int_equal(le32(1), LO - 0x100000);
	assert_int_equal(le32(5), LO + 1024 * 4 - 0x100000);
}

static void G8_damaged_lists_end_in_an_error(void **state)
{
	make_arcs();
	tos[1].link = 8;
	assert_int_equal(prof_gmonout_arcs(&out, &g, froms, tos), PROF_GMONOUT_EDAMAGED);
	make_arcs();
	tos[1].link = 2;
	length = 0;
	assert_int_equal(prof_gmonout_arcs(&out, &g, froms, tos), PROF_GMONOUT_EDAMAGED);
	assert_int_equal(length, g.tolimit * ARC); /* no more than the table can have */
	make_arcs();
	froms[5] = 65535;
	assert_int_equal(prof_gmonout_arcs(&out, &g, froms, tos), PROF_GMONOUT_EDAMAGED);
}

static void G8_the_writers_error_is_handed_on(void **state)
{
	int n;

	make_arcs();
	writes_left = 0;
	assert_int_equal(prof_gmonout_head(&out), 28);
	for (n = 0; n < 3; n++) {
		writes_left = n;
		assert_int_equal(prof_gmonout_count(&out, &g, kcount), 28);
		writes_left = n;
		assert_int_equal(prof_gmonout_arcs(&out, &g, froms, tos), 28);
	}
	writes_left = 3;
	assert_int_equal(prof_gmonout_count(&out, &g, kcount), 0);
	writes_left = 3;
	assert_int_equal(prof_gmonout_arcs(&out, &g, froms, tos), 0);
}

#define TEST(f) cmocka_unit_test_setup(f, empty)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(G10_the_head_is_magic_and_version),
		TEST(G8_no_cell_saturates),
		TEST(G8_a_range_begins_and_ends_with_a_cell),
		TEST(G10_a_file_has_a_rate),
		TEST(G10_an_empty_histogram_is_there_too),
		TEST(G10_every_arc_is_written),
		TEST(A11_addresses_as_wide_as_the_machines),
		TEST(A11_numbers_begin_with_the_highest_byte),
		TEST(A11_addresses_of_a_kernel_that_was_moved),
		TEST(G8_damaged_lists_end_in_an_error),
		TEST(G8_the_writers_error_is_handed_on),
	};

	return RUN(tests, NULL, NULL);
}
