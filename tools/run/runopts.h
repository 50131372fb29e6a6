/* The options of gnomon-run(1). */
#ifndef TOOLS_RUN_RUNOPTS_H
#define TOOLS_RUN_RUNOPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/run/fetch.h"
#include "tools/run/qemu.h"

#define RUN_MAXFILES 256

/* A file of the host's that is put into the guest. */
struct put {
	const char *host, *guest;
};

/* What was asked for. Strings are argv's, or of the program's text. */
struct runopts {
	uint64_t limit_ns; /* how long a run may take, of the host's time; never 0 */
	const char *dir;	       /* for what is fetched; "": the default */
	bool keep_version;	       /* -o was given */
	struct fetch_file fetch[RUN_MAXFILES];
	unsigned nfetch;
	struct put put[RUN_MAXFILES];
	unsigned nput;
	const char *kernel, *initrd;   /* NULL: the ones that were built */
	const char *console;	       /* where it is kept; NULL: nowhere */
	const char *sound;	       /* where what is played is kept; NULL: no card */
	bool verbose;
	bool keep;		       /* what ran is kept beside what is fetched */
	unsigned repeat;	       /* how many runs; 0: one, without a folder of its own */
	uint32_t seed;		       /* of the profiling clock in the first run */
	struct machine machine;
	const char *script;	       /* a file, "-" for the standard input, or NULL */
	char **command;		       /* the command's words when script is NULL */
	int ncommand;
};

enum { RUNOPTS_OK, RUNOPTS_HELP, RUNOPTS_WRONG };

/*
 * Read the command line into o, which points into argv's strings; some are cut at a colon.
 * RUNOPTS_WRONG: why says what is wrong.
 */
int runopts_parse(struct runopts *o, int argc, char **argv, struct complaint *why);

extern const char runopts_usage[];

#endif
