/*
 * The log of prf's counters, which prfsnap(8) writes and prfpr(8) reads: prf(4). All of it
 * works on memory.
 */
#ifndef USERLAND_FORMATS_PRFLOG_H
#define USERLAND_FORMATS_PRFLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "userland/formats/ticks.h"

#define PRFLOG_ID 40	 /* characters of a build id */
#define PRFLOG_HEAD 72	 /* bytes of the file's head */
#define PRFLOG_RECORD 16 /* bytes before what a record holds */
#define PRFLOG_LOAD(n) (PRFLOG_RECORD + 4 * (size_t)(n))
#define PRFLOG_TICK(ncpu) (PRFLOG_RECORD + 40 + 16 * (size_t)(ncpu))
#define PRFLOG_SNAP(n) (PRFLOG_RECORD + 16 + 4 * ((size_t)(n) + 2))
#define PRFLOG_MAXCPU 64u
#define PRFLOG_SOURCE 8 /* bytes of a clock's name, with its NUL */

/* What the whole file is about. */
struct prflog_head {
	uint32_t minor; /* of the device: 255 all processors */
	uint32_t rate;	/* ticks a second on each processor */
	char buildid[PRFLOG_ID + 1];
};

/* What the profiling clock has done since the system was started, whichever profiler was on. */
struct prflog_clock {
	uint64_t start[2];	     /* tell this start from others */
	char source[PRFLOG_SOURCE], delivery[PRFLOG_SOURCE]; /* such as "pit" and "nmi" */
	uint32_t hz, ncpu;
	struct {
		uint64_t ticks, lost; /* delivered; due, and never delivered */
	} cpu[PRFLOG_MAXCPU];
};

/* The counters at one moment. */
struct prflog_snap {
	int64_t seconds; /* since 1970, UTC */
	uint64_t uptime; /* nanoseconds since boot */
	uint32_t n;	 /* number of addresses; there are n + 2 counters */
	const uint8_t *address, *counter; /* in the file: for prflog_number() */
	const uint8_t *clock; /* in the file; NULL in logs of version 1 */
	uint32_t ncpu;	      /* of the clock's numbers */
};

/* A log in memory, and the place that was reached in it. */
struct prflog {
	const uint8_t *data;
	size_t size;
	size_t at; /* whole records end here */
	struct prflog_head head;
	uint32_t version;
	uint32_t n; /* number of addresses that were loaded last */
	const uint8_t *address;
	uint32_t ncpu; /* and of what the clock had done */
	const uint8_t *clock;
	const char *why; /* after an error, in words */
};

#define PRFLOG_EDAMAGED (-1) /* not such a file, or not as it was written */
#define PRFLOG_ECUT (-2)     /* it ends in the midst of a record: what came before is good */

/* Begin at a file's start. Return 0, or PRFLOG_EDAMAGED. */
int prflog_open(struct prflog *l, const void *data, size_t size);

/* Find the next snapshot. Return 1; 0 at the end; or an error, then the same ever after. */
int prflog_next(struct prflog *l, struct prflog_snap *s);

/* Return number i of a snapshot's addresses or counters. */
uint32_t prflog_number(const uint8_t *numbers, size_t i);

/* Write a record of PRFLOG_HEAD, _LOAD(n), _TICK(ncpu) or _SNAP(n) bytes; return where it ends. */
uint8_t *prflog_put_head(uint8_t *to, const struct prflog_head *head);
uint8_t *prflog_put_load(uint8_t *to, const uint32_t *address, uint32_t n);
uint8_t *prflog_put_tick(uint8_t *to, const struct prflog_clock *c); /* of the next snapshot */
uint8_t *prflog_put_snap(uint8_t *to, int64_t seconds, uint64_t uptime, const uint32_t *counter,
			 uint32_t n);

/* How two successive snapshots are related. */
enum prflog_change {
	PRFLOG_SAME,	/* the second goes on where the first was */
	PRFLOG_BOOT,	/* the system was started in between */
	PRFLOG_RELOAD,	/* other addresses were loaded */
	PRFLOG_CLEARED, /* the same addresses were loaded again, which zeroed the counters */
};

/* Tell whether counters can be subtracted. rate is in ticks a second on each processor. */
enum prflog_change prflog_change(const struct prflog_snap *from, const struct prflog_snap *to,
				 uint32_t rate);

/* Return how often counter i was incremented, even if it wrapped in between. */
uint32_t prflog_ticks(const struct prflog_snap *from, const struct prflog_snap *to, uint32_t i);
/* Return the sum of prflog_ticks() over all n + 2 counters. */
uint64_t prflog_total(const struct prflog_snap *from, const struct prflog_snap *to);

/*
 * Get how many ticks the clock gave between two snapshots to the processors of a device with that
 * minor number, and how many it lost; none of either if a snapshot does not tell.
 */
void prflog_lost(const struct prflog_snap *from, const struct prflog_snap *to, uint32_t minor,
		 struct ticks *between);
/* Copy the name of a snapshot's clock, such as "pit"; "" if it tells of none. */
void prflog_source(const struct prflog_snap *s, char source[static PRFLOG_SOURCE]);

/* prfreport.c: what prfpr(8) prints, in the guest and on the host */

struct prfreport {
	/* Return the symbol at an address, or NULL. */
	const char *(*name)(void *arg, uint32_t address);
	void (*put)(void *arg, const char *text, size_t n);
	void *arg;
	uint32_t cutoff; /* in hundredths of a per cent: shares that are larger are printed */
};

/* Read a cutoff such as "1" or "0.25", from 0 to 100 per cent. Return 0 or -1. */
int prfreport_cutoff(const char *text, uint32_t *cutoff);

/* Report all from the log's place on. Return 0, or the error that ended it (see l->why). */
int prfreport(const struct prfreport *r, struct prflog *l);

#endif
