/* A bar on the terminal that shows how far a transfer, or other slow work, has come. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* One transfer at a time; the same struct can be used for the next. */
struct progress {
	bool on;	  /* the standard error is a terminal */
	const char *unit; /* what is counted; "bytes" unless changed after progress_init() */
	const char *name; /* of what is being done; NULL when no bar is shown */
	uint64_t done, total;
	uint64_t drawn; /* moment_ns() of the last drawing */
};

/* Decide whether there is a terminal; if not, the other functions do nothing. */
void progress_init(struct progress *p);

/* Show a bar for a total of bytes or other units; the name must last. Then count what is done. */
void progress_start(struct progress *p, const char *name, uint64_t total);
void progress_add(struct progress *p, uint64_t n);

/* Remove the bar; harmless when there is none. */
void progress_stop(struct progress *p);

#endif
