/*
 * One run of the guest: its output is passed on until it ends or has to be stopped. The guest
 * writes to files of the work directory, not to pipes, so that nothing that we are busy with makes
 * it wait; here those are read as they grow.
 */
#ifndef TOOLS_RUN_SESSION_H
#define TOOLS_RUN_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/run/fetch.h"
#include "tools/run/frames.h"
#include "tools/run/qemu.h"
#include "tools/run/workdir.h"

enum outcome {
	SESSION_DONE,	   /* the script ended: fetch.status */
	SESSION_LIMIT,	   /* the time limit came first */
	SESSION_DIED,	   /* the guest ended before its script did; why, if inside a frame */
	SESSION_DAMAGED,   /* what came makes no sense, or cannot be stored: why */
	SESSION_UNHEARD,   /* what the script prints cannot be passed on: why */
	SESSION_FULL,	   /* no room for what QEMU writes: why */
	SESSION_SIGNALLED, /* we were asked to stop: session_signal() */
};

struct session {
	/* Set by the caller, the rest zero. */
	uint64_t deadline;   /* of moment_ns(): when the run is stopped */
	int data, console;   /* descriptors of the files that QEMU writes */
	const struct workdir *work; /* where they are */
	bool show_console;   /* copy it to the standard error */
	struct qemu *qemu;   /* started */
	struct fetch *fetch; /* its output and arg are set by session_run */
	/* For session.c alone. */
	struct frames frames;
	uint64_t data_at, console_at; /* bytes taken from each */
	uint64_t looked; /* moment_ns() of the last look for room */
	bool unheard;	/* an output of ours cannot be written */
	bool lingering; /* the script has ended, and QEMU has until the deadline to end too */
	struct complaint why;
};

/*
 * Block the signals that end a run except while session_run() waits, so that nothing is left
 * half done. Those that are ignored stay ignored. *before becomes the old mask, which QEMU
 * should have.
 */
void session_block_signals(sigset_t *before);

/* Return the signal that asked to stop, or 0. */
int session_signal(void);

/*
 * Follow the guest to the end of the run. QEMU may still be running then. Where the outcome says
 * `why', that is in s->why.
 */
enum outcome session_run(struct session *s);

#endif
