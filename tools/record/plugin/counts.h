/* What the plugin of gnomon record has counted: instructions by path and place. */
#ifndef TOOLS_RECORD_PLUGIN_COUNTS_H
#define TOOLS_RECORD_PLUGIN_COUNTS_H

#include "tools/record/plugin/shadow.h"

/* A block of instructions that QEMU has translated. */
struct block {
	struct shadow_block at;
	uint32_t path;	   /* on which it ran last, and the cell of both */
	uint32_t cell;
	size_t n;
	uint64_t charged; /* the sum of all that has been counted for some path */
	uint64_t *ran;	  /* by instruction; NULL: only whole blocks are counted */
	uint16_t *offset; /* of each instruction from pc */
	struct block *next;
};

/* Begin with zeros, but for the shadow. */
struct counts {
	struct shadow shadow;
	struct table cells;   /* by path and address of a block: instructions */
	struct block *running; /* the one that was entered last, whatever CPU did */
	uint32_t path;	      /* on which it runs */
	bool off;	      /* it does not count */
	struct block *blocks;
	uint64_t from, until; /* blocks where counting begins and ends; 0: none */
};

/*
 * A CPU begins a block: what ran before is charged to its path. If there is an address to begin at,
 * shadow.off is to be set before all.
 */
void counts_enter(struct counts *c, unsigned cpu, struct block *block);

/* Charge what has run. */
void counts_end(struct counts *c);

/*
 * Write all to a file, of which gnomon record makes the profiles. Its lines are
 *
 *	path ROOT;RETURN-ADDRESS...;ADDRESS COUNT
 *	arc RETURN-ADDRESS ENTRY COUNT
 *	pc ADDRESS COUNT
 *	end RETURNS UNMATCHED INTERRUPTS SWITCHES
 *
 * with hexadecimal addresses. Return 0, or -1 and errno.
 */
int counts_write(const struct counts *c, const char *file);

#endif
