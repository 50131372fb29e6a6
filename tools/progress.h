/* How far the transfer of a file, or what else takes its time, has come, on a terminal. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;	  /* the standard error is a terminal */
	const char *unit; /* of what is counted; "bytes" unless it is said otherwise */
	const char *name; /* NULL: no bar is shown */
	uint64_t done, total;
	uint64_t drawn; /* when, in ns */
};

void progress_init(struct progress *p);
void progress_start(struct progress *p, const char *name, uint64_t total);
void progress_add(struct progress *p, uint64_t n);
void progress_stop(struct progress *p); /* takes the bar away; twice is fine */

#endif
