/* Showing a text a screen at a time: see pager.h. */
#include "userland/text/pager.h"

#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "userland/files/stream.h"
#include "userland/text/terminal.h"

#define CONSCTL "/dev/consctl" /* cons(4) */
#define PROMPT "-- more: space; q leaves --"
#define ESCAPE '\033'

/* Return where the text goes on after some lines. */
static const char *skip_lines(const char *p, const char *end, unsigned lines)
{
	while (lines-- > 0 && p < end) {
		const char *newline = memchr(p, '\n', end - p);

		p = newline ? newline + 1 : end;
	}
	return p;
}

/* Return where the lines before this place begin, or the first line of the text. */
static const char *back_lines(const char *text, const char *p, unsigned lines)
{
	while (p > text && lines-- > 0)
		for (p--; p > text && p[-1] != '\n'; p--)
			;
	return p;
}

/* Show the prompt and wait for a key. At the end of the keys it is q. */
static char ask(int keys)
{
	char key = 'q';

	stream_put(PROMPT, strlen(PROMPT));
	stream_flush();
	while (read(keys, &key, 1) == 1 && key == ESCAPE)
		terminal_answer(keys);
	stream_put("\r\033[K", 4); /* removes the prompt */
	stream_flush();
	return key;
}

/* Return whether the key means that the reader has had enough: q, ^C or ^D. */
static bool leaves(char key)
{
	return key == 'q' || key == 'Q' || key == '\003' || key == '\004';
}

/*
 * Show a text by screens. Meanwhile the console passes keys on one by one, without echo: cons(4).
 * Without that it works, too, but the keys need an Enter.
 */
static void show_screens(const char *text, const char *end, int keys)
{
	unsigned screen = terminal_lines() - 1; /* the prompt takes one more */
	const char *p = skip_lines(text, end, screen), *from = text;
	int ctl = open(CONSCTL, O_WRONLY);
	char key = 0;

	if (ctl >= 0 && write(ctl, "rawon", 5) < 0)
		warn(CONSCTL);
	stream_put(from, p - from);
	while (p < end && !leaves(key = ask(keys))) {
		from = key == 'b' ? back_lines(text, p, 2 * screen) : p;
		p = skip_lines(from, end, key == '\r' || key == '\n' || key == 'j' ? 1 : screen);
		stream_put(from, p - from);
	}
	stream_flush();
	if (ctl >= 0 && write(ctl, "rawoff", 6) < 0)
		warn(CONSCTL);
	close(ctl);
}

void pager_show(const char *text, size_t len, int keys)
{
	const char *end = text + len;
	/* A text of just a screen needs no prompt, whose line is free then. */
	bool fits = skip_lines(text, end, terminal_lines()) == end;

	if (!fits && isatty(STDOUT_FILENO) && isatty(keys)) {
		show_screens(text, end, keys);
	} else {
		stream_put(text, len);
		stream_flush();
	}
}
