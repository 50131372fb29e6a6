/*
 * Editing a line at the console. The line is shown in one row; what does not fit is scrolled
 * sideways. Without raw mode, lines are read as they come.
 */
#include "userland/sh/edit.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct text killed; /* last, by ^U, ^K or ^W */

/* Return whether c continues a UTF-8 character: such bytes take no column. */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Return the columns that n bytes take on the screen. */
static unsigned columns(const char *s, size_t n)
{
	unsigned width = 0;

	while (n-- > 0)
		width += !is_inside(*s++);
	return width;
}

/* Return where the character before `at' begins. */
static size_t step_left(const struct edit *e, size_t at)
{
	if (at > 0)
		at--;
	while (at > 0 && is_inside(e->line->text[at]))
		at--;
	return at;
}

/* Return where the character at `at' ends. */
static size_t step_right(const struct edit *e, size_t at)
{
	if (at < e->line->len)
		at++;
	while (at < e->line->len && is_inside(e->line->text[at]))
		at++;
	return at;
}

/* Return the columns that a row can have: writing into the last one would wrap. */
static unsigned row_width(void)
{
	return console_columns() - 1;
}

/* Return the columns that the prompt leaves for the line, at least 20. */
static unsigned room(const struct edit *e)
{
	unsigned width = columns(e->prompt, strlen(e->prompt));

	return width + 20 < row_width() ? row_width() - width : 20;
}

/*
 * Choose the part of the line that is shown so that the cursor is in it. If it moves, the
 * cursor comes to stand at three quarters of the row, with text to see on both sides.
 */
static void scroll(struct edit *e)
{
	unsigned width = room(e), want = width * 3 / 4;

	if (columns(e->line->text, e->line->len) < width) {
		e->left = 0;
		return;
	}
	if (e->at >= e->left && columns(e->line->text + e->left, e->at - e->left) < width)
		return;
	for (e->left = e->at; want > 0 && e->left > 0; want--)
		e->left = step_left(e, e->left);
}

/* Draw the prompt and the line again, and put the cursor in its place. */
void edit_draw(struct edit *e)
{
	struct text out = {NULL, 0, 0};
	char move[16];
	size_t i;
	unsigned left;

	scroll(e);
	text_char(&out, '\r');
	text_add(&out, e->prompt);
	left = room(e);
	for (i = e->left; i < e->line->len; i++) {
		if (!is_inside(e->line->text[i]) && left-- == 0)
			break;
		text_char(&out, iscntrl((unsigned char)e->line->text[i]) ? ' ' : e->line->text[i]);
	}
	text_add(&out, "\033[K\r");
	left = columns(e->prompt, strlen(e->prompt)) +
	       columns(e->line->text + e->left, e->at - e->left);
	snprintf(move, sizeof(move), "\033[%uC", left);
	if (left > 0)
		text_add(&out, move);
	console_write(out.text, out.len);
	free(out.text);
}

/* Remove the bytes [from, to) of the line. The cursor stands there afterwards. */
static void cut(struct edit *e, size_t from, size_t to)
{
	memmove(e->line->text + from, e->line->text + to, e->line->len - to + 1);
	e->line->len -= to - from;
	e->at = from;
	edit_draw(e);
}

/* Insert bytes at the cursor. At the end of the line it is enough to write them. */
static void insert(struct edit *e, const char *s, size_t n)
{
	bool simple = e->at == e->line->len && !iscntrl((unsigned char)*s) && n == 1 &&
		      columns(e->line->text + e->left, e->line->len - e->left) + 1 < room(e);

	text_put(e->line, s, n);
	memmove(e->line->text + e->at + n, e->line->text + e->at, e->line->len - n - e->at);
	memcpy(e->line->text + e->at, s, n);
	e->at += n;
	if (simple)
		console_write(s, n);
	else
		edit_draw(e);
}

/* Move the cursor to byte `at'. */
static void move(struct edit *e, size_t at)
{
	e->at = at;
	edit_draw(e);
}

/* ^B: move a character to the left. */
static void key_left(struct edit *e)
{
	move(e, step_left(e, e->at));
}

/* ^F: move a character to the right. */
static void key_right(struct edit *e)
{
	move(e, step_right(e, e->at));
}

/* ^A: move to the start of the line. */
static void key_home(struct edit *e)
{
	move(e, 0);
}

/* ^E: move to the end of the line. */
static void key_last(struct edit *e)
{
	move(e, e->line->len);
}

/* ^H: delete the character before the cursor. */
static void key_backspace(struct edit *e)
{
	cut(e, step_left(e, e->at), e->at);
}

/* Delete: delete the character under the cursor. */
static void key_delete(struct edit *e)
{
	cut(e, e->at, step_right(e, e->at));
}

/* Remove bytes, which ^Y brings back. */
static void kill_text(struct edit *e, size_t from, size_t to)
{
	if (to > from) {
		killed.len = 0;
		text_put(&killed, e->line->text + from, to - from);
	}
	cut(e, from, to);
}

/* ^Y: insert what ^U, ^K or ^W has removed last. */
static void key_yank(struct edit *e)
{
	if (killed.len > 0)
		insert(e, killed.text, killed.len);
}

/* ^U: delete everything before the cursor. */
static void key_kill_start(struct edit *e)
{
	kill_text(e, 0, e->at);
}

/* ^K: delete everything from the cursor on. */
static void key_kill_end(struct edit *e)
{
	kill_text(e, e->at, e->line->len);
}

/* Return where the word before the cursor begins. */
static size_t word_start(const struct edit *e)
{
	size_t at = e->at;

	while (at > 0 && isblank((unsigned char)e->line->text[at - 1]))
		at--;
	while (at > 0 && !isblank((unsigned char)e->line->text[at - 1]))
		at--;
	return at;
}

/* Alt-B, Ctrl and Alt with left: move to the start of a word. */
static void key_word_left(struct edit *e)
{
	move(e, word_start(e));
}

/* Alt-F, Ctrl and Alt with right: move to the end of a word. */
static void key_word_right(struct edit *e)
{
	size_t at = e->at;

	while (isblank((unsigned char)e->line->text[at]))
		at++;
	while (e->line->text[at] != '\0' && !isblank((unsigned char)e->line->text[at]))
		at++;
	move(e, at);
}

/* ^W: delete the word before the cursor, and the blanks between them. */
static void key_kill_word(struct edit *e)
{
	kill_text(e, word_start(e), e->at);
}

/* End the editing; what follows begins a new row. */
static void finish(struct edit *e, enum edit_result result)
{
	e->done = true;
	e->result = result;
	console_write("\r\n", 2);
}

/* Enter: accept the line, wherever the cursor stands. */
static void key_enter(struct edit *e)
{
	finish(e, EDIT_LINE);
}

/* ^C: drop the line, and the command it is part of. */
static void key_break(struct edit *e)
{
	console_write("^C", 2);
	finish(e, EDIT_BREAK);
}

/* ^D: end the input if the line is empty, else delete the character under the cursor. */
static void key_end_or_delete(struct edit *e)
{
	if (e->line->len == 0)
		finish(e, EDIT_END);
	else
		key_delete(e);
}

/* ^L: clear the screen but for the line. */
static void key_clear(struct edit *e)
{
	console_write("\033[H\033[2J", 7);
	edit_draw(e);
}

/*
 * Show line `back' of the history, counted from 1; 0 is the line being typed, which is kept
 * when it is left.
 */
void edit_history(struct edit *e, unsigned back)
{
	const char *s = back > 0 ? history_line(back - 1) : e->typed;

	if (!s)
		return;
	if (e->back == 0) {
		free(e->typed);
		e->typed = need(strdup(e->line->text));
		s = history_line(back - 1);
	}
	e->back = back;
	e->line->len = 0;
	text_add(e->line, s);
	key_last(e);
}

/* ^P: show the line typed before. */
static void key_up(struct edit *e)
{
	edit_history(e, e->back + 1);
}

/* ^N: show the line that was typed after the one shown; after the latest, the one begun here. */
static void key_down(struct edit *e)
{
	if (e->back > 0)
		edit_history(e, e->back - 1);
}

/* Return the last part of a path, with the slash of a directory. */
static const char *last_part(const char *s)
{
	size_t n = strlen(s);

	while (n > 1 && s[n - 2] != '/')
		n--;
	return n > 0 ? s + n - 1 : s;
}

/* List what the word could become, in columns of equal width. */
static void show_names(const struct list *names)
{
	struct text out = {NULL, 0, 0};
	size_t width = 0, used = 0, n;
	const struct list *l;

	for (l = names; l; l = l->next)
		width = strlen(last_part(l->s)) > width ? strlen(last_part(l->s)) : width;
	width += 2;
	for (l = names; l; l = l->next) {
		if (used + width > row_width() || used == 0) {
			text_add(&out, "\r\n");
			used = 0;
		}
		text_add(&out, last_part(l->s));
		for (n = strlen(last_part(l->s)); n < width; n++)
			text_char(&out, ' ');
		used += width;
	}
	text_add(&out, "\r\n");
	console_write(out.text, out.len);
	free(out.text);
}

/* ^I: complete the word before the cursor. Where the line is only indented, a tab is a tab. */
static void key_tab(struct edit *e)
{
	struct mark m = arena_mark(&sh.mem);
	struct completion c;

	if (strspn(e->line->text, " \t") >= e->at) {
		insert(e, "\t", 1);
		return;
	}
	complete(&sh.mem, e->line->text, e->at, &c);
	if (c.insert) {
		cut(e, c.start, e->at);
		insert(e, c.insert, strlen(c.insert));
	} else if (c.names) {
		show_names(c.names);
		edit_draw(e);
	} else {
		console_write("\a", 1);
	}
	arena_release(&sh.mem, m);
}

/* What the keys do. A key that is not here inserts itself if it is a character. */
static const struct binding {
	int key;
	void (*act)(struct edit *e);
} bindings[] = {
	{CTRL('A'), key_home},		{KEY_HOME, key_home},	     {CTRL('B'), key_left},
	{KEY_LEFT, key_left},		{CTRL('C'), key_break},	     {KEY_BREAK, key_break},
	{CTRL('D'), key_end_or_delete}, {KEY_DELETE, key_delete},    {CTRL('E'), key_last},
	{KEY_LAST, key_last},		{CTRL('F'), key_right},	     {KEY_RIGHT, key_right},
	{CTRL('H'), key_backspace},	{0x7f, key_backspace},	     {CTRL('I'), key_tab},
	{CTRL('J'), key_enter},		{CTRL('K'), key_kill_end},   {CTRL('L'), key_clear},
	{CTRL('M'), key_enter},		{CTRL('N'), key_down},	     {CTRL('P'), key_up},
	{KEY_DOWN, key_down},		{CTRL('U'), key_kill_start}, {KEY_UP, key_up},
	{CTRL('W'), key_kill_word},	{CTRL('R'), search},	     {CTRL('Y'), key_yank},
	{KEY_WORD_LEFT, key_word_left}, {KEY_WORD_RIGHT, key_word_right},
};

/* Do what a key says. */
void edit_press(struct edit *e, int key)
{
	size_t i;
	char c = (char)key;

	for (i = 0; i < sizeof(bindings) / sizeof(bindings[0]); i++) {
		if (bindings[i].key == key) {
			bindings[i].act(e);
			return;
		}
	}
	if (key == KEY_END_OF_INPUT)
		finish(e, EDIT_END);
	else if (key >= ' ' && key < 256)
		insert(e, &c, 1);
}

/* Read a line as the console gives it, if there is no raw mode. */
static enum edit_result read_plain(struct text *line)
{
	int c;

	while ((c = console_read()) != '\n') {
		if (c == CONSOLE_BREAK)
			return EDIT_BREAK;
		if (c == CONSOLE_END && line->len > 0)
			return EDIT_LINE;
		if (c == CONSOLE_END) {
			console_write("\n", 1);
			return EDIT_END;
		}
		text_char(line, (char)c);
	}
	return EDIT_LINE;
}

/* Read a line while it is edited. EDIT_END means that there will be no more. */
enum edit_result edit_line(const char *prompt, struct text *line)
{
	struct edit e = {.prompt = prompt, .line = line};

	text_add(line, "");
	if (!console_raw(true)) {
		console_write(prompt, strlen(prompt));
		return read_plain(line);
	}
	console_measure();
	console_write(prompt, strlen(prompt));
	while (!e.done)
		edit_press(&e, key_read());
	console_raw(false);
	free(e.typed);
	return e.result;
}
