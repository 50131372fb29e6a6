/* Numbers on a command line. */
#ifndef NUMBER_H
#define NUMBER_H

long number(const char *text, long low, long high);

#endif
