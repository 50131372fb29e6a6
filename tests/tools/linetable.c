/*
 * userland/profile/lines.c:
 * tables of source lines, lines(5), whole and with every kind of damage
 * Links: userland/profile/lines.c
 */
#include "tests/test.h"
#include "userland/profile/lines.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define HEAD 24

/* Two files; eleven instructions in 52 bytes of text. */
static const uint8_t names[] = "a.c\0b.h";
static const uint8_t stream[] = {
	0x02,		  /* 2 bytes, no line known */
	0x41, 0x14,	  /* 1 byte, a.c:10 */
	0x03,		  /* 3 bytes, the same line */
	0x67, 0x01, 0xac, 0x04, /* 7 bytes, b.h:288: a file, and 278 lines more */
	0x7f, 0x00, 0xab, 0x04, /* 15 bytes that fill, a.c:10 again: 278 lines less */
	0x90,		  /* 3 bytes, a.c:8: a step of 2 back */
	0xbf,		  /* 8 bytes, a.c:14: a step of 6 */
	0xcf,		  /* 2 bytes and 8 bytes of that line */
	0x82,		  /* 1 byte, the next line */
	0x81,		  /* 1 byte, the line before */
	0x41, 0x1b,	  /* 1 byte, line 0: none */
};

static const struct lines_instruction wanted[] = {
	{0, 0, 0, false},   {2, 10, 0, false}, {3, 10, 0, false},
	{6, 288, 1, false}, {13, 10, 0, true}, {28, 8, 0, false},
	{31, 14, 0, false}, {39, 14, 0, false}, {41, 14, 0, false},
	{49, 15, 0, false}, {50, 14, 0, false}, {51, 0, 0, false},
};

/* Make the table. Return its size. */
static size_t make(uint8_t *table)
{
	static const uint32_t head[] = {2, 52, 2, sizeof(names), sizeof(stream)};

	memcpy(table, "LINE", 4);
	memcpy(table + 4, head, sizeof(head));
	memcpy(table + HEAD, names, sizeof(names));
	memcpy(table + HEAD + sizeof(names), stream, sizeof(stream));
	return HEAD + sizeof(names) + sizeof(stream);
}

/* Read a table that ends where its memory ends, so that reading too much is noticed. */
static const char *read_exactly(struct lines *l, const uint8_t *table, size_t n, uint8_t **copy)
{
	*copy = malloc(n + 1);
	assert_non_null(*copy);
	memcpy(*copy + 1, table, n);
	return lines_read(l, *copy + 1, n, false);
}

static void whole(void **state)
{
	uint8_t table[128], *copy;
	size_t n = make(table);
	struct lines l;

	assert_null(read_exactly(&l, table, n, &copy));
	assert_int_equal(l.nfiles, 2);
	assert_string_equal(l.file[0], "a.c");
	assert_string_equal(l.file[1], "b.h");
	assert_int_equal(l.n, nelem(wanted));
	for (size_t i = 0; i < l.n; i++) {
		assert_int_equal(l.in[i].pc, wanted[i].pc);
		assert_int_equal(l.in[i].line, wanted[i].line);
		assert_int_equal(l.in[i].fill, wanted[i].fill);
		if (wanted[i].line)
			assert_int_equal(l.in[i].file, wanted[i].file);
	}
	lines_free(&l);
	free(copy);
}

/* Only the names are wanted. */
static void names_alone(void **state)
{
	uint8_t table[128];
	size_t n = make(table);
	struct lines l;

	assert_null(lines_read(&l, table, n, true));
	assert_int_equal(l.nfiles, 2);
	assert_string_equal(l.file[1], "b.h");
	assert_int_equal(l.n, 0);
	lines_free(&l);
	assert_non_null(lines_read(&l, table, n - 1, true));
}

/* A program without instructions, and one without names. */
static void empty(void **state)
{
	uint8_t table[HEAD + 1] = {'L', 'I', 'N', 'E', 2};
	struct lines l;

	assert_null(lines_read(&l, table, HEAD, false));
	assert_int_equal(l.n, 0);
	lines_free(&l);
	table[8] = table[20] = 1;
	table[HEAD] = 1;
	assert_null(lines_read(&l, table, HEAD + 1, false));
	assert_int_equal(l.n, 1);
	lines_free(&l);
}

/* Two instructions in each byte, the most there can be, and each begins where the last ends. */
static void dense(void **state)
{
	static const uint8_t table[] = {
		'L', 'I', 'N', 'E', 2, [8] = 58, [20] = 7, [HEAD] = 0xc0, 0xc9, 0xd2, 0xdb, 0xe4,
		0xed, 0xff,
	};
	uint32_t pc = 0;
	struct lines l;

	assert_null(lines_read(&l, table, sizeof(table), false));
	assert_int_equal(l.n, 14);
	for (size_t i = 0; i < l.n; i++) {
		assert_int_equal(l.in[i].pc, pc);
		pc += i < 12 ? i / 2 + 1 : 8;
	}
	lines_free(&l);
}

/* Bytes that replace others, and what is said about the table then. */
static const struct {
	size_t at;
	uint8_t byte[4];
	size_t n;
	const char *says;
} damage[] = {
	{0, "K", 1, "version 2"},
	{4, {1}, 1, "version 2"},
	{8, {51}, 1, "longer than the text"},
	{8, {53}, 1, "end too early"},
	{8, {40}, 1, "longer than the text"}, /* with the first of two */
	{8, {48}, 1, "longer than the text"}, /* with the second */
	{8, {0}, 1, "longer than the text"},
	{12, {1}, 1, "more names"},
	{12, {3}, 1, "names end too early"},
	{12, {255, 255, 255, 255}, 4, "sizes do not add up"},
	{16, {9}, 1, "sizes do not add up"},
	{16, {255, 255, 255, 255}, 4, "sizes do not add up"},
	{20, {22}, 1, "sizes do not add up"},
	{20, {248, 255, 255, 255}, 4, "sizes do not add up"},
	{HEAD + 7, "x", 1, "names end too early"},
	{HEAD, "\033", 1, "not printable"},
	{HEAD, "\302\233", 2, "not printable"},
	{HEAD + 8, {0}, 1, "an instruction is damaged"},
	{HEAD + 8, {0x70}, 1, "an instruction is damaged"},
	{HEAD + 13, {2}, 1, "without a name"},
	{HEAD + 26, {0x9b}, 1, "an instruction is damaged"},
};

static void damaged(void **state)
{
	uint8_t table[128], *copy;
	struct lines l;

	for (size_t i = 0; i < nelem(damage); i++) {
		size_t n = make(table);
		const char *bad;

		memcpy(table + damage[i].at, damage[i].byte, damage[i].n);
		bad = read_exactly(&l, table, n, &copy);
		assert_non_null(bad);
		if (!strstr(bad, damage[i].says))
			fail_msg("%zu: \"%s\" and not \"%s\"", i, bad, damage[i].says);
		free(copy);
	}
}

/* A name as long as a path may be, and a longer one. */
static void longest(void **state)
{
	static uint8_t table[HEAD + LINES_NAME + 2] = {'L', 'I', 'N', 'E', 2, [12] = 1};
	struct lines l;

	memset(table + HEAD, 'a', LINES_NAME);
	table[HEAD + LINES_NAME - 1] = 0;
	memcpy(table + 16, &(uint32_t){LINES_NAME}, 4);
	assert_null(lines_read(&l, table, HEAD + LINES_NAME, false));
	lines_free(&l);
	table[HEAD + LINES_NAME - 1] = 'a';
	memcpy(table + 16, &(uint32_t){LINES_NAME + 1}, 4);
	assert_string_equal(lines_read(&l, table, HEAD + LINES_NAME + 1, true),
			    "a file's name is too long");
}

/* Numbers of more than 32 bits in the stream. */
static void numbers(void **state)
{
	static const uint8_t large[][6] = {
		{0x61, 0, 0xff, 0xff, 0xff, 0xff}, /* goes on */
		{0x41, 0xff, 0xff, 0xff, 0xff, 0x10},
		{0x21, 0x80, 0x80, 0x04, 0x01, 0x01}, /* file 65536 */
	};
	uint8_t table[HEAD + 6] = {'L', 'I', 'N', 'E', 2, [8] = 1, [20] = 6};
	struct lines l;

	for (size_t i = 0; i < nelem(large); i++) {
		const char *bad;

		memcpy(table + HEAD, large[i], 6);
		bad = lines_read(&l, table, sizeof(table), false);
		assert_string_equal(bad, "an instruction is damaged");
	}
}

/* Cut off anywhere, it is refused; with any one bit changed it is refused or read. */
static void anywhere(void **state)
{
	uint8_t table[128], *copy;
	size_t n = make(table);
	struct lines l;

	for (size_t cut = 0; cut < n; cut++) {
		assert_non_null(read_exactly(&l, table, cut, &copy));
		free(copy);
	}
	for (size_t bit = 0; bit < 8 * n; bit++) {
		table[bit / 8] ^= 1 << bit % 8;
		if (!read_exactly(&l, table, n, &copy))
			lines_free(&l);
		free(copy);
		table[bit / 8] ^= 1 << bit % 8;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole), cmocka_unit_test(names_alone),
		cmocka_unit_test(empty),   cmocka_unit_test(dense), cmocka_unit_test(longest),
		cmocka_unit_test(damaged), cmocka_unit_test(numbers), cmocka_unit_test(anywhere),
	};

	return RUN(tests, NULL, NULL);
}
