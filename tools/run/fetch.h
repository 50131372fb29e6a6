/* What the guest sends back in frames(5): its output, files, and the script's exit status. */
#ifndef TOOLS_RUN_FETCH_H
#define TOOLS_RUN_FETCH_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/outfile.h"
#include "tools/profile/programs.h"
#include "tools/profile/runinfo.h"
#include "tools/run/frames.h"
#include "tools/progress.h"

#define BUILDID_LEN 40	/* hexadecimal digits */
#define CLOCK_MAX 16384 /* bytes of what the guest says of its clock */

/* A file that is wanted. The strings are the caller's. */
struct fetch_file {
	const char *guest; /* its path in the guest */
	const char *name;  /* its name in the folder here */
	bool done;	   /* all of it has come */
	char nonce[OUTFILE_NONCE + 1]; /* the guest stores it as NAME.NONCE.part */
};

struct fetch {
	/* Set by the caller, the rest zero. */
	const char *dir; /* where files go; it exists, if it is needed */
	struct fetch_file *file;
	unsigned nfile;
	bool keep_version; /* the kernel's version goes to dir/version */
	struct runinfo run; /* the machine; the kernel and its clock come from the guest */
	struct programs programs; /* the machine's */
	int (*output)(void *arg, const uint8_t *p, size_t n); /* negative: stop */
	void *arg; /* of output() */
	struct progress *progress; /* shows each file that comes */
	/* What has come. */
	bool left;	 /* the script's shell has ended, and its output has not */
	bool ended;	 /* the script has, with that status */
	int status;
	unsigned failed; /* after fetch_finish: files that did not come */
	char version[256];
	char clock[CLOCK_MAX]; /* lines about its clock and ticks, for what stands beside files */
	struct complaint why; /* when a function failed */
	/* The file that is coming. */
	struct fetch_file *now;
	struct outfile out;
	char path[4096]; /* of out */
	uint64_t size, got; /* its bytes, as announced, and so far */
};

/*
 * Take a frame; a frame_fn. A file becomes DIR/NAME when it is whole; what came of one that is
 * not is DIR/NAME.part in the end. Beside it goes DIR/NAME.run, which says how it was counted.
 * -1 and why: the frame makes no sense, or a file cannot be written.
 */
int fetch_frame(void *fetch, const struct frame *f);

/* Tell that no more frames will come: give up an incomplete file, and count those that failed. */
void fetch_finish(struct fetch *x);

#endif
