/* Numbers on a command line. */
#ifndef USERLAND_COMMAND_NUMBER_H
#define USERLAND_COMMAND_NUMBER_H

long number(const char *text, long low, long high);

#endif
