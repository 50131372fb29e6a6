/*
 * Physical memory: a buddy allocator over the frames of the direct map. Every
 * frame has a descriptor; heap.c uses it too, for what it knows of a page.
 *
 * A frame is charged to an account: when it is given out, or before that, when it is promised.
 * What is promised can be had, since the promises and the other frames in use together never
 * exceed memory. A promised frame that several address spaces share was promised to each of them.
 */
#include "kernel/memory/frame.h"
#include "kernel/machine/string.h"
#include "kernel/process/proc.h"

#define MAXORDER 14 /* blocks of 1, 2, ... 8192 frames */
#define MAXZEROED 32 /* the page tables of some processes */

static struct spinlock lock = {.name = "frame"};
struct frame *frames;
uint32_t nframe;		 /* of frames; constant after frame_init */
static uint32_t nfree;		 /* lock; how many are in the lists */
static uint32_t total;		 /* frames that can be given out; constant after boot */
static uint32_t charged;	 /* atomic; those of them that are promised, or in use otherwise */
static uint32_t list[MAXORDER];	 /* lock; first free block of each order */
static uint32_t zeroed[MAXZEROED]; /* lock; free frames of zeros, which are in no list */
static uint32_t nzeroed;	 /* lock */

/* Put a free block into the list of its order. */
static inline void list_push(uint32_t f, unsigned order)
{
	frames[f] = (struct frame){.kind = FRAME_FREE, .order = (uint8_t)order};
	frame_push(&list[order], f);
}

/* Free a block, and join it with its buddy as long as that is free too. */
static INLINED void block_free(uint32_t f, unsigned order)
{
	nfree += 1u << order;
	frames[f].ref = 0;
	while (order + 1 < MAXORDER) {
		uint32_t buddy = f ^ 1u << order;
		if (buddy >= nframe || frames[buddy].kind != FRAME_FREE)
			break;
		if (frames[buddy].order != order)
			break;
		frame_remove(&list[order], buddy);
		frames[buddy] = (struct frame){.kind = FRAME_USED};
		f &= ~(1u << order);
		order++;
	}
	list_push(f, order);
}

/* Take a block of the order, split off a larger one if need be; FRAME_NONE: there is none. */
static INLINED uint32_t block_alloc(unsigned order)
{
	unsigned o = order;

	while (list[o] == FRAME_NONE)
		if (++o == MAXORDER)
			return FRAME_NONE;
	uint32_t f = list[o];
	frame_remove(&list[o], f);
	while (o > order) {
		o--;
		list_push(f + (1u << o), o);
	}
	nfree -= 1u << order;
	return f;
}

_Static_assert((KERNMAP_END - KERNBASE) / PAGE <= FRAME_NONE, "a descriptor can name all frames");

/*
 * Place the descriptors of all memory below end at p, where there is room for one a page. What is
 * not added as free memory stays in use: an archive's pages, too, when no program has them now.
 */
void frame_init(void *p, uint32_t end)
{
	frames = p;
	nframe = end / PAGE;
	for (uint32_t f = 0; f < nframe; f++)
		frames[f] = (struct frame){.kind = FRAME_USED, .ref = 1};
	for (unsigned i = 0; i < MAXORDER; i++)
		list[i] = FRAME_NONE;
}

/* Add free memory: the whole pages inside [pa, end). */
void frame_add(uint32_t pa, uint32_t end)
{
	uint32_t f = (pa + PAGE - 1) / PAGE, last = min_size(end / PAGE, nframe);

	HOLD_SPIN(&lock);
	for (; f < last; f++) {
		check_frames_freed(p2v(f * PAGE), 1);
		block_free(f, 0);
		total++;
	}
}

/* Charge n frames if the first process asks for them: it alone need leave none for others. */
static NOT_INLINED bool frame_charge_first(uint32_t n)
{
	if (proc_self()->pid != 1)
		return false;
	return limited_take(&charged, n, total);
}

/*
 * Charge n frames to the account: false if that is more than it may have, or would eat into what
 * it must leave to others. What is charged can be had, for frames are free again before their
 * charge is taken back.
 */
static inline bool frame_charge(enum payer payer, uint32_t n)
{
	if (!limited_take(&charged, n, total - account_reserve[payer]) && !frame_charge_first(n))
		return false;
	if (account_charge(payer, ACCOUNT_PAGES, n))
		return true;
	__atomic_sub_fetch(&charged, n, __ATOMIC_RELEASE);
	return false;
}

/* Promise n frames, which the account pays for from now on. */
bool frame_promise(enum payer payer, uint32_t n)
{
	if (check_fails())
		return false;
	return frame_charge(payer, n);
}

/* Take the charge for n frames back; those of them that were given out are free already. */
void frame_unpromise(enum payer payer, uint32_t n)
{
	account_uncharge(payer, ACCOUNT_PAGES, n);
	__atomic_sub_fetch(&charged, n, __ATOMIC_RELEASE);
}

/* Allocate a block of n frames, for which `payer` has paid. Lock held. */
static INLINED uint32_t block_take(size_t n, unsigned order, enum payer payer)
{
	uint32_t f = block_alloc(order);

	if (f == FRAME_NONE) {
		while (nzeroed > 0) /* the frames of zeros go into the lists */
			block_free(zeroed[--nzeroed], 0);
		f = block_alloc(order);
	}
	if (f == FRAME_NONE)
		return f;
	for (uint32_t i = 0; i < n; i++)
		frames[f + i] = (struct frame){.kind = FRAME_USED, .ref = 1, .payer = payer & 3};
	for (uint32_t i = (uint32_t)n; i < 1u << order; i++)
		block_free(f + i, 0);
	return f;
}

/* Give out a frame that was promised. */
void *frame_alloc_promised(void)
{
	HOLD_SPIN(&lock);
	uint32_t f = block_take(1, 0, PAYER_NONE);
	if (f == FRAME_NONE)
		panic("no memory for a page that was promised");
	check_frames_given(p2v(f * PAGE), 1);
	return p2v(f * PAGE);
}

/* Allocate n contiguous frames, content undefined, for the account; NULL: there are none. */
void *frame_alloc_for(enum payer payer, size_t n)
{
	unsigned order = 0;

	while (1u << order < n)
		order++;
	if (n == 0 || order >= MAXORDER || !frame_promise(payer, (uint32_t)n))
		return NULL;
	HOLD_SPIN(&lock);
	uint32_t f = block_take(n, order, payer);
	if (f == FRAME_NONE) {
		frame_unpromise(payer, (uint32_t)n);
		return NULL;
	}
	check_frames_given(p2v(f * PAGE), n);
	return p2v(f * PAGE);
}

/* Allocate n contiguous frames for the calling process. */
void *frame_alloc_n(size_t n)
{
	return frame_alloc_for(proc_self()->payer, n);
}

void *frame_alloc_zeroed(enum payer payer)
{
	spin_lock(&lock);
	bool kept = nzeroed > 0 && frame_charge(payer, 1);
	uint32_t f = kept ? zeroed[--nzeroed] : 0;
	if (kept)
		frames[f] = (struct frame){.ref = 1, .payer = payer & 3};
	spin_unlock(&lock);
	if (kept)
		return p2v(f * PAGE);
	void *p = frame_alloc_for(payer, 1);
	return p ? memset(p, 0, PAGE) : NULL;
}

/* The checking kernel keeps none: there, what is free holds poison. */
void frame_free_zeroed(void *va)
{
	uint32_t f = v2p(va) / PAGE;
	enum payer payer = frames[f].payer;

	check_frame_zeroed(va);
	spin_lock(&lock);
	bool keep = !CHECKED && nzeroed < MAXZEROED;
	if (keep) {
		frames[f] = (struct frame){.kind = FRAME_USED};
		zeroed[nzeroed++] = f;
	}
	spin_unlock(&lock);
	if (keep)
		frame_unpromise(payer, 1);
	else
		frame_free(va);
}

/* Drop a reference to each of n frames, and free those that had no other. */
void frame_free_n(void *va, size_t n)
{
	uint32_t f = v2p(va) / PAGE, end = f + (uint32_t)n;

	HOLD_SPIN(&lock);
	for (; f < end; f++) {
		if (frames[f].kind == FRAME_FREE || frames[f].ref == 0)
			panic("frame %x freed twice", f * PAGE);
		if (frame_unref(f * PAGE))
			continue;
		enum payer payer = frames[f].payer;
		check_frames_freed(p2v(f * PAGE), 1);
		block_free(f, 0);
		if (payer != PAYER_NONE)
			frame_unpromise(payer, 1);
	}
}

/* Return how many frames are free. */
size_t frame_free_count(void)
{
	return nfree + nzeroed;
}

/* Return how many frames the calling process could be given now. */
size_t frame_available(void)
{
	enum payer payer = proc_self()->payer;
	const struct account *a = &accounts[ACCOUNT_PAGES][payer];
	uint32_t own = limited_left(a->used, a->limit);

	return min_size(own, limited_left(charged, total - account_reserve[payer]));
}
