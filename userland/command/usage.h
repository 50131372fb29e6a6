/* The usage message, which -h and a wrong command line print. */
#ifndef USERLAND_COMMAND_USAGE_H
#define USERLAND_COMMAND_USAGE_H

/*
 * Print "usage: " and the synopsis, and end the program: on standard output with status 0 when
 * the letter is 'h', for it was asked for, else on standard error with status 2. A synopsis has
 * one line for each way to use the command; all but the first begin with seven blanks.
 */
void __attribute__((noreturn)) usage(int letter, const char *synopsis);

/* Take the options of a command that has none but -h; the operands begin at optind. */
void no_options(int argc, char **argv, const char *synopsis);

#endif
