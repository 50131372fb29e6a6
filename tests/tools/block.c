/*
 * tools/guest/block.c and what is read by it: kernels of 32 and 64 bits without symbols, and
 * described blocks that are newer, damaged or cut off. A8.
 * Links: tests/tools/guestdata.c tests/prof/machine.c
 */
#include "tests/test.h"
#include "userland/formats/le.h"
#include "prof/files/prof_gmonout.h"
#include "tests/prof/machine.h"
#include "tests/tools/guestdata.h"
#include "tools/memory.h"
#include "tools/profile/kpdata.h"
#include "tools/profile/profread.h"

static struct guestdata guest;

typedef int writer(struct inside *in, FILE *to, struct complaint *why);

/* Open the guest, and let a file be written. Return its result; *text and *n are to be freed. */
static int extract(writer *write, char **text, size_t *n, struct complaint *why)
{
	struct memory_stream to;
	struct inside in;
	int bad;

	if (inside_open(&in, NULL, &guest.ram, why) < 0) {
		*text = NULL;
		return -1;
	}
	memory_stream_open(&to);
	bad = write(&in, to.f, why);
	memory_stream_close(&to);
	inside_close(&in);
	*text = to.data;
	*n = to.n;
	return bad;
}

static void read_kpdata(unsigned width)
{
	struct complaint why;
	struct kpdata k;
	char *text;
	size_t n;

	guestdata_make(&guest, width);
	assert_int_equal(extract(inside_kpdata, &text, &n, &why), 0);
	assert_int_equal(kpdata_parse(&k, (uint8_t *)text, n, &why), 0);
	assert_true(k.total == 24 && k.outside == 10 && k.us == 1000 && k.shift == 3);
	assert_true(k.nbucket == GUESTDATA_TEXTSIZE / 8 && k.count[10] == 14);
	kpdata_free(&k);
	free(text);
}

static void read_gmon(unsigned width, code_addr text)
{
	struct complaint why;
	struct profdata p;
	char *data;
	size_t n;

	guestdata_make(&guest, width);
	assert_int_equal(extract(inside_gmon, &data, &n, &why), 0);
	assert_int_equal(profread_data(&p, "gmon.out", (uint8_t *)data, n, &why), 0);
	assert_true(p.width == width && p.total == 14 && p.us == 1000 && p.nsample == 1);
	assert_true(profdata_leaf(&p, p.sample)->pc == text + 80);
	assert_true(p.narc == 1 && p.arc->frompc == text + 16 && p.arc->selfpc == text + 32 &&
		    p.arc->count == 6);
	profdata_free(&p);
	free(data);
}

static void read_stacks(unsigned width, const char *path)
{
	struct complaint why;
	char *text, *line;
	size_t n;

	guestdata_make(&guest, width);
	assert_int_equal(extract(inside_stacks, &text, &n, &why), 0);
	line = strstr(text, "sh;");
	assert_non_null(line);
	assert_string_equal(line, path);
	assert_non_null(strstr(text, "# kpstack version=1\n"));
	assert_non_null(strstr(text, "hz=1000 period_us=1000 cpus=2 elapsed_us=500000 ticks=24"));
	free(text);
}

/* The tables are found by the magic words, wherever memory is mapped. */
static void of_32_bits(void **state)
{
	read_kpdata(4);
	read_gmon(4, 0xc0000000 + GUESTDATA_TEXT);
	read_stacks(4, "sh;[kernel];0xc0100010;0xc0100020 14\n"
		    "# period_us=1000 ticks=14 overflow=0 depth=64\n");
}

static void of_64_bits(void **state)
{
	read_kpdata(8);
	read_gmon(8, 0xffffffff80000000 + GUESTDATA_TEXT);
	read_stacks(8, "sh;[kernel];0xffffffff80100010;0xffffffff80100020 14\n"
		    "# period_us=1000 ticks=14 overflow=0 depth=64\n");
}

/* This program's own profilers, whose block is prof/'s: memory is its own, at its own addresses. */
static struct prof own;
static struct prof_block own_block;

/* All of the block is searched; what is read after that may be anywhere. */
static int read_own(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	if (n < sizeof(own_block))
		*r->range = (struct ram_range){0, UINT64_MAX};
	memcpy(to, (const void *)(uintptr_t)pa, n);
	return 0;
}

static void close_own(struct ram *r)
{
}

static int put(void *to, const void *data, size_t n)
{
	return fwrite(data, 1, n, to) != n;
}

static int write_gmon(struct prof *p, const struct prof_sink *to)
{
	struct prof_gmon_param g;
	uint32_t *count;
	uint16_t *froms;
	struct prof_tostruct *tos;
	int bad;

	prof_gmon_param(p, PROF_GMON_ALL, &g);
	count = memory_zeroed(1, g.kcountsize);
	froms = memory_zeroed(1, g.fromssize);
	tos = memory_zeroed(1, g.tossize);
	prof_gmon_count(p, PROF_GMON_ALL, count);
	prof_gmon_arcs(p, PROF_GMON_ALL, froms, tos);
	bad = prof_gmonout_head(to) || prof_gmonout_count(to, &g, count) ||
	      prof_gmonout_arcs(to, &g, froms, tos);
	free(count);
	free(froms);
	free(tos);
	return bad;
}

static int write_stacks(struct prof *p, const struct prof_sink *to)
{
	return prof_stack_write(p, PROF_STACK, to);
}

static int write_kpdata(struct prof *p, const struct prof_sink *to)
{
	return prof_kprof_write(p, PROF_KPROF, to);
}

/* Count ticks and calls on two CPUs, at addresses of this machine's width. */
static void count_own(prof_addr text)
{
	static const prof_addr stack[2];
	struct prof_sample s = {
		.what = PROF_KERNEL, .stack = stack, .lo = text, .hi = text + sizeof(stack),
		.name = "sh", .at = {.pc = text + 80},
	};
	int i;

	assert_true(prof_kprof_init(&own, text, text + 0x1000, 2));
	assert_true(prof_gmon_init(&own, text, text + 0x1000, 2, NULL));
	prof_stack_init(&own, 2, 0);
	assert_true(prof_stack_open(&own, PROF_STACK, 1));
	prof_period(&own, 1000);
	prof_start(&own, PROF_KPROF | PROF_STACK);
	prof_gmon_start(&own, PROF_GMON_ALL);
	for (i = 0; i < 20; i++) {
		s.cpu = machine_cpu = i % 2;
		s.at.pc = text + 80 + 16 * (i / 7);
		machine_tick(&own, &s);
		prof_mcount(text + 16 * (i % 3), text + 256 + 16 * (i % 5));
	}
	machine_cpu = 0;
	prof_gmon_stop(&own, PROF_GMON_ALL);
	prof_stop(&own, PROF_KPROF | PROF_STACK);
	prof_block_init(&own_block, &own, NULL, NULL);
}

/* What is read by the block equals what prof/ writes itself, byte for byte. */
static void of_this_machine(void **state)
{
	struct ram_range range;
	static struct {
		writer *read;
		int (*write)(struct prof *p, const struct prof_sink *to);
	} file[] = {
		{inside_kpdata, write_kpdata},
		{inside_gmon, write_gmon},
		{inside_stacks, write_stacks},
	};
	struct memory_stream wanted;
	struct complaint why;
	const char *body;
	char *text;
	struct prof_sink sink = {.write = put};
	size_t i, n;

	machine_reset();
	count_own(sizeof(prof_addr) == 8 ? (prof_addr)0xffffffff80100000 : 0x80100000);
	for (i = 0; i < nelem(file); i++) {
		range = (struct ram_range){(uintptr_t)&own_block, sizeof(own_block)};
		guest.ram = (struct ram){
			.read = read_own, .close = close_own, .range = &range, .nrange = 1,
		};
		assert_int_equal(extract(file[i].read, &text, &n, &why), 0);
		memory_stream_open(&wanted);
		sink.arg = wanted.f;
		assert_int_equal(file[i].write(&own, &sink), 0);
		memory_stream_close(&wanted);
		body = i == 2 ? strchr(text, '\n') + 1 : text; /* kpstack's head is the kernel's */
		assert_int_equal(n - (size_t)(body - text), wanted.n);
		assert_memory_equal(body, wanted.data, wanted.n);
		free(text);
		free(wanted.data);
	}
	prof_stack_close(&own, PROF_STACK);
	machine_reset();
}

/* What is refused: a number of the guest's memory is changed. */
static void damaged(void **state)
{
	static const struct {
		uint32_t at, value;
		bool seal;
		writer *write;
		const char *why;
	} d[] = {
		{GUESTDATA_BLOCK, 0, false, inside_kpdata, "no kernel with prof/ in its 4 MB"},
		{GUESTDATA_BLOCK + 16, 2, false, inside_kpdata,
		 "block has version 2, this program knows version 1"},
		{GUESTDATA_BLOCK + 20, 60, false, inside_kpdata, "block is damaged"},
		{GUESTDATA_BLOCK + 28, 3, true, inside_kpdata, "block is damaged"},
		{GUESTDATA_BLOCK + 32, 0x12345678, false, inside_kpdata, "block is damaged"},
		{GUESTDATA_BLOCK + 32, 0xc0001238, true, inside_kpdata, "block is damaged"},
		{GUESTDATA_BLOCK + 40, 0xd0000000, true, inside_kpdata, "at d0000000: a wild"},
		{GUESTDATA_BLOCK + 40, 0, true, inside_kpdata, "lacks field 0"},
		{GUESTDATA_TABLE + 4, 200, false, inside_kpdata, "lacks field 0"},
		{GUESTDATA_TABLE + 4, 20, false, inside_kpdata, "field 0 of the kernel's"},
	};
	struct complaint why;
	char *text;
	size_t i, n;

	for (i = 0; i < nelem(d); i++) {
		guestdata_make(&guest, 4);
		le_put32(guest.mem + d[i].at, d[i].value);
		if (d[i].seal)
			guestdata_seal(&guest);
		assert_int_equal(extract(d[i].write, &text, &n, &why), -1);
		if (!strstr(why.text, d[i].why))
			fail_msg("%zu: \"%s\" not in \"%s\"", i, d[i].why, why.text);
		free(text);
	}
}

/* A place that has 2^32 ticks on two CPUs: kpdata has no room for them, and none is dropped. */
static void H14_no_sum_wraps(void **state)
{
	struct complaint why;
	char *text;
	size_t n;

	guestdata_make(&guest, 4);
	le_put32(guest.mem + GUESTDATA_CELLS + 4 * 10, 0x80000000);
	le_put32(guest.mem + GUESTDATA_CELLS + 4 * 20, 0x80000000);
	assert_int_equal(extract(inside_kpdata, &text, &n, &why), -1);
	assert_non_null(strstr(why.text, "for which kpdata has no room"));
	free(text);
}

/* The same with numbers of tables, and what is merely off. */
static void damaged_tables(void **state)
{
	static const struct {
		unsigned field;
		uint64_t value;
		writer *write;
		int result;
		const char *why;
	} d[] = {
		{PROF_BLOCK_KPROF_NCPU, 0, inside_kpdata, -1, "kprof was not ready in the guest"},
		{PROF_BLOCK_KPROF_NCPU, 5000, inside_kpdata, -1, "is 5000: damaged"},
		{PROF_BLOCK_KPROF_NBUCKET, 3, inside_kpdata, -1, "kprof's tables are damaged"},
		{PROF_BLOCK_KPROF_NBUCKET, 127, inside_kpdata, -1, "kprof's tables are damaged"},
		{PROF_BLOCK_KPROF_CELL, 0, inside_kpdata, -1, "at 00000000: a wild pointer"},
		{PROF_BLOCK_KPROF_CELL, 0xc03ffff0, inside_kpdata, -1, "c03ffff0: a wild pointer"},
		{PROF_BLOCK_GMON_NCPU, 0, inside_gmon, -1, "gmon was not ready in the guest"},
		{PROF_BLOCK_GMON_TEXTSIZE, 0, inside_gmon, -1, "gmon's tables are damaged"},
		{PROF_BLOCK_GMON_TEXTSIZE, 16, inside_gmon, -1, "gmon's tables are damaged"},
		{PROF_BLOCK_GMON_TOLIMIT, 1, inside_gmon, -1, "gmon's tables are damaged"},
		{PROF_BLOCK_GMON_TOLIMIT, 70000, inside_gmon, -1, "gmon's tables are damaged"},
		{PROF_BLOCK_STACK_NCPU, 0, inside_stacks, 1, "stacks are off in the guest"},
		{PROF_BLOCK_STACK_WORD, 0, inside_stacks, 1, "stacks are off in the guest"},
		{PROF_BLOCK_STACK_USED, 3, inside_stacks, -1, "the table of paths is damaged"},
		{PROF_BLOCK_STACK_USED, 10, inside_stacks, -1, "the table of paths is damaged"},
		{PROF_BLOCK_STACK_USED, 30000000, inside_stacks, -1, "table of paths is damaged"},
	};
	struct complaint why;
	char *text;
	size_t i, n;

	for (i = 0; i < nelem(d); i++) {
		guestdata_make(&guest, 4);
		le_put32(guestdata_field(&guest, d[i].field, 0), (uint32_t)d[i].value);
		assert_int_equal(extract(d[i].write, &text, &n, &why), d[i].result);
		if (!strstr(why.text, d[i].why))
			fail_msg("%zu: \"%s\" not in \"%s\"", i, d[i].why, why.text);
		free(text);
	}
}

/* Describe a field that the guest does not have at first. */
static void describe(unsigned field, uint16_t size)
{
	uint8_t *at = guest.mem + GUESTDATA_TABLE + 12 * (size_t)field;

	at = le_put32(at, GUESTDATA_STRIDE * field);
	at = le_put16(at, size);
	at = le_put16(at, GUESTDATA_STRIDE * BLOCK_FIELDS);
	le_put32(at, 0);
}

/* Give both CPUs a ring for each class, at one address, or the second's at another; 0: none. */
static void put_rings(uint32_t records, uint32_t others)
{
	uint8_t *at;

	describe(PROF_BLOCK_TRACE_RING, PROF_TRACE_CLASSES * 12);
	describe(PROF_BLOCK_TRACE_PER_MS, 4);
	describe(PROF_BLOCK_TRACE_START, 8);
	describe(PROF_BLOCK_WAIT_WORD, 4);
	le_put32(guestdata_field(&guest, PROF_BLOCK_TRACE_PER_MS, 0), 1000);
	le_put32(guestdata_field(&guest, PROF_BLOCK_WAIT_WORD, 0), 0xc0000000u + GUESTDATA_PATHS);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		at = guestdata_field(&guest, PROF_BLOCK_TRACE_RING, cpu);
		for (unsigned i = 0; i < PROF_TRACE_CLASSES; i++) {
			at = le_put32(at, records);
			at = le_put32(at, records - 1);
			at = le_put32(at, i ? others : 0xc0100000u);
		}
	}
}

/* Expect that a file is refused. */
static void refuse_table(writer *write, const char *part)
{
	struct complaint why;
	char *text;
	size_t n;

	assert_int_equal(extract(write, &text, &n, &why), -1);
	if (!strstr(why.text, part))
		fail_msg("\"%s\" not in \"%s\"", part, why.text);
	free(text);
}

/* One table of more than half the memory, which both CPUs say that it is theirs. */
static void H14_no_table_is_that_of_many_cpus(void **state)
{
	static const char larger[] = "the tables of all processors together are larger than memory";
	const uint32_t table = 0xc0100000u, words = 0x90000;

	guestdata_make(&guest, 4);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		le_put32(guestdata_field(&guest, PROF_BLOCK_KPROF_CELL, cpu), table);
		le_put32(guestdata_field(&guest, PROF_BLOCK_KPROF_NBUCKET, cpu), words);
		le_put32(guestdata_field(&guest, PROF_BLOCK_KPROF_SIZE, cpu), 8 * (words - 6));
		le_put32(guestdata_field(&guest, PROF_BLOCK_GMON_KCOUNT, cpu), table);
		le_put32(guestdata_field(&guest, PROF_BLOCK_GMON_TEXTSIZE, cpu), 4 * words);
		le_put32(guestdata_field(&guest, PROF_BLOCK_STACK_WORD, cpu), table);
		le_put32(guestdata_field(&guest, PROF_BLOCK_STACK_USED, cpu), words);
	}
	memset(guest.mem + 0x100000, 0, 4 * words); /* paths without steps */
	put_rings(0x20000, table);
	refuse_table(inside_kpdata, larger);
	refuse_table(inside_gmon, larger);
	refuse_table(inside_stacks, larger);
	refuse_table(inside_trace, larger);
}

/* Records that all stand for the same entry, which is as long as can be. */
static void H14_records_stand_for_no_more_than_memory_can_have(void **state)
{
	guestdata_make(&guest, 4);
	put_rings(0x8000, 0xc0180000u);
	le_put32(guestdata_field(&guest, PROF_BLOCK_STACK_NCPU, 0), 1);
	le_put32(guest.mem + GUESTDATA_PATHS + 4 * 6, 0xff);
	for (uint32_t i = 0; i < 0x10000; i++)
		le_put32(guest.mem + 0x100000 + 16 * i + 12, 4 << 1 | 1);
	refuse_table(inside_trace, "the records stand for more than memory can have");
}

/* Memory that ends within the block, or before the tables. */
static void cut_off(void **state)
{
	struct complaint why;
	char *text;
	size_t n;

	guestdata_make(&guest, 8);
	guest.range[1].bytes = GUESTDATA_BLOCK - 0x1000 + 40;
	assert_int_equal(extract(inside_kpdata, &text, &n, &why), -1);
	assert_non_null(strstr(why.text, "no memory at 80001250"));
	guest.range[1].bytes = GUESTDATA_CELLS - 0x1000;
	assert_int_equal(extract(inside_kpdata, &text, &n, &why), -1);
	assert_non_null(strstr(why.text, "nothing at ffff888000200000: a wild pointer"));
	free(text);
}

/* A copy of the block, which lies elsewhere in its page, does not hide the block behind it. */
static void copies(void **state)
{
	struct complaint why;
	char *text;
	size_t n;

	guestdata_make(&guest, 4);
	memcpy(guest.mem + 0x400, guest.mem + GUESTDATA_BLOCK, 64);
	memcpy(guest.mem + 0x800, guest.mem + GUESTDATA_BLOCK, 17);
	assert_int_equal(extract(inside_kpdata, &text, &n, &why), 0);
	free(text);
}

/* H14: a memory full of magic words is not asked for what follows each of them. */
static void H14_many_copies(void **state)
{
	struct complaint why;
	char *text;
	size_t n, i;

	guestdata_make(&guest, 4);
	for (i = 0; i < 300; i++)
		memcpy(guest.mem + GUESTDATA_TEXT + 16 * i, guest.mem + GUESTDATA_BLOCK, 16);
	memset(guest.mem + GUESTDATA_BLOCK, 0, 16);
	assert_int_equal(extract(inside_kpdata, &text, &n, &why), -1);
	assert_string_equal(why.text, "256 places are marked as a kernel's block with prof/, and "
				      "none is one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_32_bits), cmocka_unit_test(of_64_bits),
		cmocka_unit_test(of_this_machine),
		cmocka_unit_test(damaged), cmocka_unit_test(damaged_tables),
		cmocka_unit_test(H14_no_sum_wraps),
		cmocka_unit_test(H14_no_table_is_that_of_many_cpus),
		cmocka_unit_test(H14_records_stand_for_no_more_than_memory_can_have),
		cmocka_unit_test(cut_off), cmocka_unit_test(copies),
		cmocka_unit_test(H14_many_copies),
	};

	return RUN(tests, NULL, NULL);
}
