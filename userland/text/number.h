/* Numbers on a command line. */
#ifndef USERLAND_TEXT_NUMBER_H
#define USERLAND_TEXT_NUMBER_H

long number(const char *text, long low, long high);

#endif
