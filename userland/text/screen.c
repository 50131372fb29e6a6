/* Shows a text again and again. The sequences are those of ECMA-48 that terminals know. */
#include "userland/text/screen.h"

#include <sys/select.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "userland/text/terminal.h"

#define CONSOLE "/dev/consctl"
#define OTHER_SCREEN "\033[?1049h" /* xterm's: what was on the screen comes back... */
#define FIRST_SCREEN "\033[?1049l" /* ...with this one */
#define TOP_LEFT "\033[H"
#define CLEAR_LINE "\033[K"  /* from the cursor on */
#define CLEAR_BELOW "\033[J" /* the same */
#define TABLE 24	     /* lines, where there is no terminal */
#define ESCAPE '\033'
#define BREAK 3 /* ^C, which is a byte like others while keys come one by one */

static bool taken, keys; /* the terminal is; keys are read */
static bool asked;	 /* the terminal was, for its size, since the last text */
static int console = -1;

bool screen_open(void)
{
	taken = isatty(1);
	keys = taken && isatty(0);
	if (!taken)
		return false;
	setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
	if (keys) {
		console = open(CONSOLE, O_WRONLY);
		if (console < 0 || write(console, "rawon", 5) < 0)
			err(1, "%s", CONSOLE);
	}
	printf(OTHER_SCREEN TOP_LEFT CLEAR_BELOW);
	fflush(stdout);
	return keys;
}

void screen_close(void)
{
	if (taken)
		printf(FIRST_SCREEN);
	fflush(stdout);
	close(console); /* which ends rawon: cons(4) */
}

unsigned screen_lines(void)
{
	return taken ? terminal_lines() : TABLE;
}

void screen_begin(void)
{
	if (taken)
		printf(TOP_LEFT);
}

void screen_end_line(void)
{
	printf(taken ? CLEAR_LINE "\n" : "\n");
}

void screen_end(void)
{
	printf(taken ? CLEAR_BELOW : "\n");
	fflush(stdout);
	asked = false;
}

bool screen_wait(uint64_t ms)
{
	struct timeval left = {.tv_sec = (int64_t)(ms / 1000),
			       .tv_usec = (int32_t)(ms % 1000) * 1000};
	fd_set set;
	char c;

	if (keys && !asked)
		terminal_ask();
	asked = true;
	FD_ZERO(&set);
	if (keys)
		FD_SET(0, &set);
	if (select(keys ? 1 : 0, &set, NULL, NULL, &left) <= 0)
		return true;
	if (read(0, &c, 1) != 1) {
		keys = false; /* standard input has ended */
		return true;
	}
	if (c == ESCAPE)
		terminal_answer(0);
	return c != 'q' && c != BREAK;
}
