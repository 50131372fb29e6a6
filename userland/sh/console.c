/* The console: whose it is, its mode, and bytes to and from it. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef CONSCTL
#define CONSCTL "/dev/consctl"
#endif

#define CTL_FD 39 /* out of the way of the descriptors that users name */

static int ctl = -1; /* open while the shell is interactive: closing it ends raw mode */

/* Sends consctl a message; false if there is none, or if it does not like it. */
static bool control(const char *msg)
{
	ssize_t n = (ssize_t)strlen(msg);

	return ctl >= 0 && write(ctl, msg, (size_t)n) == n;
}

/* ^C shall go to this shell's group, whose other members it ends; the shell ignores it. */
void console_start(void)
{
	char msg[32];
	int fd = open(CONSCTL, O_WRONLY);

	signal(SIGINT, SIG_IGN);
	if (fd < 0)
		return;
	ctl = dup2(fd, CTL_FD);
	close(fd);
	setpgid(0, 0);
	snprintf(msg, sizeof(msg), "pgrp %d", getpid());
	control(msg);
}

/* Every key at once and without echo, or lines as programs expect them. */
bool console_raw(bool on)
{
	return control(on ? "rawon" : "rawoff");
}

/* A child has nothing to do with it. */
void console_forget(void)
{
	if (ctl >= 0)
		close(ctl);
	ctl = -1;
}

/* The next byte: one at a time, for those behind it may be for the command to come. */
int console_read(void)
{
	unsigned char c;
	ssize_t n = read(0, &c, 1);

	if (n == 1)
		return c;
	return n < 0 && errno == EINTR ? CONSOLE_BREAK : CONSOLE_END;
}

/* To whoever types: standard error. What cannot be shown is lost. */
void console_write(const char *s, size_t n)
{
	ssize_t done;

	for (; n > 0; s += done, n -= (size_t)done) {
		done = write(2, s, n);
		if (done <= 0)
			return;
	}
}
