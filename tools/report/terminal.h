/*
 * What a report does on a terminal only: colours, and a pager. Into a pipe or a file the same text
 * goes without both, so that other programs can read it; --color=always is for pagers.
 */
#ifndef TOOLS_REPORT_TERMINAL_H
#define TOOLS_REPORT_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include "tools/option.h"

enum terminal_color { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

struct terminal {
	enum terminal_color when; /* --color */
	bool no_pager;
	bool is_there; /* from terminal_begin() on: the standard output is one, or a pager's */
	bool color; /* from terminal_begin() on: use colours */
	pid_t pager; /* 0: there is none */
	int out; /* the standard output as it was before the pager */
};

/* Option: auto, always or never into an enum terminal_color. */
option_take terminal_color;

/*
 * Decide about colours, and have a pager show what is printed if the standard output is a terminal:
 * $GNOMON_PAGER, $PAGER or less. Without one, and where it is empty or "cat", nothing is between.
 */
void terminal_begin(struct terminal *t);

/* Wait until the user has seen it all; the standard output is then what it was. */
void terminal_end(struct terminal *t);

#endif
