/*
 * tools/code/symbols.c: which function covers an address.
 * Links: tests/tools/elfdata.c
 */
#include <unistd.h>
#include "tests/test.h"
#include "tests/tools/elfdata.h"
#include "tools/code/symbols.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

static char path[64];

static const uint8_t buildid[20] = {0x01, 0x23, 0xab, [19] = 0xff};

static const struct elfdata_symbol kernel[] = {
	{"ktzero", 0xc0100000, 0, 'n'},	 {"etext", 0xc0100200, 0, 'n'},
	{"late", 0xc0100100, 0x40, 'F'}, {"early", 0xc0100030, 0x10, 'F'},
	{"unsized", 0xc0100060, 0, 'f'}, {"zafter", 0xc0100080, 0x20, 'f'},
	{"alias", 0xc0100100, 0, 'f'},	 {"absent", 0, 0, 'u'},
	{"label", 0xc0100034, 0, 'n'},	 {"after", 0xc0100080, 0x20, 'f'},
	{"last", 0xc0100180, 0, 'F'},	 {"outside", 0xc0100300, 0, 'F'},
	{"a_end", 0xc0100080, 0x20, 'f'},
};

/*
 * Addresses and the names expected, on both sides of every bound. Of two local names the first in
 * the alphabet is taken, of a global and a local one the global; what ends something comes last.
 */
static const struct {
	uint64_t pc;
	const char *name;
} at[] = {
	{0, NULL}, {0xc010002f, NULL},
	{0xc0100030, "early"}, {0xc0100034, "early"}, {0xc010003f, "early"}, {0xc0100040, NULL},
	{0xc010005f, NULL},
	{0xc0100060, "unsized"}, {0xc010007f, "unsized"},
	{0xc0100080, "after"}, {0xc010009f, "after"}, {0xc01000a0, NULL},
	{0xc01000ff, NULL}, {0xc0100100, "late"}, {0xc010013f, "late"}, {0xc0100140, NULL},
	{0xc010017f, NULL}, {0xc0100180, "last"}, {0xc01001ff, "last"}, {0xc0100200, NULL},
	{0xc01002ff, NULL}, {0xc0100300, "outside"}, {0xc0100301, NULL}, {UINT64_MAX, NULL},
};

static void find(void **state)
{
	const struct symbol *sym;
	struct complaint why;
	struct symbols s;
	size_t i;

	elfdata_write(path, kernel, nelem(kernel), buildid);
	assert_int_equal(symbols_load(&s, path, &why), 0);
	assert_int_equal(s.n, 6);
	for (i = 0; i < nelem(at); i++) {
		sym = symbols_at(&s, at[i].pc);
		assert_int_equal(sym != NULL, at[i].name != NULL);
		if (sym)
			assert_string_equal(sym->name, at[i].name);
	}
	assert_true(s.has_text);
	assert_int_equal(s.ktzero, 0xc0100000);
	assert_int_equal(s.etext, 0xc0100200);
	assert_string_equal(s.buildid, "0123ab00000000000000000000000000000000ff");
	symbols_free(&s);
}

/*
 * Names without a type, R9: in code that no function covers they stand for themselves, with what
 * follows. Labels of NASM within a function, names of kinds and what is not code are left out.
 */
static void labels(void **state)
{
	static const struct elfdata_symbol sym[] = {
		{"entry", 0, 0, 'n'}, {"typed", 4, 4, 'F'},	{"inside", 5, 0, 'n'},
		{"bare", 8, 0, 'n'},  {"bare.loop", 9, 0, 'n'}, {"$x", 10, 0, 'n'},
		{"open", 11, 0, 'f'}, {"shut", 12, 0, 'n'},	{"data", 16, 0, 'n'},
	};
	static const char *const want[17] = {
		"entry", "entry", "entry", "entry", "typed", "typed", "typed", "typed", "bare",
		"bare",	 "bare",  "open",  "open",  "open",  "open",  "open",  NULL,
	};
	const struct symbol *found;
	struct complaint why;
	struct symbols s;
	size_t pc;

	elfdata_write(path, sym, nelem(sym), NULL);
	assert_int_equal(symbols_load(&s, path, &why), 0);
	for (pc = 0; pc < nelem(want); pc++) {
		found = symbols_at(&s, pc);
		assert_int_equal(found != NULL, want[pc] != NULL);
		if (found)
			assert_string_equal(found->name, want[pc]);
	}
	symbols_free(&s);
}

/*
 * Functions of one name, R7: with the file that the symbol table has before local ones, or the
 * address where there is none, or where two are the same.
 */
static void namesakes(void **state)
{
	static const struct elfdata_symbol sym[] = {
		{"step", 0, 1, 'f'},
		{"kernel/main.c", 0, 0, 's'}, {"step", 1, 1, 'f'}, {"only", 2, 1, 'f'},
		{"sched.c", 0, 0, 's'}, {"step", 3, 1, 'f'}, {"same", 4, 1, 'f'},
		{"fs/sched.c", 0, 0, 's'}, {"same", 5, 1, 'f'}, {"lone", 6, 1, 'f'},
		{"", 0, 0, 's'}, {"step", 7, 1, 'F'}, {"lone_too", 8, 1, 'F'},
		{"only", 2, 1, 'f'}, {"e\33.c", 0, 0, 's'}, {"step", 9, 1, 'f'},
	};
	static const char *const want[] = {
		"step (0x0)", "step (main.c)", "only", "step (sched.c)", "same (0x4)",
		"same (0x5)", "lone", "step (0x7)", "lone_too", "step (e\\x1b.c)",
	};
	struct complaint why;
	struct symbols s;
	size_t i;

	elfdata_write(path, sym, nelem(sym), NULL);
	assert_int_equal(symbols_load(&s, path, &why), 0);
	assert_int_equal(s.n, nelem(want));
	for (i = 0; i < s.n; i++)
		assert_string_equal(s.sym[i].name, want[i]);
	assert_string_equal(s.sym[1].plain, "step");
	assert_true(symbol_means(&s.sym[1], "step"));
	assert_true(symbol_means(&s.sym[1], "step (main.c)"));
	assert_false(symbol_means(&s.sym[1], "step (sched.c)"));
	assert_string_equal(s.sym[2].plain, "only");
	symbols_free(&s);
}

/* A file without bounds of text and build id is read, without them. */
static void plain(void **state)
{
	struct complaint why;
	struct symbols s;

	elfdata_write(path, kernel + 2, nelem(kernel) - 2, NULL);
	assert_int_equal(symbols_load(&s, path, &why), 0);
	assert_false(s.has_text);
	assert_string_equal(s.buildid, "");
	symbols_free(&s);
}

/* Put n bytes into the file. */
static void put(const char *data, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	fclose(f);
}

/* Check that loading the file fails for that reason. */
static void refused(const char *reason)
{
	struct complaint why = {0};
	struct symbols s;

	assert_int_equal(symbols_load(&s, path, &why), -1);
	assert_non_null(strstr(why.text, path));
	assert_non_null(strstr(why.text, reason));
}

/* What nm prints, or Linux tells of itself, R9: modules are not in its text. */
static void nm_text(void **state)
{
	static const char text[] =
		"0000000000000000 A percpu\n"
		"                 U elsewhere\n"
		"ffffffff81000000 T _text\n"
		"ffffffff81000000 t alias\n"
		"ffffffff81000040 W weak\n"
		"ffffffff81002000 D data\n"
		"ffffffffc0000000 t added\t[module]\n";
	struct complaint why;
	struct symbols s;

	put(text, strlen(text));
	assert_int_equal(symbols_load(&s, path, &why), 0);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.width, 8);
	assert_int_equal(s.ktzero, 0xffffffff81000000);
	assert_int_equal(s.etext, 0xffffffff81001000);
	assert_string_equal(symbols_at(&s, 0xffffffff8100003f)->name, "_text");
	assert_string_equal(symbols_at(&s, 0xffffffff81000fff)->name, "weak");
	assert_string_equal(symbols_at(&s, 0xffffffffc0000000)->name, "added");
	symbols_free(&s);
	put("ffffffff T _text\nnonsense\n", 26);
	refused("nor symbols");
	put("ffffffff D data\n", 16);
	refused("nor symbols");
}

/* H14: where the last name, .symtab, has no end, libelf would look for it once for each symbol. */
static void no_end(void **state)
{
	static const struct elfdata_symbol one = {"f", 0xc0100000, 4, 'F'};
	char data[4096];
	FILE *f;
	size_t n, i;

	elfdata_write(path, &one, 1, NULL);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(data, 1, sizeof(data), f);
	fclose(f);
	for (i = 0; i + 8 < n && memcmp(data + i, ".symtab", 8) != 0; i++)
		;
	assert_true(i + 8 < n);
	data[strlen(data + i) + i] = 'x';
	put(data, n);
	refused("no symbols");
}

/* Files that are no kernels, and a kernel cut off anywhere, are refused, or lose no symbols. */
static void foreign(void **state)
{
	struct complaint why;
	struct symbols s;
	char *whole;
	size_t n, cut;
	FILE *f;

	put("", 0);
	refused("not an ELF file");
	put("#!/bin/sh\n", 10);
	refused("not an ELF file");
	elfdata_write(path, NULL, 0, buildid);
	refused("no symbols");
	elfdata_write(path, kernel, nelem(kernel), buildid);
	f = fopen(path, "r");
	whole = malloc(65536);
	n = fread(whole, 1, 65536, f);
	fclose(f);
	for (cut = 0; cut < n; cut += 7) {
		put(whole, cut);
		if (symbols_load(&s, path, &why) == 0)
			symbols_free(&s);
	}
	free(whole);
	unlink(path);
	refused("No such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find), cmocka_unit_test(plain), cmocka_unit_test(labels),
		cmocka_unit_test(namesakes),
		cmocka_unit_test(nm_text),
		cmocka_unit_test(foreign), cmocka_unit_test(no_end),
	};

	snprintf(path, sizeof(path), "/tmp/gnomon-symbols.%d", getpid());
	return RUN(tests, NULL, NULL);
}
