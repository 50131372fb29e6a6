/* The console: which process group it sends ^C to, its mode, and bytes to and from it. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef CONSCTL
#define CONSCTL "/dev/consctl"
#endif

#define CTL_FD 39 /* out of the way of the descriptors that users name */

static unsigned width = 80; /* columns of the terminal */
static enum { NEVER_ASKED, ASKED, MARKED, ANSWERED } size_known;
static int mark; /* the column of line 1 where the terminal is asked first */
static int ctl = -1; /* open while the shell is interactive: closing it ends raw mode */
static int own;	     /* the shell's process group, while it is interactive */

/* Send a message to consctl. Return false if it is not open or refuses the message. */
static bool control(const char *msg)
{
	ssize_t n = (ssize_t)strlen(msg);

	return ctl >= 0 && write(ctl, msg, (size_t)n) == n;
}

int console_group(void)
{
	return own;
}

void console_give(int group)
{
	char msg[32];

	snprintf(msg, sizeof(msg), "pgrp %d", group);
	control(msg);
}

void console_leave(int group)
{
	if (setpgid(0, group) < 0)
		return;
	own = group;
	console_give(group);
}

/*
 * Make this shell's process group the one that ^C and ^Z go to. They end or stop the other members;
 * the shell itself ignores them.
 */
void console_start(void)
{
	int fd = open(CONSCTL, O_WRONLY);

	signal(SIGINT, SIG_IGN);
	signal(SIGTSTP, SIG_IGN);
	if (fd < 0)
		return;
	ctl = dup2(fd, CTL_FD);
	close(fd);
	console_leave(getpid());
}

/*
 * Deliver each key at once and without echo, or whole lines, as programs expect. Return
 * false if the console cannot.
 */
bool console_raw(bool on)
{
	return control(on ? "rawon" : "rawoff");
}

/* Close consctl in a child, which must not keep raw mode alive. */
void console_forget(void)
{
	if (ctl >= 0)
		close(ctl);
	ctl = -1;
}

/*
 * Return the next byte. Only one is read at a time, because those after it may be input of
 * the next command.
 */
int console_read(void)
{
	unsigned char c;
	ssize_t n = read(0, &c, 1);

	if (n == 1)
		return c;
	return n < 0 && errno == EINTR ? CONSOLE_BREAK : CONSOLE_END;
}

/*
 * Write to standard error, where the person at the console sees it. A failure is ignored:
 * there is nowhere to report it.
 */
void console_write(const char *s, size_t n)
{
	ssize_t done;

	for (; n > 0; s += done, n -= (size_t)done) {
		done = write(2, s, n);
		if (done <= 0)
			return;
	}
}

/* Return the columns of the terminal, as far as they are known. */
unsigned console_columns(void)
{
	return width;
}

/*
 * Ask the terminal how large it is: move the cursor as far as it goes, ask where it is, and move it
 * back (ECMA-48; DEC's save and restore). Nothing waits for the answer, which comes among the keys,
 * and which some never give: those are asked only once. A program may have asked, too: so the
 * answer that counts is the one after that for a place of our choice.
 */
void console_measure(void)
{
	struct timespec now = {0, 0};
	char ask[48];

	if (size_known == ASKED)
		return;
	size_known = ASKED;
	clock_gettime(CLOCK_MONOTONIC, &now);
	mark = 2 + (int)(now.tv_nsec / 1000 % 18);
	snprintf(ask, sizeof(ask), "\0337\033[1;%dH\033[6n\033[999;999H\033[6n\0338", mark);
	console_write(ask, strlen(ask));
}

/* Take the answer, if it is one, and tell programs by the environment, as other systems do. */
void console_measured(int lines, int columns)
{
	char number[16];

	if (size_known == ASKED && lines == 1 && columns == mark) {
		size_known = MARKED;
		return;
	}
	if (size_known != MARKED)
		return; /* nobody here has asked */
	size_known = ANSWERED;
	if (lines < 2 || columns < 20)
		return; /* such a one is not meant */
	width = (unsigned)columns;
	snprintf(number, sizeof(number), "%d", lines);
	var_set_word("LINES", number);
	snprintf(number, sizeof(number), "%d", columns);
	var_set_word("COLUMNS", number);
}
