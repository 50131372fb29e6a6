/* Frames of 4 KB in the direct map, charged to the user of the calling process. */
#pragma once

#include "kernel/machine/i386.h"
#include "kernel/memory/account.h"

enum frame_kind { FRAME_USED, FRAME_FREE, FRAME_SLAB, FRAME_LARGE };

/* There is one for each page of memory; 8 bytes hold what each kind needs. */
struct frame {
	uint32_t next : 18; /* frame number: free list (frame.c), or pages with room (heap.c) */
	uint32_t kind : 2;
	uint32_t order : 4; /* FREE: log2 of the block; SLAB: size class */
	uint32_t hole : 8;  /* SLAB: offset of the first free object / HOLE, if one is free */
	union {
		struct {
			uint32_t ref : 30;  /* USED: users; in `users` */
			uint32_t payer : 2; /* all but FREE: an enum payer */
		};
		uint32_t users; /* USED: atomic, for a user who knows that there are others too */
		uint32_t pages : 30; /* LARGE: how many */
		struct {
			uint32_t prev : 18;   /* FREE, SLAB */
			uint32_t objects : 9; /* SLAB: in use */
		};
	};
	struct check_frame check;
};

#define FRAME_USERS 0x3fffffffu /* the bits of `users` that are ref */

#define FRAME_NONE 0x3ffffu /* no frame's number */
#define HOLE 16u

extern struct frame *frames; /* by frame number; constant after frame_init() */
extern uint32_t nframe;      /* how many there are */

void frame_init(void *p, uint32_t end);
void frame_add(uint32_t pa, uint32_t end); /* free memory; its whole pages are taken */
void *frame_alloc_n(size_t n); /* n contiguous frames, content undefined; or NULL */
void *frame_alloc_for(enum payer payer, size_t n); /* the same, charged to that account */
void frame_free_n(void *va, size_t n);
/* A promise is charged at once; it makes frame_alloc_promised() succeed n times, later. */
bool frame_promise(enum payer payer, uint32_t n);
void frame_unpromise(enum payer payer, uint32_t n); /* when those frames are free again */
void *frame_alloc_promised(void);
size_t frame_free_count(void);
size_t frame_available(void); /* how many the calling process could be given now */

static inline void *frame_alloc(void)
{
	return frame_alloc_n(1);
}

static inline void frame_free(void *va)
{
	frame_free_n(va, 1);
}

/* Return the descriptor of the frame that va lies in. */
static inline struct frame *frame_of(const void *va)
{
	return &frames[v2p(va) / PAGE];
}

/* Add a user of the frame at pa; the caller is one. */
static inline void frame_share(uint32_t pa)
{
	__atomic_add_fetch(&frames[pa / PAGE].users, 1, __ATOMIC_RELAXED);
}

/* Return whether the frame at pa has more than one user; the caller is one. */
static inline bool frame_shared(uint32_t pa)
{
	return (__atomic_load_n(&frames[pa / PAGE].users, __ATOMIC_ACQUIRE) & FRAME_USERS) > 1;
}

/* Drop a reference to the frame at pa; false, and nothing changes, if it has no other. */
static inline bool frame_unref(uint32_t pa)
{
	uint32_t *users = &frames[pa / PAGE].users;
	uint32_t n = __atomic_load_n(users, __ATOMIC_ACQUIRE);

	while ((n & FRAME_USERS) > 1 &&
	       !__atomic_compare_exchange_n(users, &n, n - 1, true, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE))
		;
	return (n & FRAME_USERS) > 1;
}

/* Put frame f first in a list. */
static inline void frame_push(uint32_t *list, uint32_t f)
{
	frames[f].next = *list & FRAME_NONE;
	frames[f].prev = FRAME_NONE;
	if (*list != FRAME_NONE)
		frames[*list].prev = f & FRAME_NONE;
	*list = f;
}

/* Take frame f out of the list that it is in. */
static inline void frame_remove(uint32_t *list, uint32_t f)
{
	const struct frame *p = &frames[f];

	if (p->prev != FRAME_NONE)
		frames[p->prev].next = p->next;
	else
		*list = p->next;
	if (p->next != FRAME_NONE)
		frames[p->next].prev = p->prev;
}

/* Change what a frame's descriptor says, but not who pays for the frame. */
static inline void frame_become(struct frame *f, struct frame what)
{
	enum payer payer = f->payer;

	*f = what;
	f->payer = payer & 3;
}

/*
 * The same as frame_alloc_for() and frame_free() for a frame that is all zeros, as page tables are
 * when they are made, and again when they are no longer used.
 */
void *frame_alloc_zeroed(enum payer payer);
void frame_free_zeroed(void *va);
