/* What the guest sends back: its output, files, the script's exit status; frames(5). */
#ifndef TOOLS_RUN_FETCH_H
#define TOOLS_RUN_FETCH_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/run/frames.h"
#include "tools/progress.h"

#define BUILDID_LEN 40

struct fetch_file {
	const char *guest; /* its path there */
	const char *name;  /* its name in dir */
	bool done;	   /* it has come whole */
};

struct fetch {
	/* Set by the caller, the rest zero. */
	const char *dir; /* where the files go; it exists if it will be needed */
	struct fetch_file *file;
	unsigned nfile;
	bool keep_version; /* in dir/version */
	bool blocks;	   /* interrupts come between QEMU's translated blocks only */
	int (*output)(void *arg, const uint8_t *p, size_t n); /* less than 0 stops */
	void *arg;
	struct progress *progress;
	/* What came. */
	bool vector;	 /* ticks come by interrupt vector */
	bool ended;	 /* the script did, with status */
	int status;
	unsigned failed; /* after fetch_finish: files that did not come */
	char version[256];
	char buildid[BUILDID_LEN + 1]; /* empty when unknown */
	struct complaint why;	       /* of a negative return */
	/* The file that is coming. */
	struct fetch_file *now;
	int fd;
	uint64_t size, got;
};

/*
 * Take a frame; a frame_fn. While a file is coming it is DIR/NAME.part; whole, it
 * becomes DIR/NAME, with the kernel's build id in DIR/NAME.buildid; where ticks cannot be true,
 * DIR/NAME.clock has the words vector, blocks or both. -1: the frame
 * makes no sense, or a file cannot be written (why).
 */
int fetch_frame(void *fetch, const struct frame *f);

/* No more frames will come: lets go of a file that is incomplete, and counts those that failed. */
void fetch_finish(struct fetch *x);

#endif
