/*
 * tools/profile/profread.c and its readers: what they make of whole files, and of damaged ones.
 * Links: tests/tools/readers.c
 */
#include "tests/test.h"
#include "userland/formats/prflog.h"
#include "tests/tools/readers.h"

static const char stacks[] =
	"# kpstack version=1 build=" ID "\n"
	"# period_us=500 ticks=1239 overflow=5 depth=32 more=1 words\n"
	"sh;[kernel];0x00401234;0xc0101230;0xc0104567 17\n"
	"idle;[idle];0xc0101230 900\n"
	"# another comment\n"
	"sh;[interrupt];0xc0100abc;0xc0104567 3\n"
	"hog;[user];0x00400010 300\n"
	"deep;[user];[cut];0x00401234;0x00401235 14\n"
	"[overflow] 5\n";

static void read_stacks(void **state)
{
	static const uint32_t first[] = {0x401234, 0xc0101230, 0xc0104567};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_stacks((const uint8_t *)stacks, strlen(stacks)));
	assert_int_equal(read_bytes(profread_stacks, &p, stacks, strlen(stacks), &why), 0);
	assert_int_equal(p.total, 1239);
	assert_true(p.us == 500 && p.has_paths && p.unit == PROFDATA_TICKS);
	assert_int_equal(p.nsample, 6);
	expect_sample(&p, 0, 17, PROFDATA_KERNEL, 3, first);
	expect_sample(&p, 1, 900, PROFDATA_IDLE, 1, first + 1);
	expect_sample(&p, 5, 5, PROFDATA_NPATH, 0, NULL);
	assert_int_equal(p.by_mode[PROFDATA_USER], 314);
	assert_true(p.sample[4].cut && !p.sample[3].cut);
	assert_string_equal(p.name[p.sample[2].process], "sh");
	assert_int_equal(p.sample[0].process, p.sample[2].process);
	assert_string_equal(p.image[p.frame[0].image].name, "sh");
	assert_true(p.image[p.frame[1].image].kernel);
	assert_string_equal(p.image[p.frame[1].image].buildid, ID);
	profdata_free(&p);
	shake(profread_stacks, stacks, strlen(stacks));
}

/* Addresses without their zeros are short, so a line has more of them. */
static void short_addresses(void **state)
{
	enum { N = 200 };
	char text[N * sizeof(";0x1") + 64] = "sh;[user]";
	struct complaint why;
	struct profdata p;

	for (int i = 1; i < N; i++)
		strcat(text, ";0x1");
	strcat(text, ";0x00400010 3\n");
	assert_int_equal(read_bytes(profread_stacks, &p, text, strlen(text), &why), 0);
	assert_int_equal(p.sample[0].depth, N);
	assert_int_equal(p.nframe, 2);
	assert_int_equal(p.frame[profdata_path(&p, &p.sample[0])[N - 2]].pc, 1);
	assert_int_equal(profdata_leaf(&p, &p.sample[0])->pc, 0x400010);
	profdata_free(&p);
}

/* A8: sixteen digits. */
static void wide_addresses(void **state)
{
	static const char text[] =
		"sh;[kernel];0x0000003fc0401234;0xffffffffc0101230;0xffffffffc0104567 17\n";
	struct complaint why;
	struct profdata p;

	assert_int_equal(read_bytes(profread_stacks, &p, text, strlen(text), &why), 0);
	assert_true(p.width == 8 && p.nframe == 3 && p.frame[0].pc == 0x3fc0401234 &&
		    p.frame[1].pc == 0xffffffffc0101230 && p.frame[2].pc == 0xffffffffc0104567);
	profdata_free(&p);
}

static void damaged_stacks(void **state)
{
	static const struct damaged d[] = {
		{"a;[user];0x00400010 3", "line 1, which is cut short"},
		{"a;[user];0x00400010\n", "a blank and a count"},
		{"# x\na;[user];0x00400010 -3\n", "line 2: a path"},
		{"a;[user];0x00400010 99999999999999999999\n", "a count"},
		{"a;[user];0x0040001 3\n", "addresses"},
		{"a;[user];0x0040001g 3\n", "addresses"},
		{"a;[user];0x004000100 3\n", "addresses"},
		{"a;[user];0xfffffffc010001 3\n", "addresses"},
		{"a;[user];0xffffffffc01000100;0x00400010 3\n", "addresses"},
		{"a;[user] 3\n", "addresses"},
		{"a;[user];[cut] 3\n", "addresses"},
		{"a;[user];main 3\n", "addresses"},
		{"a;[odd];0x00400010 3\n", "NAME;[MODE]"},
		{";[user];0x00400010 3\n", "NAME;[MODE]"},
		{"main;0x00400010 3\n", "NAME;[MODE]"},
		{"a 3\n", "NAME;[MODE]"},
		{"a;[user];0x00400010 1\na;[user];0x00400010 18446744073709551615\n", "2^64"},
		{"# kpstack version=1\na;[user];0x00400010 3\n# damaged cpu=1 word=34\n",
		 "line 3: the kernel found its table of paths damaged, and the rest is not known"},
		{"# kpstack ticks=4 x=y\na;[user];0x00400010 3\n", "4 ticks expected"},
	};

	static const char nul[] = "ab;[user];0x00400010 1\na\0b;[user];0x00400010 2\n";
	struct complaint why;
	struct profdata p;

	refuse(profread_stacks, d, nelem(d));
	/* B11: a NUL in a name, after a shorter one that begins in the same way. */
	assert_int_equal(read_bytes(profread_stacks, &p, nul, sizeof(nul) - 1, &why), -1);
	assert_non_null(strstr(why.text, "line 2: NAME;[MODE]"));
}

static const char modules[] =
	"gnomon modules 2 coverage 0\n"
	"module sh /bin/sh 00400000 " ID "\n"
	"0 3\n"
	"17 4294967295\n"
	"module a\\040b\\134 /tmp/a\\040b - -\n"
	"5 1\n"
	"module kernel /boot/gnomon c0100000 -\n"
	"48 2\n"
	"end 8\n";

/* A cut file, or one that lacks a line, is refused. */
static void cut_modules(void **state)
{
	char text[sizeof(modules)];
	struct complaint why;
	struct profdata p;

	for (size_t n = 1; n < strlen(modules); n++)
		assert_int_equal(read_bytes(profread_modules, &p, modules, n, &why), -1);
	for (const char *at = modules, *next; *at; at = next) {
		next = strchr(at, '\n') + 1;
		sprintf(text, "%.*s%s", (int)(at - modules), modules, next);
		assert_int_equal(read_bytes(profread_modules, &p, text, strlen(text), &why), -1);
	}
}

static void read_modules(void **state)
{
	static const uint32_t pc[] = {0x400000, 0x400011, 5, 0xc0100030};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_modules((const uint8_t *)modules, strlen(modules)));
	assert_int_equal(read_bytes(profread_modules, &p, modules, strlen(modules), &why), 0);
	assert_true(p.unit == PROFDATA_INSTRUCTIONS && p.us == 0 && !p.has_paths);
	assert_int_equal(p.total, 3 + 4294967295ull + 1 + 2);
	expect_sample(&p, 0, 3, PROFDATA_USER, 1, pc);
	expect_sample(&p, 1, 4294967295u, PROFDATA_USER, 1, pc + 1);
	expect_sample(&p, 2, 1, PROFDATA_USER, 1, pc + 2);
	expect_sample(&p, 3, 2, PROFDATA_KERNEL, 1, pc + 3);
	assert_string_equal(p.image[0].buildid, ID);
	assert_string_equal(p.image[1].name, "a b\\");
	assert_string_equal(p.image[1].path, "/tmp/a b");
	assert_true(p.image[1].relative && !p.image[0].relative);
	profdata_free(&p);
	shake(profread_modules, modules, strlen(modules));
	assert_int_equal(read_bytes(profread_modules, &p, "gnomon modules 1 sampling 1000\n", 31,
				    &why), 0);
	assert_non_null(strstr(p.unsure, "an old file"));
	assert_true(p.total == 0 && p.us == 1000 && p.unit == PROFDATA_TICKS);
	profdata_free(&p);
}

#define HEAD "gnomon modules 1 memory 0\n"
#define MODULE HEAD "module sh /bin/sh 00400000 -\n"

#define PLACES "gnomon modules 3 memory 0\nmodule sh /bin/sh 00400000 -\n"

/* L2: of memory what is not in use any more is told, too; other kinds have two numbers as ever. */
static void places_of_memory(void **state)
{
	static const char places[] = PLACES "1 2 3 4 5\n9 0 0 7 1\nend 4\n";
	static const char ran[] = "gnomon modules 3 coverage 0\nmodule a a - -\n1 2\nend 3\n";
	struct complaint why;
	struct profdata p;

	assert_int_equal(read_bytes(profread_modules, &p, places, strlen(places), &why), 0);
	assert_true(p.unit == PROFDATA_BYTES && p.total == 2);
	assert_int_equal(p.nsample, 2);
	assert_int_equal(p.sample[1].count, 0);
	assert_int_equal(p.nmemory, 2);
	assert_int_equal(p.memory[p.sample[0].memory - 1].blocks, 3);
	assert_int_equal(p.memory[p.sample[0].memory - 1].total, 4);
	assert_int_equal(p.memory[p.sample[0].memory - 1].allocated, 5);
	assert_int_equal(p.memory[p.sample[1].memory - 1].total, 7);
	profdata_free(&p);
	assert_int_equal(read_bytes(profread_modules, &p, ran, strlen(ran), &why), 0);
	assert_int_equal(p.sample[0].memory, 0);
	profdata_free(&p);
}

static void damaged_modules(void **state)
{
	static const struct damaged d[] = {
		{"gnomon modules 1 memory 0", "which is cut short"},
		{"gnomon modules 4 memory 0\n", "gnomon modules 3 KIND"},
		{"gnomon modules 1 time 0\n", "KIND sampling, coverage, memory or executed"},
		{"gnomon modules 1 memory\n", "line 1:"},
		{"gnomon modules 1 memory 0 0\n", "line 1:"},
		{"gnomon modules 1 memory x\n", "line 1:"},
		{HEAD "1 2\n", "line 2: a module's line"},
		{HEAD "module sh /bin/sh 00400000\n", "module NAME PATH"},
		{HEAD "module sh /bin/sh 00400000 - -\n", "module NAME PATH"},
		{HEAD "module sh /bin/sh 0x400000 -\n", "an address"},
		{HEAD "module sh /bin/sh 00400000 abcd\n", "a build id"},
		{HEAD "module sh /bin/sh 00400000 -", "line 2, which is cut short"},
		{MODULE "1 2", "line 3, which is cut short"},
		{MODULE "1\n", "PC COUNT"},
		{MODULE "1 2 3\n", "PC COUNT"},
		{MODULE "-1 2\n", "PC COUNT"},
		{MODULE "1 4294967296\n", "PC COUNT"},
		{MODULE "4294967295 1\n", "PC COUNT"},
		{MODULE "1 0\n", "a count that is not 0"},
		{MODULE "2 1\n2 1\n", "line 4: a greater PC"},
		{MODULE "2 1\n1 1\n", "line 4: a greater PC"},
		{MODULE "end 2\n", "PC COUNT"},
		{"gnomon modules 2 memory 0\n", "the file was cut"},
		{"gnomon modules 2 memory 0\nend 2\n", "line 2: as many lines"},
		{"gnomon modules 2 memory 0\nend 1x\n", "line 2: \"end LINES\""},
		{"gnomon modules 2 memory 0\nend 1", "line 2, which is cut short"},
		{"gnomon modules 2 memory 0\nend 1\n1 2\n", "line 3: nothing after"},
		{PLACES "1 2\n", "PC BYTES BLOCKS TOTAL ALLOCATED"},
		{PLACES "1 2 1 2 1 1\n", "five decimal numbers"},
		{PLACES "1 2 1 2\n", "five decimal numbers"},
		{PLACES "1 2 1 2 1", "line 3, which is cut short"},
		{PLACES "1 3 1 2 1\n", "no more in use than was ever allocated"},
		{PLACES "1 2 2 2 1\n", "no more in use than was ever allocated"},
		{PLACES "1 2 1 9223372036854775808 1\n", "less than 2^63"},
		{PLACES "1 0 0 4611686018427387904 1\n2 0 0 4611686018427387904 1\n",
		 "line 4: less than 2^63 bytes, and blocks, in all"},
		{PLACES "1 0 0 1 9223372036854775807\n2 0 0 1 1\n", "line 4: less than 2^63"},
		{"gnomon modules 2 executed 0\nmodule kernel /x c0100000 -\n"
		 "0 18446744073709551615\n16 1\n", "line 4: counts that add up to less than 2^64"},
		{PLACES "2 0 0 2 1\n2 0 0 2 1\n", "line 4: a greater PC"},
		{"gnomon modules 3 memory 0\n1 2 1 2 1\n", "line 2: a module's line"},
	};

	static const char nul[] = HEAD "module sh\0 /bin/sh 00400000 -\n1 2\n";
	struct complaint why;
	struct profdata p;

	refuse(profread_modules, d, nelem(d));
	/* B11: gnomon merge would write the line only up to the NUL. */
	assert_int_equal(read_bytes(profread_modules, &p, nul, sizeof(nul) - 1, &why), -1);
	assert_non_null(strstr(why.text, "line 2: \"module NAME PATH"));
}

/* Bytes being put together. */
struct bytes {
	uint8_t at[1024];
	size_t n;
	bool wide; /* addresses have 64 bits */
};

static void put32(struct bytes *b, uint32_t v)
{
	int i;

	for (i = 0; i < 4; i++, v >>= 8)
		b->at[b->n++] = v;
}

/* Put an address; a wide one of the kernel's is in the upper half. */
static void put_address(struct bytes *b, uint32_t v)
{
	put32(b, v);
	if (b->wide)
		put32(b, v >= 0xc0000000 ? UINT32_MAX : 0);
}

static void put_bytes(struct bytes *b, const void *p, size_t n)
{
	memcpy(b->at + b->n, p, n);
	b->n += n;
}

/* A histogram record of two bins of 4 bytes. */
static void put_histogram(struct bytes *b, uint32_t lo, uint32_t rate, int first, int second)
{
	put_bytes(b, "\0", 1);
	put_address(b, lo);
	put_address(b, lo + 8);
	put32(b, 2);
	put32(b, rate);
	put_bytes(b, "seconds\0\0\0\0\0\0\0\0s", 16);
	put_bytes(b, (uint8_t[]){first, first >> 8, second, second >> 8}, 4);
}

static void put_arc(struct bytes *b, uint32_t from, uint32_t to, uint32_t count)
{
	put_address(b, from);
	put_address(b, to);
	put32(b, count);
}

/* Put gmon.out in GNU's form. */
static void make_gnu(struct bytes *b, uint32_t base)
{
	b->n = 0;
	put_bytes(b, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	put_histogram(b, base + 0x10, 1000, 0xffff, 0);
	put_histogram(b, base + 0x10, 1000, 0x0102, 7);
	put_bytes(b, "\2\1\0\0\0", 5); /* one block */
	put_address(b, 0x04030201);
	put_address(b, 0x08070605);
	put_bytes(b, "\1", 1);
	put_arc(b, base + 0x10, base + 0x20, 70000);
}

/* Put gmon.out in 4.4BSD's form. */
static void make_bsd(struct bytes *b)
{
	b->n = 0;
	put_address(b, 0xc0100000);
	put_address(b, 0xc0100008);
	put32(b, (b->wide ? 40 : 32) + 4);
	put32(b, 0x00051879);
	put32(b, 100);
	put_bytes(b, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
	put_bytes(b, "\3\1\0\4", 4);
	put_arc(b, 0xc0100000, 0xc0100004, 5);
	if (b->wide)
		put32(b, 0); /* the count, too */
}

static void read_gmon(void **state)
{
	static const uint32_t pc[] = {0xc0100010, 0xc0100014, 0x400010, 0xc0100000, 0xc0100004};
	struct complaint why;
	struct profdata p;
	struct bytes b = {.wide = false};

	make_gnu(&b, 0xc0100000);
	assert_true(profread_is_gmon(b.at, b.n));
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), 0);
	assert_int_equal(p.total, 0xffff + 0x0102 + 7);
	assert_true(p.us == 1000 && p.nsample == 3 && p.image[0].kernel);
	expect_sample(&p, 0, 0xffff, PROFDATA_KERNEL, 1, pc);
	expect_sample(&p, 2, 7, PROFDATA_KERNEL, 1, pc + 1);
	assert_int_equal(profdata_leaf(&p, &p.sample[2])->span, 4);
	assert_int_equal(p.narc, 1);
	assert_true(p.arc[0].frompc == pc[0] && p.arc[0].selfpc == pc[0] + 16 &&
		    p.arc[0].count == 70000);
	profdata_free(&p);
	shake(profread_gmon, b.at, b.n);
	make_gnu(&b, 0x400000);
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), 0);
	expect_sample(&p, 0, 0xffff, PROFDATA_USER, 1, pc + 2);
	assert_false(p.image[0].kernel);
	profdata_free(&p);
	make_bsd(&b);
	assert_true(profread_is_gmon(b.at, b.n));
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), 0);
	assert_true(p.us == 10000 && p.total == 0x0103 + 0x0400 && p.narc == 1);
	expect_sample(&p, 0, 0x0103, PROFDATA_KERNEL, 1, pc + 3);
	expect_sample(&p, 1, 0x0400, PROFDATA_KERNEL, 1, pc + 4);
	profdata_free(&p);
	shake(profread_gmon, b.at, b.n);
}

/* A8: the same files with addresses of 64 bits, which their forms tell. */
static void read_wide_gmon(void **state)
{
	const uint64_t text = 0xffffffffc0100000;
	struct complaint why;
	struct profdata p;
	struct bytes b = {.wide = true};

	make_gnu(&b, 0xc0100000);
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), 0);
	assert_true(p.width == 8 && p.total == 0xffff + 0x0102 + 7 && p.nsample == 3);
	assert_true(profdata_leaf(&p, &p.sample[2])->pc == text + 0x14);
	assert_int_equal(profdata_leaf(&p, &p.sample[2])->span, 4);
	assert_true(p.narc == 1 && p.arc[0].frompc == text + 0x10 &&
		    p.arc[0].selfpc == text + 0x20 && p.arc[0].count == 70000);
	profdata_free(&p);
	shake(profread_gmon, b.at, b.n);
	make_bsd(&b);
	assert_true(profread_is_gmon(b.at, b.n));
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), 0);
	assert_true(p.width == 8 && p.total == 0x0103 + 0x0400 && p.narc == 1);
	assert_true(p.arc[0].selfpc == text + 4 && p.arc[0].count == 5);
	profdata_free(&p);
	shake(profread_gmon, b.at, b.n);
	b.n = 0; /* arcs come first */
	put_bytes(&b, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 21);
	put_arc(&b, 0xc0100010, 0xc0100020, 3);
	put_histogram(&b, 0xc0100010, 1000, 1, 2);
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), 0);
	assert_true(p.width == 8 && p.narc == 1 && p.arc[0].count == 3 && p.total == 3);
	profdata_free(&p);
}

/* gmon.out with bytes changed, or cut. */
static void damaged_gmon(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
		size_t length; /* 0: all */
		const char *why;
	} d[] = {
		{4, 2, 0, "at byte 4: version 1 expected, not 2"},
		{20, 9, 0, "at byte 20: a record's tag 0, 1 or 2 expected, not 9"},
		{0, 'g', 30, "truncated at byte 21: the head of a histogram of 32 bytes"},
		{0, 'g', 55, "truncated at byte 53: bins of 4 bytes expected, there are 2"},
		{0, 'g', 97, "truncated at byte 95: a number of blocks"},
		{0, 'g', 110, "truncated at byte 108: an arc of 12 bytes"},
		{21, 0x18, 0, "a histogram with bins in a range"},
		{29, 0, 0, "a histogram with bins in a range"},
		{29, 200, 0, "a histogram with bins in a range"},
		{70, 0, 0, "one rate for all expected, not 768 after 1000"},
		{37, 'q', 0, "a histogram of seconds or bytes expected"},
	};
	struct complaint why;
	struct profdata p;
	struct bytes b = {.wide = false};
	size_t i;

	for (i = 0; i < nelem(d); i++) {
		make_gnu(&b, 0xc0100000);
		b.at[d[i].at] = d[i].value;
		if (d[i].length)
			b.n = d[i].length;
		assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), -1);
		if (!strstr(why.text, d[i].why))
			fail_msg("%zu: \"%s\" not in \"%s\"", i, d[i].why, why.text);
	}
	make_bsd(&b);
	b.at[8] = 33;
	assert_int_equal(read_bytes(profread_gmon, &p, b.at, b.n, &why), -1);
	assert_non_null(strstr(why.text, "at byte 8"));
}

/* Make a log of prf with snapshots of two addresses; `clear` loads them anew in between. */
static size_t make_prf(uint8_t *at, const uint32_t counter[][4], unsigned n, bool clear)
{
	static const uint32_t address[] = {0xc0100030, 0xc0100070};
	struct prflog_head head = {.minor = 255, .rate = 100, .buildid = ID};
	uint8_t *end = prflog_put_head(at, &head);
	unsigned i;

	for (i = 0; i < n; i++) {
		if (i == 0 || clear)
			end = prflog_put_load(end, address, 2);
		end = prflog_put_snap(end, 1795262400 + 10 * i, (10ull + 10 * i) * 1000000000,
				      counter[i], 2);
	}
	return end - at;
}

static void read_prf(void **state)
{
	static const uint32_t counter[][4] = {{1, 2, 3, 4}, {5, 2, 3, 100}, {11, 3, 103, 300}};
	static const uint32_t pc[] = {0xc0100030, 0xc0100070};
	struct complaint why;
	struct profdata p;
	uint8_t at[1024];
	size_t n = make_prf(at, counter, 3, false);

	assert_true(profread_is_prf(at, n));
	assert_int_equal(read_bytes(profread_prf, &p, at, n, &why), 0);
	expect_sample(&p, 0, 10, PROFDATA_KERNEL, 1, pc);
	assert_int_equal(profdata_leaf(&p, &p.sample[0])->span, 0x40);
	expect_sample(&p, 1, 1, PROFDATA_KERNEL, 1, pc + 1);
	expect_sample(&p, 2, 100, PROFDATA_USER, 0, NULL);
	expect_sample(&p, 3, 296, PROFDATA_IDLE, 0, NULL);
	assert_true(p.us == 10000 && p.total == 407);
	assert_string_equal(p.image[0].buildid, ID);
	profdata_free(&p);
	shake(profread_prf, at, n);
	assert_int_equal(read_bytes(profread_prf, &p, at, n - 3, &why), 0); /* the first two */
	assert_int_equal(p.total, 100);
	profdata_free(&p);
	n = make_prf(at, counter, 1, false);
	assert_int_equal(read_bytes(profread_prf, &p, at, n, &why), -1);
	assert_non_null(strstr(why.text, "two snapshots expected"));
	at[90] ^= 1;
	assert_int_equal(read_bytes(profread_prf, &p, at, n, &why), -1);
	assert_non_null(strstr(why.text, "at byte"));
}

/* C5: a log that tells of the clock tells what was lost between its snapshots. */
static void lossy_prf(void **state)
{
	static const uint32_t address[] = {0xc0100030}, counter[][3] = {{1, 2, 3}, {50, 22, 33}};
	struct prflog_clock clock = {.source = "pit", .delivery = "nmi", .hz = 100, .ncpu = 2};
	struct prflog_head head = {.minor = 255, .rate = 100, .buildid = ID};
	uint8_t at[1024], *end = prflog_put_head(at, &head);
	struct complaint why;
	struct profdata p;
	unsigned i;

	for (i = 0; i < 2; i++) {
		clock.cpu[0].ticks = 1000 + 60 * i;
		clock.cpu[1].ticks = 500 + 40 * i;
		clock.cpu[1].lost = 7 + 20 * i;
		if (i == 0)
			end = prflog_put_load(end, address, 1);
		end = prflog_put_tick(end, &clock);
		end = prflog_put_snap(end, 1795262400 + i, (10ull + i) * 1000000000, counter[i], 1);
	}
	assert_int_equal(read_bytes(profread_prf, &p, at, end - at, &why), 0);
	assert_true(p.run.all.taken == 100 && p.run.all.lost == 20);
	profdata_free(&p);
}

/* kpdata's addresses are relative to the start of text. */
static void read_kpdata(void **state)
{
	static const uint8_t file[] = {
		0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 3, 0xe8, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 3,
		0, 0, 0, 3, 0, 0, 0, 2,
	};
	static const uint32_t pc[] = {48, 56};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_kpdata(file, sizeof(file)));
	assert_int_equal(read_bytes(profread_kpdata, &p, file, sizeof(file), &why), 0);
	expect_sample(&p, 0, 4, PROFDATA_OUTSIDE, 0, NULL);
	expect_sample(&p, 1, 3, PROFDATA_KERNEL, 1, pc);
	expect_sample(&p, 2, 2, PROFDATA_KERNEL, 1, pc + 1);
	assert_true(p.us == 1000 && p.image[0].relative);
	assert_int_equal(profdata_leaf(&p, &p.sample[1])->span, 8);
	assert_int_equal(p.image[0].text_size, 64);
	profdata_free(&p);
	shake(profread_kpdata, file, sizeof(file));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_stacks), cmocka_unit_test(short_addresses),
		cmocka_unit_test(wide_addresses),
		cmocka_unit_test(damaged_stacks),
		cmocka_unit_test(read_modules), cmocka_unit_test(cut_modules),
		cmocka_unit_test(damaged_modules),
		cmocka_unit_test(places_of_memory),
		cmocka_unit_test(read_gmon), cmocka_unit_test(read_wide_gmon),
		cmocka_unit_test(damaged_gmon),
		cmocka_unit_test(read_prf), cmocka_unit_test(lossy_prf),
		cmocka_unit_test(read_kpdata),
	};

	return RUN(tests, NULL, NULL);
}
