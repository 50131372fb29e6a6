/* The insides of an address space, which the files of this folder share. */
#pragma once

#include "kernel/memory/frame.h"
#include "kernel/process/proc.h"

/* A stretch of user memory, [start, end) in whole pages. */
struct region {
	uint32_t start, end;
	uint32_t low, high; /* all pages that are present: most of a stack is never touched */
	uint32_t top; /* the highest that end ever was: there may be page tables up to here */
	uint32_t promised; /* a frame is promised for each page from here to end */
	uint32_t prot;
	uint32_t offset; /* of start in the program's file, whose pages it has; or VM_NOFILE */
};

struct vm {
	uint64_t pdpt[4];	/* aligned to 32 bytes, as the heap's objects of this size are */
	struct spinlock lock;	/* guards all of this and the page tables */
	uint32_t ref;		/* atomic */
	uint32_t near;		/* the number of the page table that was looked up last */
	uint64_t *near_table;	/* that table; while there is an address space, none is freed */
	struct region *near_region; /* found or made last */
	unsigned heap;		/* the region that brk() moves the end of */
	uint32_t brk;		/* the exact break, any byte */
	uint32_t brk_low;	/* where it was first: the end of the program's data */
	size_t resident;	/* pages present */
	uint32_t promised;	/* frames */
	enum payer payer;	/* of whoever made it; changes only while one process uses it */
	unsigned nregion, room; /* constant once it is in use */
	struct region region[]; /* ascending */
};

static inline struct region *region_at(struct vm *vm, uint32_t va)
{
	struct region *r = vm->near_region, *end = &vm->region[vm->nregion];

	if (in_range(va, r->start, r->end))
		return r;
	for (r = vm->region; r < end; r++)
		if (in_range(va, r->start, r->end))
			return vm->near_region = r;
	return NULL;
}

/* Have n pages more promised. */
static inline bool region_promise(struct vm *vm, uint32_t n)
{
	bool ok = n == 0 || frame_promise(vm->payer, n);

	if (ok)
		vm->promised += n;
	return ok;
}
