/* Numbers on a command line. */
#ifndef USERLAND_COMMAND_NUMBER_H
#define USERLAND_COMMAND_NUMBER_H

#include <stdbool.h>
#include <time.h>

/*
 * Return a whole decimal number within [low, high]; with anything else, end the program with
 * status 2 and a message that says what is wrong.
 */
long number(const char *text, long low, long high);

/* Make -40, as the first argument, the -n40 that it means. */
void number_lines(int argc, char **argv);

/*
 * Read a time in seconds, such as "1", "0.5" or ".25", to the nanosecond; further digits are
 * dropped. Return false when it is anything else, or more than thirty years.
 */
bool number_seconds(const char *text, struct timespec *t);

#endif
