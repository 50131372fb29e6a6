/*
 * Ticks of the profiling clock that were taken and lost: how kpinfo, kpstack(5) and FILE.run tell
 * of them in words KEY=VALUE, and what the guest's and the host's programs say of them.
 */
#ifndef USERLAND_FORMATS_TICKS_H
#define USERLAND_FORMATS_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TICKS_MAXCPU 64
#define TICKS_LINE 384	/* bytes of ticks_lost()'s text at most */
#define TICKS_ADVICE 128 /* bytes of ticks_advice()'s text at most */

/* Ticks that came, and ticks that were due and never came. */
struct ticks {
	uint64_t taken, lost;
};

/* A word KEY=VALUE; both point into a text. */
struct ticks_word {
	const char *key, *value;
	size_t nkey, nvalue; /* their lengths */
	bool single;	     /* it is of one CPU, which is this one */
	uint64_t cpu;
};

/*
 * A walk through the words of a text. After profiler=NAME, up to the next such word, they are of
 * that profiler. After cpu=N, to the end of the line, they are of that CPU.
 */
struct ticks_text {
	const char *next, *end; /* what is still to be read */
	const char *profiler;	/* the one that is wanted */
	bool other;		/* the words are of another */
	bool single;
	uint64_t cpu;
};

/* Begin with the n bytes at text. */
void ticks_text_init(struct ticks_text *t, const char *text, size_t n, const char *profiler);

/*
 * Find the next word of the profiler that is wanted, or of none; false at the end. The word cpu=N
 * itself is passed over.
 */
bool ticks_next(struct ticks_text *t, struct ticks_word *w);

/* Return whether this is the key of a word. */
bool ticks_is(const struct ticks_word *w, const char *key);

/* Read a decimal number that is all of a word's value; any other value leaves *v. */
void ticks_number(const struct ticks_word *w, uint64_t *v);

/* Copy a word's value to a buffer of that size; one that is too long is cut. */
void ticks_copy(const struct ticks_word *w, char *to, size_t size);

/* Take what a word of a single CPU tells of its ticks. A CPU that is too many is passed over. */
void ticks_take(struct ticks cpu[static TICKS_MAXCPU], const struct ticks_word *w);

/* Return how many in a thousand were lost of what was due; 0 if that is not more than ten. */
unsigned ticks_permille(const struct ticks *t);

/* What may lose fewer ticks. */
enum {
	TICKS_LAPIC = 1 << 0,  /* profclock=lapic: each CPU has a timer of its own */
	TICKS_ICOUNT = 1 << 1, /* time that stands still while the host does something else */
	TICKS_TURNS = 1 << 2,  /* turns=on */
	TICKS_QEMU = 1 << 3,   /* a newer QEMU */
	TICKS_RATE = 1 << 4,   /* a lower rate */
};

/* Return all that may help with that clock and so many CPUs; 0: it is not known how many. */
unsigned ticks_helps(const char *clock, uint64_t ncpu);

/* Write what can be done, to follow "fewer are lost ". Return out. */
const char *ticks_advice(unsigned helps, char out[static TICKS_ADVICE]);

/*
 * Write a line, without its newline, that says how much was lost and what can be done about it; or
 * "" if not more than 1 % was lost. `what` is measured in ticks: "times" or "shares"; with a
 * period, the line also says how long they are. Return out.
 */
const char *ticks_lost(const struct ticks *t, const char *what, uint64_t period_us, unsigned helps,
		       char out[static TICKS_LINE]);

#endif
