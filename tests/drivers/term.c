/*
 * The screen's terminal: what sequences leave on it, cell by cell (V3).
 * Links: drivers/console/term.c drivers/console/sgr.c tests/drivers/fakes.c
 */
#include "drivers/console/font.h"
#include "drivers/console/term.h"
#include "drivers/console/utf8.h"
#include "tests/drivers/fakes.h"

#define COLUMNS 8u
#define ROWS 4u
#define MISSING 255

static uint16_t screen[ROWS][COLUMNS];
static unsigned row, column, shown; /* the cursor's; how many rows were shown */
static uint16_t cells[2 * TERM_PAGE / 2], spare[TERM_PAGES][TERM_PAGE / 2];
static struct term term;

/* A font in which glyphs are ASCII, the blank is 0, and e with an acute accent is 200. */
uint8_t font_find(uint32_t code)
{
	if (code == 0xe9)
		return 200;
	return code >= ' ' && code < 0x7f ? (uint8_t)code : MISSING;
}

static void show(unsigned r, unsigned n, const uint16_t *cell)
{
	assert_true(n > 0 && r < ROWS && n <= ROWS - r);
	memcpy(screen[r], cell, n * sizeof(screen[r]));
	shown += n;
}

static void cursor(unsigned r, unsigned c)
{
	assert_true(r <= ROWS && c < COLUMNS);
	row = r;
	column = c;
}

static const struct term_screen small = {COLUMNS, ROWS, show, cursor};

static int setup(void **state)
{
	assert_int_equal(term_pages(&small), sizeof(cells) / TERM_PAGE);
	memset(cells, 0, sizeof(cells));
	term_init(&term, &small, cells);
	shown = 0;
	return 0;
}

static void write(const char *s)
{
	term_write(&term, s, strlen(s));
}

/* The rows as text, ended by '|'; blanks at their ends are left out. */
static const char *rows(void)
{
	static char text[ROWS * (COLUMNS + 1) + 1];
	char *to = text;

	for (unsigned r = 0; r < ROWS; r++) {
		unsigned n = COLUMNS;

		while (n > 0 && (screen[r][n - 1] & 0xff) == ' ')
			n--;
		for (unsigned c = 0; c < n; c++) {
			uint8_t glyph = screen[r][c] & 0xff;
			*to++ = glyph == MISSING ? '#' : glyph == 200 ? 'E' : (char)glyph;
		}
		*to++ = '|';
	}
	*to = 0;
	return text;
}

/* What is written, the rows, and where the cursor is. */
static void the_table(void **state)
{
	static const struct {
		const char *in, *rows;
		unsigned row, column;
	} t[] = {
		{"", "||||", 0, 0},
		{"ab\ncd", "ab|cd|||", 1, 2},
		{"ab\rc", "cb||||", 0, 1},
		{"abc\b\bX", "aXc||||", 0, 2},
		{"a\tb", "a      b||||", 0, 7},
		/* the last column: the next character begins a line, controls do not */
		{"12345678", "12345678||||", 0, 7},
		{"123456789", "12345678|9|||", 1, 1},
		{"12345678\r\nx", "12345678|x|||", 1, 1},
		{"1\n2\n3\n4\n5", "2|3|4|5|", 3, 1},
		/* CUP, CUU, CUD, CUF, CUB and their limits */
		{"\033[2;3Hx", "|  x|||", 1, 3},
		{"\033[9;9Hx\033[Hy", "y|||       x|", 0, 1},
		{"\033[3;3H\033[A\033[2Cx", "|    x|||", 1, 5},
		{"\033[9A\033[9Dx\033[Bx", "x| x|||", 1, 2},
		/* ED, EL */
		{"aaaaaaa\033[3D\033[K", "aaaa||||", 0, 4},
		{"aaaaaaa\033[3D\033[1K", "     aa||||", 0, 4},
		{"aaaaaaa\033[3D\033[2K", "||||", 0, 4},
		{"a\nb\nc\nd\033[2;1H\033[J", "a||||", 1, 0},
		{"a\nb\nc\nd\033[2;1H\033[1J", "||c|d|", 1, 0},
		{"a\nb\033[2Jc", "| c|||", 1, 2},
		/* DECSTBM */
		{"a\nb\nc\nd\033[2;3r\033[3;1H\nX", "a|c|X|d|", 2, 1},
		{"a\nb\nc\nd\033[3;2rX", "a|b|c|dX|", 3, 2},
		/* save and restore; the other screen */
		{"ab\0337cd\nef\0338X", "abXd|ef|||", 0, 3},
		{"ab\033[?1049h\033[Hxyz\033[?1049lc", "abc||||", 0, 3},
		{"ab\033[?1049hcd", "  cd||||", 0, 4},
		/* UTF-8, whole and damaged */
		{"\303\251x", "Ex||||", 0, 2},
		{"\342\202\254\360\237\230\200.", "##.||||", 0, 3},
		{"\303x\251\377y", "#x##y||||", 0, 5},
		/* what is unknown is passed over: private, strings, intermediates, long numbers */
		{"\033[>1;2c\033]0;title\ax\033P1$r\033\\y\033[1;2;3;4;5;6;7;8;9;10mz",
		 "xyz||||", 0, 3},
		{"\033[99999999999Cx", "       x||||", 0, 7},
		{"\033[!p\033Zx\033(By\033#8\033$(Cz", "xyz||||", 0, 3},
		/* a string ends with its line at the latest */
		{"\033]0;title\nx\033Pq\ny", "xy||||", 0, 2},
		/* controls within a sequence count */
		{"a\033[\n2Cb", "a|  b|||", 1, 3},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		write("\033c");
		assert_int_equal(row + column, 0);
		for (const char *c = t[i].in; *c; c++) /* however it is cut */
			term_write(&term, c, 1);
		assert_string_equal(rows(), t[i].rows);
		assert_int_equal(row, t[i].row);
		assert_int_equal(column, t[i].column);
		write("\033c");
		write(t[i].in);
		assert_string_equal(rows(), t[i].rows);
	}
}

static void colours(void **state)
{
	static const struct {
		const char *in;
		uint8_t colours;
	} t[] = {
		{"", 0x07}, {"\033[31m", 0x04}, {"\033[34;1m", 0x09}, {"\033[92m", 0x0a},
		{"\033[44;37m", 0x17}, {"\033[103m", 0xe7}, {"\033[7m", 0x70},
		{"\033[31;7m\033[27m", 0x04}, {"\033[1;31;42m\033[m", 0x07},
		{"\033[31;39;41;49m", 0x07},
		{"\033[1m\033[22m", 0x07},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		write("\033c");
		write(t[i].in);
		write("x");
		assert_int_equal(screen[0][0] >> 8, t[i].colours);
	}
	write("\033c\033[41m\033[2K"); /* what is erased has the colour behind characters */
	assert_int_equal(screen[0][5], 0x4700 | ' ');
}

static void looks_back(void **state)
{
	unsigned pages = 0;

	for (char c = 'a'; c <= 'j'; c++) {
		term_write(&term, &c, 1);
		if (c < 'j')
			write("\n");
	}
	assert_string_equal(rows(), "g|h|i|j|");
	term_look(&term, 3);
	assert_string_equal(rows(), "d|e|f|g|");
	assert_int_equal(row, ROWS); /* no cursor */
	term_look(&term, 100);
	assert_string_equal(rows(), "a|b|c|d|");
	term_look(&term, -2);
	assert_string_equal(rows(), "c|d|e|f|");
	write("!"); /* output shows the end again */
	assert_string_equal(rows(), "g|h|i|j!|");
	assert_int_equal(row, 3);
	for (unsigned i = 0; i < 3 * TERM_BACK; i++) {
		if (!term.spare && pages < TERM_PAGES)
			term.spare = spare[pages++];
		write("\nx");
	}
	term_look(&term, INT32_MAX / 2);
	assert_string_equal(rows(), "x|x|x|x|");
	assert_in_range(term.view, TERM_BACK, TERM_BACK + 2 * TERM_PAGE / 2 / COLUMNS);
}

/* The numbers of lines begin again long before there are none left. */
static void runs_for_long(void **state)
{
	for (unsigned i = 0, pages = 0; i < 3 * TERM_PAGES * term.per; i++) {
		if (!term.spare && pages < TERM_PAGES)
			term.spare = spare[pages++];
		term_write(&term, &"abcdefg"[i % 7], 1);
		write("\n");
	}
	assert_in_range(term.first, TERM_BACK, (TERM_PAGES + 10) * term.per);
	assert_string_equal(rows(), "c|d|e||"); /* the number of lines was 7 * n + 5 */
	term_look(&term, 700);
	assert_string_equal(rows(), "c|d|e|f|");
}

static void answers(void **state)
{
	write("ab\ncd\033[6n\033[5n");
	assert_string_equal(term.answer, "\033[2;3R\033[0n");
	for (unsigned i = 0; i < 20; i++)
		write("\033[6n");
	assert_int_equal(strlen(term.answer), sizeof(term.answer) - 1);
	term.answer[0] = 0;
	write("\033[?25l");
	assert_int_equal(row, ROWS);
	write("\033[?25h");
	assert_int_equal(row, 1);
}

/* Many lines in one write show each row once; a character shows its row alone. */
static void shows_little(void **state)
{
	write("x");
	assert_int_equal(shown, 1);
	write("1\n2\n3\n4\n5\n6\n7\n8\n");
	assert_int_equal(shown, 1 + ROWS);
}

/* Any byte, at any place among four at a time, ends printing ASCII if it is none. */
static void ascii(void **state)
{
	for (unsigned c = 0; c < 256; c++)
		for (unsigned at = 0; at < 9; at++) {
			char s[] = "~ x ~~  ~";

			s[at] = (char)c;
			assert_int_equal(utf8_ascii(s, 9), c >= ' ' && c < 0x7f ? 9 : at);
			assert_int_equal(utf8_ascii(s, at), at);
		}
}

#define TEST(f) cmocka_unit_test_setup(f, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_table), TEST(colours), TEST(looks_back), TEST(runs_for_long),
		TEST(answers), TEST(shows_little), TEST(ascii),
	};

	return RUN(tests, NULL, NULL);
}
