/* The size of the terminal. The sequences are those of ECMA-48, and two of DEC's. */
#include "userland/text/terminal.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LEAST 10    /* lines or columns: what is less is not meant */
#define MOST 1000   /* the same for more */
/* Save, a place of our choice, where is that? Far away, where is that? And back. */
#define ASK "\0337\033[1;%uH\033[6n\033[999;999H\033[6n\0338"

static unsigned lines, columns; /* 0: not answered */
static unsigned mark;		/* the column of line 1 that is asked about first; 0: never asked */
static bool marked;		/* the answer about that came: the next is the size */

/* Return the number in a variable of the environment, if it can be one, or else the usual one. */
static unsigned variable(const char *name, unsigned usual)
{
	const char *text = getenv(name);
	int n = text ? atoi(text) : 0;

	return n >= LEAST && n <= MOST ? (unsigned)n : usual;
}

unsigned terminal_lines(void)
{
	return lines ? lines : variable("LINES", 24);
}

unsigned terminal_columns(void)
{
	return columns ? columns : variable("COLUMNS", 80);
}

void terminal_ask(void)
{
	struct timespec now = {0, 0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	mark = 2 + (unsigned)now.tv_nsec / 1000 % 18;
	marked = false;
	printf(ASK, mark);
	fflush(stdout);
}

/* Take an answer to what was asked here: any text that is shown can make the terminal give one. */
static void answered(const unsigned n[2])
{
	bool size = marked;

	marked = mark > 0 && n[0] == 1 && n[1] == mark;
	if (!size)
		return;
	mark = 0;
	marked = false;
	if (n[0] >= LEAST && n[0] <= MOST && n[1] >= LEAST && n[1] <= MOST) {
		lines = n[0];
		columns = n[1];
	}
}

/* An answer is ESC [ LINES ; COLUMNS R. */
void terminal_answer(int fd)
{
	unsigned n[2] = {0, 0}, at = 0;
	char c = 0;

	if (read(fd, &c, 1) != 1 || c != '[')
		return;
	while (read(fd, &c, 1) == 1 && (isdigit((unsigned char)c) || c == ';')) {
		if (c == ';')
			at = 1;
		else
			n[at] = (n[at] * 10 + (unsigned)(c - '0')) % 10000;
	}
	if (c == 'R')
		answered(n);
}
