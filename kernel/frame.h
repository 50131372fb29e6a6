/* A frame's descriptor, shared by frame.c and heap.c. */
#ifndef KERNEL_FRAME_H
#define KERNEL_FRAME_H

#include <stddef.h>
#include <stdint.h>
#include "kernel/check.h"
#include "kernel/i386.h"

enum frame_kind { FRAME_USED, FRAME_FREE, FRAME_SLAB, FRAME_LARGE };

/* There is one for each page of memory; 8 bytes hold what each kind needs. */
struct frame {
	uint32_t next : 18; /* frame number: free list (frame.c), or pages with room (heap.c) */
	uint32_t kind : 2;
	uint32_t order : 4; /* FREE: log2 of the block; SLAB: size class */
	uint32_t hole : 8;  /* SLAB: offset of the first free object / HOLE, if one is free */
	union {
		struct {
			uint32_t ref : 30;  /* USED: users */
			uint32_t payer : 2; /* all but FREE: 1 + its account's number; PROMISED */
		};
		struct {
			uint32_t pages : 30; /* LARGE: how many */
		};
		struct {
			uint32_t prev : 18;   /* FREE, SLAB */
			uint32_t objects : 9; /* SLAB: in use */
		};
	};
	struct check_frame check;
};

#define PROMISED 0 /* the frame was paid for when it was promised */

#define FRAME_NONE 0x3ffffu /* no frame's number */
#define HOLE 16u

extern struct frame *frames; /* by frame number; constant after frame_init() */
extern uint32_t nframe;      /* how many there are */
extern const uint16_t class_size[]; /* heap.c: bytes of an object of each class */

/* Return the descriptor of the frame that va lies in. */
static inline struct frame *frame_of(const void *va)
{
	return &frames[v2p(va) / PAGE];
}

/* Change what a frame's descriptor says, but not who pays for the frame. */
static inline void frame_become(struct frame *f, struct frame what)
{
	uint32_t payer = f->payer;

	*f = what;
	f->payer = payer;
}

void frame_init(void *p, uint32_t end);
size_t frame_table_size(uint32_t end);

#endif
