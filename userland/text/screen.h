/* A text that is shown again and again: in place on a terminal, else one after the other. */
#ifndef USERLAND_TEXT_SCREEN_H
#define USERLAND_TEXT_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Take the terminal, if standard output is one, and its keys, if standard input is: a screen of
 * its own, and keys one by one. Return whether keys are read. Text goes through stdio.
 */
bool screen_open(void);

/* Give the terminal back as it was; fit for atexit(). Nothing happens if it was not taken. */
void screen_close(void);

/* How many lines a text may have: those of the terminal, which are asked for again each time. */
unsigned screen_lines(void);

/* Begin and end a text, and end each of its lines, so that nothing of the one before remains. */
void screen_begin(void);
void screen_end_line(void);
void screen_end(void);

/* Wait for so long or until a key is typed. Return false if that is q or ^C, which leave. */
bool screen_wait(uint64_t ms);

#endif
