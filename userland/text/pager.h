/* Showing a text a screen at a time. */
#ifndef USERLAND_TEXT_PAGER_H
#define USERLAND_TEXT_PAGER_H

#include <stddef.h>

/*
 * Write a text to standard output: by screens if it has more than one and somebody sits there, that
 * is if standard output and the descriptor of the keys are terminals.
 */
void pager_show(const char *text, size_t len, int keys);

#endif
