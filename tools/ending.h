/*
 * Signals that end a program, held back while it has something to put in order: a file half
 * written, a terminal to be set back. What takes long asks now and then whether one has come, and
 * gives up if so. SIGKILL and SIGSTOP cannot be held back.
 */
#ifndef TOOLS_ENDING_H
#define TOOLS_ENDING_H

#include <stdbool.h>

/*
 * Hold back SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE, except for those that are ignored; let
 * them come again once each hold has been released.
 */
void ending_hold(void);
void ending_release(void);

/* Return the first of them that has come and is being held back, or 0. */
int ending_came(void);

/*
 * Wait until fd (-1: none) is ready for poll(2)'s events, until a signal that is held back comes,
 * or for that number of milliseconds (-1: no limit). Return whether fd is ready.
 */
bool ending_wait(int fd, short events, int ms);

#endif
