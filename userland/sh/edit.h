/* A line while it is edited: what edit.c, key.c and search.c share. */
#ifndef SH_EDIT_H
#define SH_EDIT_H

#include "userland/sh/sh.h"

/* Keys other than characters. */
enum key {
	KEY_END_OF_INPUT = CONSOLE_END,
	KEY_BREAK = CONSOLE_BREAK,
	KEY_UP = 256,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_WORD_LEFT,
	KEY_WORD_RIGHT,
	KEY_HOME,
	KEY_LAST,
	KEY_DELETE,
	KEY_UNKNOWN,
};

#define CTRL(c) ((c) - '@')

struct edit {
	const char *prompt;
	struct text *line;
	size_t at;     /* of the cursor in the line, bytes */
	size_t left;   /* of the first byte that is shown */
	unsigned back; /* 0: a new line is typed; n: line n - 1 of the history is shown */
	char *typed;   /* the new line, while the history is shown */
	bool done;
	enum edit_result result;
};

/* key.c: a character, or a key that a terminal sends as a sequence. */
int key_read(void);

/* edit.c: show the line with its prompt; show a line of the history; do what a key says. */
void edit_draw(struct edit *e);
void edit_history(struct edit *e, unsigned back);
void edit_press(struct edit *e, int key);

/* search.c: ^R. */
void search(struct edit *e);

#endif
