/*
 * stack: how often the program counter was found at the end of each path of calls, by
 * frame pointers. kpstack(5) has the file.
 */
#ifndef PROF_STACK_H
#define PROF_STACK_H

#include "prof/sample.h"

#define STACK_DEPTH 64u	    /* addresses in a path, until stack_depth() */
#define STACK_MAXDEPTH 128u
#ifndef STACK_WORDS
#define STACK_WORDS 262144u /* of all CPUs' tables together; 1/4 to 1/2 as much for their hashes */
#endif
#define STACK_LOG2_RECENT 10u
#define STACK_PAGE 4096u
#define STACK_EVERY UINT32_MAX /* no process has this number */

enum stack_kind { STACK_KERNEL, STACK_IDLE, STACK_USER, STACK_INTERRUPT };

/* What a trap came from. */
enum stack_trap { STACK_AT_NOTHING, STACK_AT_INTERRUPT, STACK_AT_USER, STACK_AT_KERNEL };

/* The entry found last with some pc and frame pointer, and in which system call that was. */
struct stack_recent {
	uint32_t *entry;	 /* the one at place 0: none */
	uint32_t pid, entered;	 /* the sample's then */
	uint32_t left;		 /* bytes of kernel stack from the system call's frame to the end */
	const uint32_t *pc;	 /* in the entry: its innermost address */
	const uint32_t *program; /* and the program's innermost */
};

/* One CPU's table, written by its ticks alone. */
struct stack_cpu {
	uint32_t *slot; /* a hash: where in word an entry is; 0: none; atomic */
	struct stack_recent *recent; /* by pc and frame pointer, hashed */
	uint32_t *word; /* entries, one after the other: stacktable.h; NULL: switched off */
	uint32_t used;	/* of them; atomic */
	uint32_t left;	/* ticks that may yet be counted; atomic */
	uint32_t pad[3]; /* to a power of two: a shift finds a CPU's */
};

struct stacks {
	unsigned ncpu;
	uint32_t trap;	/* where trap() returns to: marks a trap's frame on the stack */
	uint32_t depth; /* addresses in a path, at most */
	uint32_t pid;	/* whose ticks alone are counted, or STACK_EVERY; atomic */
	uint32_t nword; /* of each table */
	uint32_t shift; /* it has 2^(32 - shift) slots */
	struct prof_pace pace;
	struct stack_cpu cpu[PROF_MAXCPU];
};

/* How full the tables were at one moment. */
struct stack_look {
	uint32_t used[PROF_MAXCPU];
};

/*
 * Before all others: how many CPUs, and where the code that a trap calls returns to, by
 * which the frames of handlers are known.
 */
void stack_init(struct prof *p, unsigned ncpu, uint32_t trap);

/* The tables are made, empty; false: no memory. Or freed, once no tick is under way. */
bool stack_open(struct prof *p);
void stack_close(struct prof *p);
bool stack_on(const struct prof *p); /* whether there are tables */

void stack_run(struct prof *p, bool on); /* count, adding to what is there; needs tables */
void stack_clear(struct prof *p);	 /* zeroes; runs on if it ran */
void stack_depth(struct prof *p, uint32_t depth); /* 1 to STACK_MAXDEPTH; without tables */
void stack_only(struct prof *p, uint32_t pid);

/*
 * Count the path of a tick. A CPU may count its share of 2^32 - 1 ticks. It allocates
 * nothing, takes no lock, and reads no memory but the sample's and what the hooks tell.
 */
void stack_tick(struct prof *p, const struct prof_sample *s);

/* stackout.c: the file, as at that moment; its length is at most what stack_look() returned. */
size_t stack_look(const struct prof *p, struct stack_look *l);
size_t stack_text(const struct prof *p, const struct stack_look *l, char *out);

#endif
