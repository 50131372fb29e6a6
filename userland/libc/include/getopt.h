/* Options of a command line, one letter each. */
#ifndef GETOPT_H
#define GETOPT_H

extern char *optarg; /* the argument of the latest option; NULL if it has none */
extern int optind;   /* the next word; set it to 1 to start again */
extern int opterr;   /* 0: no messages */
extern int optopt;   /* the latest letter, even if it is unknown */

int getopt(int argc, char *const *argv, const char *letters);

#endif
