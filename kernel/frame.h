/* A frame's descriptor, shared by frame.c and heap.c. */
#ifndef KERNEL_FRAME_H
#define KERNEL_FRAME_H

#include <stddef.h>
#include <stdint.h>
#include "i386.h"

enum frame_kind { FRAME_USED, FRAME_FREE, FRAME_SLAB, FRAME_LARGE };

struct frame {
	uint32_t next, prev; /* frame numbers: free list (frame.c), or pages with room (heap.c) */
	uint16_t ref;	     /* users; a slab's objects in use */
	uint16_t hole;	     /* slab: offset of the first free object, 0xffff none */
	uint8_t kind;
	uint8_t order; /* FREE: log2 of the block; SLAB: size class */
	uint16_t pages; /* LARGE: how many */
};

extern struct frame *frames; /* by frame number; constant after frame_init() */

/* The descriptor of the frame that va lies in. */
static inline struct frame *frame_of(const void *va)
{
	return &frames[v2p(va) / PAGE];
}

void frame_init(void *p, uint32_t end);
size_t frame_table_size(uint32_t end);

#endif
