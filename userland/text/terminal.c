/* The size of the terminal. The sequences are those of ECMA-48, and two of DEC's. */
#include "userland/text/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LEAST 10    /* lines or columns: what is less is not meant */
#define MOST 1000   /* the same for more */
#define ASK "\0337\033[999;999H\033[6n\0338" /* save, far away, where is that? and back */

static unsigned lines, columns; /* 0: not answered */

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
	printf(ASK);
	fflush(stdout);
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
	if (c == 'R' && n[0] >= LEAST && n[0] <= MOST && n[1] >= LEAST && n[1] <= MOST) {
		lines = n[0];
		columns = n[1];
	}
}
