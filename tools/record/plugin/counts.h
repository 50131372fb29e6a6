/* What the plugin of gnomon record has counted: instructions by path and place. */
#ifndef TOOLS_RECORD_PLUGIN_COUNTS_H
#define TOOLS_RECORD_PLUGIN_COUNTS_H

#include "tools/record/plugin/cells.h"
#include "tools/record/plugin/trace.h"

/* A place where instructions count: a path of a CPU's. COUNTS_OFF: they do not. */
#define COUNTS_PATHS 26 /* bits of a path's number; those above are the CPU's */
#define COUNTS_OFF UINT32_MAX

/* A block of instructions that QEMU has translated. What an entry needs is a line of the cache. */
struct block {
	struct shadow_block at;
	uint32_t place;  /* where it ran last */
	uint32_t number; /* from 1 on */
	uint32_t n;
	uint64_t begun;	  /* how often since it was charged; nothing if `ran` tells */
	uint64_t charged; /* the sum of `ran` then */
	uint64_t *ran;	  /* by instruction; NULL: only whole blocks are counted */
	uint16_t *offset; /* of each instruction from pc */
} __attribute__((aligned(64)));

/* Begin with zeros, but for the shadow, the period, `most` and what is to be traced. */
struct counts {
	struct shadow shadow;
	struct cells cells;   /* instructions, by place and number of a block */
	struct block **block; /* by number, less 1 */
	size_t nblock, room;
	uint32_t place[SHADOW_CPUS]; /* where each CPU runs */
	uint64_t from, until; /* blocks where counting begins and ends; 0: none */
	/* Count only some instructions, each for that many: the mean of random distances. 0: all */
	uint64_t period;
	uint64_t due; /* when shadow.now has come to that, the next one is */
	uint64_t random;
	uint64_t most; /* and ended() is called when it has come to that, once */
	uint64_t next; /* the earlier of these times */
	void (*ended)(void);
	struct trace trace;
	uint64_t shift, moved; /* by which the kernel ran above its place; some of it did */
};

/* Begin to count. */
void counts_begin(struct counts *c);

/* Add a block; it gets its number. */
void counts_add(struct counts *c, struct block *block);

/*
 * A CPU begins a block, whose instructions count on its path. If there is an address to begin at,
 * shadow.off is to be set before all. Time, shadow.now, is how many instructions all CPUs have
 * begun.
 */
void counts_enter(struct counts *c, unsigned cpu, struct block *block);

/* Charge what has run and was not charged yet. */
void counts_end(struct counts *c);

/*
 * Write all to a file, of which gnomon record makes the profiles. Its lines are
 *
 *	begun
 *	moved SHIFT FURTHER
 *	path ROOT[;RETURN-ADDRESS...]
 *	at ADDRESS COUNT
 *	cpu NUMBER COUNT
 *	arc RETURN-ADDRESS ENTRY COUNT
 *	pc ADDRESS COUNT
 *	trace CPU RECORDS OVERWRITTEN
 *	go ADDRESS TIME
 *	off TIME
 *	end RETURNS BEGUN JUMPS UNMATCHED
 *
 * with hexadecimal addresses; what is `at` an address, or goes there, is on the path before.
 * Cells are in order then. Return 0, or -1 and errno.
 */
int counts_write(struct counts *c, const char *file);

#endif
