/* The size of the terminal, as far as it is known. */
#ifndef USERLAND_TEXT_TERMINAL_H
#define USERLAND_TEXT_TERMINAL_H

/* What $LINES and $COLUMNS say, which sh(1) keeps, or what was answered since; else 24 and 80. */
unsigned terminal_lines(void);
unsigned terminal_columns(void);

/* Ask the terminal, which answers on its keys. */
void terminal_ask(void);

/* Read the rest of a sequence from those keys, after ESC. An answer to what was asked is taken. */
void terminal_answer(int fd);

#endif
