/* One run of the guest: what comes out of it, for how long, and how it ends. */
#ifndef TOOLS_RUN_SESSION_H
#define TOOLS_RUN_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/run/fetch.h"
#include "tools/run/frames.h"
#include "tools/run/qemu.h"

enum outcome {
	SESSION_DONE,	   /* the script ended: fetch.status */
	SESSION_LIMIT,	   /* the time limit came first */
	SESSION_DIED,	   /* the guest ended before its script did; inside a frame: why */
	SESSION_DAMAGED,   /* what came makes no sense, or cannot be stored: why */
	SESSION_SIGNALLED, /* we were asked to stop: session_signal() */
};

struct session {
	/* Set by the caller, the rest zero. */
	uint64_t deadline;   /* moment_ns() at which the run has to be over */
	int data, console;   /* descriptors of the files that QEMU writes */
	bool show_console;   /* copy it to the standard error */
	struct qemu *qemu;   /* started */
	struct fetch *fetch; /* its output and arg are set by session_run */
	/* The session's own. */
	struct frames frames;
	uint64_t data_at, console_at; /* bytes taken from each */
	bool lingering; /* the script ended, and QEMU has until the deadline to leave */
	struct complaint why;
};

/*
 * Block the signals that end a run until session_run() waits, so that nothing is
 * left half done; those that are ignored stay so. The mask from before is for the
 * child.
 */
void session_block_signals(sigset_t *before);

/* The signal that came, 0 if none. */
int session_signal(void);

/* Follow the guest to its end. QEMU may still run afterwards. */
enum outcome session_run(struct session *s);

#endif
