/*
 * Kernel memory of any size. Small objects come from pages that are cut into objects of one
 * size class: so an object whose class is a power of two is aligned to its size. Larger ones
 * are whole frames.
 */
#include "kernel/memory/heap.h"
#include "kernel/memory/frame.h"
#include "kernel/prof/hooks.h"

/* Multiples of HOLE. */
const uint16_t class_size[] = {16, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048};
#define NCLASS nelem(class_size)

/* The class of objects of so many HOLEs, rounded up; beyond them there is none. */
static const uint8_t class_of[] = {
	0, 0, 1, 2, 3, [5 ... 6] = 4, [7 ... 8] = 5, [9 ... 12] = 6, [13 ... 16] = 7,
	[17 ... 32] = 8, [33 ... 64] = 9, [65 ... 128] = 10,
};

static struct spinlock lock = {.name = "heap"};
/* lock; first page of each class with a free object */
static uint32_t room[NCLASS] = {[0 ... NCLASS - 1] = FRAME_NONE};

/* Return whether all objects of the page are in use. */
static inline bool full(const struct frame *f)
{
	return (f->objects + 1u) * class_size[f->order] > PAGE;
}

/* Cut a fresh page into objects of the class, each holding the number of the next as a hole. */
static bool class_grow(unsigned class)
{
	uint8_t *page = frame_alloc();
	unsigned size = class_size[class], n = PAGE / size;

	if (!page)
		return false;
	for (unsigned i = 0; i < n; i++)
		page[i * size] = (uint8_t)((i + 1) * size / HOLE);
	frame_become(frame_of(page), (struct frame){.kind = FRAME_SLAB, .order = (uint8_t)class});
	frame_push(&room[class], v2p(page) / PAGE);
	return true;
}

static INLINED void *class_alloc(unsigned class)
{
	HOLD_SPIN(&lock);
	if (room[class] == FRAME_NONE && !class_grow(class))
		return NULL;
	uint32_t page = room[class];
	struct frame *f = &frames[page];
	uint8_t *p = (uint8_t *)p2v(page * PAGE) + f->hole * HOLE;
	f->hole = *p;
	f->objects++;
	if (full(f))
		frame_remove(&room[class], page);
	return p;
}

static inline void *large_alloc(size_t n)
{
	size_t pages = n / PAGE + (n % PAGE != 0);
	void *p = frame_alloc_n(pages);

	if (p)
		frame_become(frame_of(p), (struct frame){.kind = FRAME_LARGE, .pages = pages});
	return p;
}

/* Return n bytes of the smallest class that is large enough, or whole frames; NULL. */
static INLINED void *alloc(size_t n)
{
	size_t want = check_room(n);
	void *p;

	if (check_fails())
		return NULL;
	if (want <= class_size[NCLASS - 1])
		p = class_alloc(class_of[(want + HOLE - 1) / HOLE]);
	else
		p = large_alloc(n);
	check_given(p, n);
	return p;
}

/* Return n bytes, aligned to 16, or NULL. n = 0 gives an object too. */
void *kmalloc(size_t n)
{
	void *p = alloc(n);

	hook_kmalloc(p, n, __builtin_return_address(0));
	return p;
}

/* The same, filled with zeros, and no hook is told. */
void *kzalloc_unseen(size_t n)
{
	void *p = alloc(n);

	if (!p)
		return NULL;
	return memset(p, 0, n);
}

/*
 * Free an object in the page of f. Return whether the page goes back: it is empty, and not the last
 * one with room, or one would come and go with each object that finds the others full.
 */
static bool class_free(void *p, struct frame *f)
{
	uint32_t in = v2p(p) % PAGE, number = v2p(p) / PAGE;

	HOLD_SPIN(&lock);
	bool was_full = full(f);
	*(uint8_t *)p = (uint8_t)f->hole;
	f->hole = in / HOLE;
	f->objects--;
	if (was_full) {
		frame_push(&room[f->order], number);
		return false;
	}
	if (f->objects || f->next == FRAME_NONE)
		return false;
	frame_remove(&room[f->order], number);
	return true;
}

/* Give memory of kmalloc back; NULL does nothing. */
void kfree(void *p)
{
	if (!p)
		return;
	hook_kfree(p);
	check_freed(p);
	struct frame *f = frame_of(p);
	uint32_t pages = 1;
	if (f->kind == FRAME_LARGE)
		pages = f->pages;
	else if (f->kind != FRAME_SLAB)
		panic("kfree(%p): not from kmalloc", p);
	else if (!class_free(p, f))
		return;
	frame_become(f, (struct frame){.kind = FRAME_USED, .ref = 1});
	frame_free_n(p, pages);
}
