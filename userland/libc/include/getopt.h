/* Options of a command line, one letter each. */
#ifndef GETOPT_H
#define GETOPT_H

extern char *optarg;
extern int optind; /* the next word; set it to 1 to start again */
extern int opterr; /* 0: no messages */
extern int optopt;

int getopt(int argc, char *const *argv, const char *letters);

#endif
