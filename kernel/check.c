/* What the checking kernel looks after; see check.h. Nothing of this is in the usual kernel. */
#include "kernel/check.h"
#include "kernel/frame.h"
#include "kernel/lock.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"

/*
 * Memory. A free frame, and a free object but for its first byte (heap.c's link), holds POISON.
 * Of an object in use all behind the n bytes asked for is a zone; a small one's last word is n.
 */
#define POISON 0xdbu
#define ZONE 0xbdu
#define SMALL_MAX 2048u
#define ZONE_MIN (4 + sizeof(uint32_t))

size_t check_room(size_t n)
{
	size_t room = 16;

	if (n > SMALL_MAX)
		return n; /* whole frames: the zone is what is left of the last, if anything is */
	while (room < n + ZONE_MIN)
		room *= 2; /* an object whose size is a power of two is aligned to it */
	return room;
}

/* Return the first of n bytes that is not b, or NULL. */
static const uint8_t *differs(const uint8_t *p, uint8_t b, size_t n)
{
	const uint8_t *end = p + n;
	const uint32_t word = b * 0x01010101u;

	for (; p < end && (uintptr_t)p % 4; p++)
		if (*p != b)
			return p;
	while (end - p >= 4 && *(const uint32_t *)(const void *)p == word)
		p += 4;
	for (; p < end; p++)
		if (*p != b)
			return p;
	return NULL;
}

/* Return the bytes from the object's first to the end of its zone. */
static size_t object_size(const struct frame *f)
{
	return f->kind == FRAME_LARGE ? f->pages * PAGE : class_size[f->order] - sizeof(uint32_t);
}

/* Return where it stands how many bytes were asked for. */
static uint32_t *object_asked(void *p, struct frame *f)
{
	return f->kind == FRAME_LARGE ? &f->check.asked :
					(uint32_t *)(void *)((uint8_t *)p + object_size(f));
}

void check_given(void *p, size_t n)
{
	if (!p)
		return;
	struct frame *f = frame_of(p);
	size_t size = object_size(f);
	const uint8_t *bad = f->kind == FRAME_LARGE ? NULL :
			     differs((uint8_t *)p + 1, POISON, size - 1);
	if (bad)
		panic("object %p was written at %p after it was freed", p, bad);
	memset((uint8_t *)p + n, ZONE, size - n);
	*object_asked(p, f) = (uint32_t)n;
}

/* Panic unless the object's zone is whole. */
static void zone_check(void *p, struct frame *f)
{
	size_t size = object_size(f), n = *object_asked(p, f);

	if (n > size)
		panic("object %p of at most %u bytes: freed twice, or written behind", p, size);
	const uint8_t *bad = differs((uint8_t *)p + n, ZONE, size - n);
	if (bad)
		panic("object %p of %u bytes was written behind, at %p", p, n, bad);
}

void check_freed(void *p)
{
	struct frame *f = frame_of(p);

	if (f->kind != FRAME_SLAB && f->kind != FRAME_LARGE)
		return; /* heap.c says so itself */
	zone_check(p, f);
	if (f->kind == FRAME_SLAB)
		memset(p, POISON, class_size[f->order]);
}

void check_frames_given(const void *va, size_t n)
{
	const uint8_t *bad = differs(va, POISON, n * PAGE);

	if (bad)
		panic("frame %x was written at %p while it was free", v2p(va), bad);
}

void check_frames_freed(void *va, size_t n)
{
	memset(va, POISON, n * PAGE);
}
