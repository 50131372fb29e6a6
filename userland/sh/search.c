/* ^R: finding a line of the history by a text in it, which is typed. */
#include "userland/sh/edit.h"
#include <stdlib.h>

/* Return how far back a line has the text, from line `back' of the history on; 0: none has it. */
static unsigned find(const struct text *what, unsigned back)
{
	static const char any[] = {GLOB_MARK, '*', '\0'};
	struct text pattern = {NULL, 0, 0};
	const char *line;

	text_add(&pattern, any);
	text_put(&pattern, what->text, what->len);
	text_add(&pattern, any);
	while ((line = history_line(back - 1)) != NULL && !glob_match(pattern.text, line))
		back++;
	free(pattern.text);
	return line ? back : 0;
}

/* Show the line that was found and what is looked for, which is the prompt meanwhile. */
static void show(struct edit *e, const struct text *what, unsigned back)
{
	struct text prompt = {NULL, 0, 0};

	text_add(&prompt, "search: ");
	text_put(&prompt, what->text, what->len);
	text_add(&prompt, ": ");
	e->prompt = prompt.text;
	if (back > 0)
		edit_history(e, back);
	else
		edit_draw(e);
	free(prompt.text);
}

/* Add a character to what is looked for, or remove the last one. Return false for other keys. */
static bool change(struct text *what, int key)
{
	if (key == CTRL('H') || key == 0x7f)
		what->len -= what->len > 0;
	else if (key >= ' ' && key < 256)
		text_char(what, (char)key);
	else
		return false;
	what->text[what->len] = '\0';
	return true;
}

/*
 * Look for the latest line that has what is typed; ^R once more goes on to an earlier one. Another
 * key ends the search and does to the line what it always does, but ^G brings back what was typed
 * before.
 */
void search(struct edit *e)
{
	const char *prompt = e->prompt;
	struct text what = {NULL, 0, 0};
	unsigned back = 0, from;
	int key;

	text_add(&what, "");
	for (;;) {
		show(e, &what, back);
		key = key_read();
		if (key != CTRL('R') && !change(&what, key))
			break;
		from = key == CTRL('R') ? back + 1 : back > 0 ? back : 1;
		from = what.len > 0 ? find(&what, from) : 0;
		if (from > 0)
			back = from;
		else
			console_write("\a", 1);
	}
	free(what.text);
	e->prompt = prompt;
	if (key == CTRL('G') && e->back > 0)
		edit_history(e, 0);
	else
		edit_draw(e);
	if (key != CTRL('G'))
		edit_press(e, key);
}
