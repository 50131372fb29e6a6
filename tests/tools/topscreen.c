/*
 * tools/guest/topscreen.c and topview.c: what keys mean that come at once, and letters that are
 * typed (H4).
 */
#include <fcntl.h>
#include <pty.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/ending.h"
#include "tools/guest/topscreen.h"
#include "tools/guest/topview.h"

static int terminal; /* the other end of our standard input */

/* The keys of a text come while nobody reads. */
static void expect_keys(const char *typed, size_t n, const int *keys)
{
	assert_int_equal(write(terminal, typed, strlen(typed)), strlen(typed));
	for (size_t i = 0; i < n; i++)
		assert_int_equal(topscreen_wait(10000), keys[i]);
	assert_int_equal(topscreen_wait(0), TOPSCREEN_NOTHING);
}

#define EXPECT_KEYS(typed, ...) \
	expect_keys(typed, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

static void keys(void **state)
{
	EXPECT_KEYS("a", 'a');
	EXPECT_KEYS("\033", TOPSCREEN_ESCAPE);
	EXPECT_KEYS("\033q", TOPSCREEN_ESCAPE, 'q');
	EXPECT_KEYS("\033/ab", TOPSCREEN_ESCAPE, '/', 'a', 'b');
	EXPECT_KEYS("\033[A\033OB\033[5~\033[6~", TOPSCREEN_UP, TOPSCREEN_DOWN, TOPSCREEN_PAGE_UP,
		    TOPSCREEN_PAGE_DOWN);
	EXPECT_KEYS("\033\033[A\033", TOPSCREEN_ESCAPE, TOPSCREEN_UP, TOPSCREEN_ESCAPE);
	EXPECT_KEYS("\033[Zx", TOPSCREEN_NOTHING, 'x');
}

static void type(struct topview *v, const char *typed)
{
	while (*typed)
		assert_true(topview_key(v, *typed++));
}

/* A filter has the letters that were typed since the last slash, and no others. */
static void filter(void **state)
{
	struct topview v = {.page = TOPVIEW_TABLE};

	type(&v, "/memcpy\r/s");
	assert_string_equal(v.filter, "s");
	type(&v, "y\177\177\177idle\r");
	assert_string_equal(v.filter, "idle");
	assert_true(topview_key(&v, TOPSCREEN_ESCAPE));
	assert_string_equal(v.filter, "");
	type(&v, "/x");
	assert_string_equal(v.filter, "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys),
		cmocka_unit_test(filter),
	};
	int slave, out, bad;

	if (openpty(&terminal, &slave, NULL, NULL, NULL) < 0)
		return 1;
	dup2(slave, STDIN_FILENO);
	ending_hold();
	fflush(stdout);
	out = dup(STDOUT_FILENO);
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
	topscreen_begin();
	dup2(out, STDOUT_FILENO);
	bad = cmocka_run_group_tests(tests, NULL, NULL);
	fflush(stdout);
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
	return bad;
}
