/*
 * Memory of any size, from the break.
 *
 * An area of memory is a row of blocks without gaps. Each block knows its own size and that of the
 * one before it, so that a freed block can be joined with free neighbours. The fence, a block in
 * use, ends an area.
 *
 * Free blocks are in lists by their size, STEPS lists for each power of two; small blocks of one
 * list are all of one size. Bits tell which lists have blocks, so that one that fits is found
 * without a search.
 * Optimize: speed.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "userland/libc/libc.h"

struct block {
	size_t before;		   /* size of the block before this one, 0: it is the first */
	size_t size;		   /* of this one, a multiple of UNIT; bit 0: in use */
	struct block *next, *prev; /* in its list, if free; or else the memory begins here */
};

#define USED ((size_t)1)
#define HEADER offsetof(struct block, next)
#define UNIT HEADER /* what memory is aligned to */
#define SMALLEST sizeof(struct block)
#define LARGEST (PTRDIFF_MAX - AREA - 2 * SMALLEST)
#define AREA ((size_t)1 << 16) /* the break moves by multiples of this */
#define TRIM ((size_t)1 << 20) /* a free end of so many bytes goes back to the kernel */
#define BITS (8 * sizeof(size_t))
#define STEP_BITS 3
#define STEPS (1u << STEP_BITS)
#define NLIST (BITS * STEPS)
#define LOOKS 4 /* at blocks of a list in which not every block fits, before others are tried */

static struct block *list[NLIST];   /* [k * STEPS + i]: from 2^k + i * 2^k/STEPS bytes on, free */
static size_t filled[NLIST / BITS]; /* bit i of number k: list[k * BITS + i] has a block */
static struct block *fence;	    /* of the newest area */

/* Return the block's size without the mark. */
static size_t size_of(const struct block *b)
{
	return b->size & ~USED;
}

/* Return the block after this one. */
static struct block *after(struct block *b)
{
	return (struct block *)((char *)b + size_of(b));
}

/* Return the number of the list for free blocks of that size. */
static unsigned list_of(size_t size)
{
	unsigned k = (BITS - 1) ^ (unsigned)__builtin_clzl(size);

	return k * STEPS + (size >> (k - STEP_BITS) & (STEPS - 1));
}

/* Put a free block at the head of its list. */
static void insert(struct block *b)
{
	unsigned i = list_of(b->size);

	b->prev = NULL;
	b->next = list[i];
	if (b->next)
		b->next->prev = b;
	list[i] = b;
	filled[i / BITS] |= (size_t)1 << i % BITS;
}

/* Take a free block out of its list. */
static void take(struct block *b)
{
	unsigned i;

	if (b->next)
		b->next->prev = b->prev;
	if (b->prev) {
		b->prev->next = b->next;
		return;
	}
	i = list_of(b->size);
	list[i] = b->next;
	if (!b->next)
		filled[i / BITS] &= ~((size_t)1 << i % BITS);
}

/* Set a block's size, with or without USED, and tell the block after it. */
static void resize(struct block *b, size_t size)
{
	b->size = size;
	after(b)->before = size & ~USED;
}

/*
 * Free a block that is in no list, and join it with the free blocks on both sides. Its own header
 * says so even where it becomes the inside of another block: block_of() may be asked for it again.
 */
static void release(struct block *b)
{
	struct block *near = after(b);
	size_t size = size_of(b);

	b->size = size;
	if (!(near->size & USED)) {
		take(near);
		size += near->size;
	}
	near = (struct block *)((char *)b - b->before);
	if (near != b && !(near->size & USED)) {
		take(near);
		size += near->size;
		b = near;
	}
	resize(b, size);
	insert(b);
}

/*
 * Cut off what a block has beyond size, if that is enough for a block, and use the block. Return
 * what was cut off, which is in no list yet, or NULL.
 */
static struct block *cut(struct block *b, size_t size)
{
	size_t rest = size_of(b) - size;
	struct block *second;

	if (rest < SMALLEST) {
		b->size |= USED;
		return NULL;
	}
	b->size = size | USED;
	second = after(b);
	second->before = size;
	resize(second, rest);
	return second;
}

/* Return the first of a list's first n blocks that has at least size bytes, or NULL. */
static struct block *look(struct block *b, size_t size, unsigned n)
{
	while (b && n > 0 && b->size < size) {
		b = b->next;
		n--;
	}
	return n > 0 ? b : NULL;
}

/* Return a block of the first list after number i that has one, or NULL. */
static struct block *larger(unsigned i)
{
	unsigned k = i / BITS;
	size_t more = filled[k] & ~(size_t)1 << i % BITS;

	while (more == 0) {
		if (++k == NLIST / BITS)
			return NULL;
		more = filled[k];
	}
	return list[k * BITS + (unsigned)__builtin_ctzl(more)];
}

/*
 * Take a free block of at least size bytes out of its list and return it, or NULL. All of the
 * list for this size is searched only where else the break would move.
 */
static struct block *find(size_t size)
{
	unsigned i = list_of(size);
	struct block *b = look(list[i], size, LOOKS);

	if (!b)
		b = larger(i);
	if (!b)
		b = look(list[i], size, UINT_MAX);
	if (b)
		take(b);
	return b;
}

/* Move the break so that a free block of at least size bytes exists. */
static bool grow(size_t size)
{
	size_t n = (size + 2 * UNIT + AREA - 1) & ~(AREA - 1);
	char *p = sbrk((intptr_t)n);
	struct block *b = fence;

	if (p == (void *)-1)
		return false;
	if (!b || p != (char *)b + HEADER) {
		/* A new area: the first, or the program has moved the break, where it ends. */
		size_t skip = -(uintptr_t)p & (UNIT - 1);

		if (skip && sbrk((intptr_t)skip) == (void *)-1)
			return false;
		b = (struct block *)(p + skip);
		b->before = 0;
		n -= HEADER;
	}
	b->size = n | USED;
	fence = after(b);
	fence->before = n;
	fence->size = HEADER | USED;
	release(b);
	return true;
}

/* Return the block whose memory p is. A pointer that fits no block ends the program. */
static struct block *block_of(void *p)
{
	static const char text[] = "free: not an allocated block\n";
	struct block *b = (struct block *)((char *)p - HEADER);

	if ((uintptr_t)p % UNIT == 0 && (b->size & USED) && after(b)->before == size_of(b))
		return b;
	write(STDERR_FILENO, text, sizeof(text) - 1);
	abort();
}

/* Return the size of a block that holds n bytes, or 0 if there can be none. */
static size_t block_size(size_t n)
{
	size_t size;

	if (n > LARGEST)
		return 0;
	size = (n + HEADER + UNIT - 1) & ~(UNIT - 1);
	return size < SMALLEST ? SMALLEST : size;
}

/* Allocate n bytes, which may be 0. NULL with ENOMEM. */
static void *allocate(size_t n)
{
	size_t size = block_size(n);
	struct block *b = NULL, *rest;

	if (size != 0) {
		b = find(size);
		if (!b && grow(size))
			b = find(size);
	}
	if (!b) {
		errno = ENOMEM;
		return NULL;
	}
	rest = cut(b, size);
	if (rest)
		insert(rest); /* the block after it is in use, or else it would be part of it */
	return &b->next;
}

/* Give b the free block after it if both together have size bytes. */
static bool absorb(struct block *b, size_t size)
{
	struct block *next = after(b);

	if ((next->size & USED) || size_of(b) + next->size < size)
		return false;
	take(next);
	resize(b, (size_of(b) + next->size) | USED);
	return true;
}

/* Change the size of p's memory, which may move. On failure it stays as it was. */
static void *resized(void *p, size_t n)
{
	size_t size = block_size(n);
	struct block *b = block_of(p), *rest;
	void *q;

	if (size != 0 && (size_of(b) >= size || absorb(b, size))) {
		rest = cut(b, size);
		if (rest)
			release(rest);
		return p;
	}
	q = allocate(n);
	if (!q)
		return NULL;
	memcpy(q, p, size_of(b) - HEADER);
	release(b);
	return q;
}

/* Do what malloc() and realloc() do, and tell the kernel if it profiles memory. */
void *__realloc(void *p, size_t n, const void *caller)
{
	void *q = p ? resized(p, n) : allocate(n);

	if (__builtin_expect(*__memprof_asked && q, 0))
		__memprof_tell(p, q, n, caller);
	return q;
}

/* Allocate n bytes, aligned to UNIT; for 0 this is a pointer, too. NULL with ENOMEM. */
void *malloc(size_t n)
{
	return __realloc(NULL, n, CALLER);
}

/*
 * Resize memory; NULL allocates. NULL with ENOMEM, and the memory stays as it was. (C11
 * 7.22.3.5; 0 does not free)
 */
void *realloc(void *p, size_t n)
{
	return __realloc(p, n, CALLER);
}

/*
 * Give the kernel back most of a free block that is the last of all: a fork has to promise a copy
 * of all that a program has. Not if the program has moved the break itself.
 */
static void shrink(void)
{
	struct block *b = (struct block *)((char *)fence - fence->before);
	size_t n = (b->size - SMALLEST) & ~(AREA - 1);

	if ((b->size & USED) || b->size < TRIM || sbrk(0) != (char *)fence + HEADER)
		return;
	take(b);
	if (sbrk(-(intptr_t)n) != (void *)-1) {
		fence = (struct block *)((char *)fence - n);
		fence->size = HEADER | USED;
		resize(b, b->size - n);
	}
	insert(b);
}

/* Free memory. NULL is nothing to free. */
void free(void *p)
{
	struct block *b;

	if (!p)
		return;
	b = block_of(p);
	if (__builtin_expect(*__memprof_asked, 0))
		__memprof_tell(p, NULL, 0, NULL);
	release(b);
	shrink();
}
