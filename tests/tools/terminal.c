/*
 * userland/text/terminal.c: the terminal's size is what it answers, if it was asked (B17).
 * Links: userland/text/terminal.c
 */
#include <unistd.h>
#include "tests/test.h"
#include "userland/text/terminal.h"

#define ASK "\0337\033[1;%uH\033[6n\033[999;999H\033[6n\0338"

/* The terminal's keys send this answer: what comes after ESC. */
static void answer(const char *text)
{
	int keys[2];

	assert_int_equal(pipe(keys), 0);
	assert_int_equal(write(keys[1], text, strlen(text)), strlen(text));
	close(keys[1]);
	terminal_answer(keys[0]);
	close(keys[0]);
}

/* It says where the cursor is. */
static void tell(unsigned line, unsigned column)
{
	char text[32];

	snprintf(text, sizeof(text), "[%u;%uR", line, column);
	answer(text);
}

static void expect_size(unsigned lines, unsigned columns)
{
	assert_int_equal(terminal_lines(), lines);
	assert_int_equal(terminal_columns(), columns);
}

/* Ask it, and return the column of the place that it is asked about first. */
static unsigned ask(void)
{
	char *asked = NULL;
	size_t n;
	unsigned column = 0;
	FILE *out = stdout;

	stdout = open_memstream(&asked, &n);
	terminal_ask();
	fclose(stdout);
	stdout = out;
	assert_int_equal(sscanf(asked, ASK, &column), 1);
	free(asked);
	return column;
}

static void B17_unasked(void **state)
{
	(void)state;
	expect_size(24, 80);
	tell(30, 100);
	expect_size(24, 80);
	tell(1, 0);
	tell(30, 100);
	expect_size(24, 80);
	setenv("LINES", "20", 1);
	expect_size(20, 80);
}

/* Answers to others come before ours, or between our two: what cannot be told apart is dropped. */
static void B17_asked(void **state)
{
	unsigned column;

	(void)state;
	column = ask();
	tell(30, 100);
	expect_size(20, 80);
	tell(1, column);
	answer("[B");
	tell(40, 132);
	expect_size(40, 132);
	tell(30, 100);
	tell(1, column);
	tell(30, 100);
	expect_size(40, 132);
	column = ask();
	tell(1, column);
	column = ask();
	tell(50, 90);
	expect_size(40, 132);
	tell(1, column);
	tell(9, 90);
	expect_size(40, 132);
	tell(1, ask());
	tell(1000, 10);
	expect_size(1000, 10);
	tell(1, ask());
	tell(1001, 10);
	answer("[5;");
	answer("O");
	answer("");
	expect_size(1000, 10);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(B17_unasked),
		cmocka_unit_test(B17_asked),
	};

	return RUN(tests, NULL, NULL);
}
