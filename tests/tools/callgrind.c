/* tools/export, callgrindfile.c and names.c:
 * short forms of names and positions, and which function has which cost. */
#include "tests/test.h"
#include "tools/export/callgrindfile.h"
#include "tools/memory.h"
#include "tools/export/names.h"

#define SELF CALLGRIND_SELF

/* Functions 0, 1 and 2, in two files and one object; 3 is unknown. */
static struct callgrind_function describe(void *arg, uint32_t function, char buf[512])
{
	static const struct callgrind_function known[] = {
		{"main", "prog", "main.c", 10, 0x1000},
		{"put", "prog", "put.c", 3, 0x2000},
		{"get", "prog", "main.c", 40, 0x1100},
	};

	if (function < 3)
		return known[function];
	strcpy(buf, "[idle]");
	return (struct callgrind_function){buf, "???", NULL, 0, 0};
}

/* Merge n costs, and return what is written of them. */
static char *written(const struct callgrind_cost *cost, size_t n, bool addresses)
{
	struct callgrind_cost *copy = memory_zeroed(n, sizeof(*copy));
	char *text = NULL;
	size_t size;
	struct callgrind_file file = {
		.to = open_memstream(&text, &size), .event = "Ticks", .addresses = addresses,
		.describe = describe,
	};

	if (n)
		memcpy(copy, cost, n * sizeof(*copy));
	callgrind_write(&file, copy, callgrind_merge(copy, n));
	fclose(file.to);
	free(copy);
	return text;
}

/* Compare what was written with what is wanted, and free it. */
static void check(char *text, const char *wanted)
{
	assert_string_equal(text, wanted);
	free(text);
}

static void test_nothing(void **state)
{
	check(written(NULL, 0, false), "positions: line\nevents: Ticks\nsummary: 0\n\ntotals: 0\n");
}

/* Costs of one place add up in any order; calls are not in the sum. */
static void test_lines(void **state)
{
	static const struct callgrind_cost cost[] = {
		{.function = 1, .callee = SELF, .file = "put.c", .line = 5, .cost = 7},
		{.function = 0, .callee = 1, .file = "main.c", .line = 12, .cost = 9, .calls = 2},
		{.function = 0, .callee = SELF, .file = "main.c", .line = 12, .cost = 1},
		{.function = 1, .callee = SELF, .file = "put.c", .line = 5, .cost = 2},
		{.function = 0, .callee = 1, .file = "main.c", .line = 12, .cost = 1, .calls = 1},
		{.function = 0, .callee = SELF, .file = "main.c", .line = 1500, .cost = 3},
	};

	check(written(cost, sizeof(cost) / sizeof(cost[0]), false),
	      "positions: line\nevents: Ticks\nsummary: 13\n"
	      "\nob=(1) prog\nfl=(1) main.c\nfn=(1) main\n12 1\n"
	      "cob=(1)\ncfi=(2) put.c\ncfn=(2) put\ncalls=3 3\n* 10\n"
	      "1500 3\n"
	      "\nob=(1)\nfl=(2)\nfn=(2)\n5 9\n"
	      "\ntotals: 13\n");
}

/* Both positions are relative where that is shorter; a place in another file is marked. */
static void test_addresses(void **state)
{
	static const struct callgrind_cost cost[] = {
		{.function = 0, .callee = SELF, .pc = 0x1003, .file = "main.c", .line = 11,
		 .cost = 1},
		{.function = 0, .callee = SELF, .pc = 0x1008, .file = "main.c", .line = 10,
		 .cost = 2},
		{.function = 0, .callee = SELF, .pc = 0x1008, .file = "main.h", .line = 10,
		 .cost = 4},
		{.function = 2, .callee = 3, .pc = 0x1102, .file = "main.c", .line = 41, .cost = 5,
		 .calls = 5},
		{.function = 3, .callee = SELF, .cost = UINT64_MAX - 7},
	};

	check(written(cost, sizeof(cost) / sizeof(cost[0]), true),
	      "positions: instr line\nevents: Ticks\nsummary: 18446744073709551615\n"
	      "\nob=(1) prog\nfl=(1) main.c\nfn=(1) main\n0x1003 11 1\n+5 -1 2\n"
	      "fi=(2) main.h\n* * 4\n"
	      "\nob=(1)\nfl=(1)\nfn=(2) get\n"
	      "cob=(2) ???\ncfi=(3) ???\ncfn=(3) [idle]\ncalls=5 0x0 0\n+250 +31 5\n"
	      "\nob=(2)\nfl=(3)\nfn=(3)\n0x0 0 18446744073709551608\n"
	      "\ntotals: 18446744073709551615\n");
}

/* A string keeps its first number through every size of the table. */
static void test_names(void **state)
{
	struct names names = {.n = 0};
	char name[16];
	uint32_t i;

	assert_int_equal(names_number(&names, ""), 0);
	for (i = 1; i < 5000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		assert_int_equal(names_number(&names, name), i);
	}
	for (i = 1; i < 5000; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		assert_int_equal(names_number(&names, name), i);
		assert_string_equal(names.name[i], name);
	}
	assert_int_equal(names_number(&names, ""), 0);
	assert_int_equal(names.n, 5000);
	names_free(&names);
	assert_int_equal(names_number(&names, "again"), 0);
	names_free(&names);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_names),
	};

	return RUN(tests, NULL, NULL);
}
