/*
 * Line tables whose paths would take far more memory than the file has bytes (H14),
 * tools/code/dwarfdata.c: their headers, by hand.
 */
#include "tests/test.h"
#include "tools/code/dwarfdata.c"

/* A table: of DWARF 4, then of DWARF 5 with folders of one form; `rest` bytes follow. */
static size_t table(uint8_t *to, unsigned version, uint8_t form, const char *lists, size_t n,
		    size_t rest)
{
	size_t i = 4, head;

	le_put16(to + i, (uint16_t)version);
	i += 2;
	if (version >= 5) {
		to[i++] = 4; /* bytes of an address */
		to[i++] = 0;
	}
	head = i;
	i += 4;
	memcpy(to + i, "\x01\x01\x01\xfb\x0e\x03\x00\x01", 8); /* with three opcodes: two lengths */
	i += 8;
	if (version >= 5) {
		memcpy(to + i, "\x01\x01", 2); /* one pair: of a path */
		to[i + 2] = form;
		i += 3;
	}
	memcpy(to + i, lists, n);
	i += n;
	le_put32(to + head, (uint32_t)(i - head - 4));
	memset(to + i, 1, rest);
	i += rest;
	le_put32(to, (uint32_t)(i - 4));
	return i;
}

static uint8_t lines[70000], paths[5000];
static char lists[40000];

/* Return whether the line table is left as it is. */
static bool taken(unsigned version, uint8_t form, size_t n, size_t path, size_t name, size_t bytes)
{
	struct dwarfdata d = {.bytes = bytes, .lines = {.at = lines}};

	memset(lists, 0, sizeof(lists));
	memset(lists, 'd', version < 5 ? path : 0);
	d.lines.n = table(lines, version, form, lists, n, 50);
	d.lines.n += table(lines + d.lines.n, version, form, "", 0, 50);
	d.paths.longest = version < 5 ? 0 : path;
	d.names.longest = name;
	check_lines(&d);
	return le_get16(lines + 4) == version;
}

static void paths_are_bounded(void **state)
{
	assert_true(taken(4, 0, 30000, 100, 0, 30000));
	assert_false(taken(4, 0, 40000, 4000, 0, 30000));
	assert_true(taken(4, 0, 40000, 4000, 0, 3000000)); /* of a larger file */
	assert_true(taken(5, DW_FORM_line_strp, 30000, 100, 4095, 30000));
	assert_false(taken(5, DW_FORM_line_strp, 40000, 4095, 0, 30000));
	assert_false(taken(5, DW_FORM_strp, 40000, 0, 4095, 30000));
}

static void strings_are_cut(void **state)
{
	memset(paths, 'x', sizeof(paths));
	assert_int_equal(cut_strings(paths, sizeof(paths)), TEXTS_NAME);
	assert_int_equal(strlen((char *)paths), TEXTS_NAME);
	paths[10] = paths[500] = 0;
	assert_int_equal(cut_strings(paths, 600), 489);
	assert_int_equal(paths[TEXTS_NAME], 0);
	assert_int_equal(paths[TEXTS_NAME + 1], 'x');
	assert_int_equal(cut_strings(NULL, 0), 0);
}

/* Wherever a header ends, nothing behind it is read. */
static void heads_may_be_cut_off(void **state)
{
	struct line_head h;
	size_t n = table(lines, 5, 0x1f, "a", 2, 50);

	assert_true(read_head(lines, n, &h));
	assert_int_equal(h.version, 5);
	assert_int_equal(h.at, 4);
	assert_int_equal(h.size, n);
	assert_int_equal(lines[h.lists], 1);
	assert_int_equal(lines[h.lists + 2], 0x1f);
	assert_int_equal(h.end, n - 50);
	for (size_t part = 0; part < n; part++) {
		uint8_t *copy = malloc(part + !part);

		memcpy(copy, lines, part);
		assert_false(read_head(copy, part, &h));
		free(copy);
	}
	le_put32(lines + 8, UINT32_MAX - 10); /* the header's length */
	assert_false(read_head(lines, n, &h));
	n = table(lines, 4, 0, "a", 2, 50);
	assert_true(read_head(lines, n, &h));
	assert_memory_equal(lines + h.lists, "a", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_bounded),
		cmocka_unit_test(strings_are_cut),
		cmocka_unit_test(heads_may_be_cut_off),
	};

	return RUN(tests, NULL, NULL);
}
