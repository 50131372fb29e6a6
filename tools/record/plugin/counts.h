/*
 * What the plugin of gnomon record has counted: instructions by path and place. A block is charged
 * to a path on which it ran only when it has been entered on others since, for a sum of its own is
 * all that is added to each time. So the counts are complete after counts_end() alone.
 */
#ifndef TOOLS_RECORD_PLUGIN_COUNTS_H
#define TOOLS_RECORD_PLUGIN_COUNTS_H

#include "tools/record/plugin/cells.h"
#include "tools/record/plugin/trace.h"

/*
 * A place where instructions count: a path of a CPU's. COUNTS_OFF: they do not. That a path's
 * number fits is not checked: a tree with as many nodes would have 2 GiB.
 */
#define COUNTS_PATHS 26 /* bits of a path's number; those above are the CPU's */
#define COUNTS_OFF UINT32_MAX

/* How often each instruction of a block ran. */
struct block_each {
	uint64_t charged; /* the sum of `ran' when the block was charged last */
	uint64_t *ran;	  /* by instruction */
	uint16_t *offset; /* of each instruction from pc */
};

/* How often a block has begun in a place since it was charged there. */
struct block_run {
	uint64_t begun;
	uint32_t place;
};

/*
 * A block of instructions that QEMU has translated. What an entry needs of it is in one line of the
 * cache, the loading of which is most of what that costs.
 */
struct block {
	uint64_t begun;	 /* how often where it ran last; nothing if `each' tells */
	uint32_t place;  /* and which that is */
	uint32_t number; /* from 1 on */
	struct shadow_block at;
	struct block_run other[2]; /* where it ran before, if there is no `each' */
	struct block_each *each; /* NULL: only whole blocks are counted */
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct block, at.entry) == 64, "what calls need is in the next line");

/* Begin with zeros, but for the shadow, the period, `most` and what is to be traced. */
struct counts {
	uint64_t next; /* the earlier of `due' and `most': close to the shadow's time */
	struct shadow shadow;
	struct cells cells;   /* instructions, by place and number of a block */
	struct block **block; /* by number, less 1 */
	size_t nblock, room;
	struct block *spare; /* memory for so many more */
	size_t nspare;
	uint32_t place[SHADOW_CPUS]; /* where each CPU runs */
	uint64_t from, until; /* blocks where counting begins and ends; 0: none */
	/* Count only some instructions, each for that many: the mean of random distances. 0: all */
	uint64_t period;
	uint64_t due; /* when shadow.now has come to that, the next one is */
	uint64_t random; /* the state of counts_draw(); the same in each run, so that it repeats */
	uint64_t most; /* and ended() is called when it has come to that, once */
	void (*ended)(void); /* it returns, and blocks may still be entered afterwards */
	struct trace trace;
	uint64_t shift, moved; /* by which the kernel ran above its place; some of it did */
};

/* Begin to count: after all fields that the caller chooses, before the first block. */
void counts_begin(struct counts *c);

/* Add a block like that one, to which all but its number is given. Return it; NULL: no memory. */
struct block *counts_add(struct counts *c, const struct block *like);

/*
 * A CPU begins a block, whose instructions count on its path. If there is an address to begin at,
 * shadow.off is to be set before all. Time, shadow.now, is how many instructions all CPUs have
 * done: a block's pass when its CPU begins the next, or at the end.
 */
void counts_enter(struct counts *c, unsigned cpu, struct block *block);

/* Return whether somebody asks for the time, besides samples. */
bool counts_timed(const struct counts *c);

/*
 * counts_enter() in less time where there are no addresses to begin or end at, and no samples, and
 * nobody asks for the time, which stands still.
 */
void counts_all(struct counts *c, unsigned cpu, struct block *block);

/* The same in less time where there are samples alone, and no addresses to begin or end at. */
void counts_sample(struct counts *c, unsigned cpu, struct block *block);

/* Return whether what a CPU runs next begins by a call or a return, of which there is no trace. */
bool counts_by_call(const struct counts *c, unsigned cpu);

/*
 * These two in less time for a block that is mostly called or returned to, without a trace: a
 * processor foretells for each function apart whether the path changes there.
 */
void counts_all_by_call(struct counts *c, unsigned cpu, struct block *block);
void counts_sample_by_call(struct counts *c, unsigned cpu, struct block *block);

/* Charge what has run and was not charged yet, and count the calls that were not. */
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
 *	end RETURNS BEGUN JUMPS UNMATCHED LATE KEPT
 *
 * with hexadecimal addresses, as the kernel ran; all else is decimal. What is `at` an address, or
 * goes there, is on the path before. SHIFT is how far the kernel was found above the place that was
 * told, FURTHER how far functions of it ran elsewhere, both in bytes; LATE is 1 if a call took
 * longer than it was to, KEPT how many paths were kept if there were more, or 0. Cells are in order
 * then. Return 0, or -1 and errno.
 */
int counts_write(struct counts *c, const char *file);

/* Leave word there, before the first block, that QEMU has loaded the plugin: the first line. */
int counts_write_begun(const char *file);

#endif
