/* The options of gnomon's commands, and what is said of those that are wrong. */
#ifndef TOOLS_OPTION_H
#define TOOLS_OPTION_H

#include <getopt.h>
#include <stddef.h>
#include "tools/complaint.h"

/* What getopt_long() did not like: it gave c, which is ':' or '?'. Always -1 and why. */
int option_wrong(int c, char **argv, struct complaint *why);

/* The long name of the option with that letter, which has one. */
const char *option_name(const struct option *all, int letter);

/* The argument of --limit; SIZE_MAX stands for all. 0, or -1 and why. */
int option_limit(const char *arg, size_t *limit, struct complaint *why);

#endif
