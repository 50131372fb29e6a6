/*
 * Memory of any size, from the break.
 *
 * An area of memory is a row of blocks without gaps. Each block knows its own size and that of the
 * one before it, so that a freed block can be joined with free neighbours. Free blocks are in lists
 * by the power of two of their size. The fence, a block in use, ends an area.
 */
#include <errno.h>
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
#define NLIST (8 * sizeof(size_t))

static struct block *list[NLIST]; /* list[k]: free blocks of [2^k, 2^(k+1)) bytes */
static struct block *fence;	  /* of the newest area */

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
	return NLIST - 1 - __builtin_clzl(size);
}

/* Put a free block at the head of its list. */
static void insert(struct block *b)
{
	struct block **head = &list[list_of(b->size)];

	b->prev = NULL;
	b->next = *head;
	if (*head)
		(*head)->prev = b;
	*head = b;
}

/* Take a free block out of its list. */
static void take(struct block *b)
{
	if (b->prev)
		b->prev->next = b->next;
	else
		list[list_of(b->size)] = b->next;
	if (b->next)
		b->next->prev = b->prev;
}

/* Set a block's size, with or without USED, and tell the block after it. */
static void resize(struct block *b, size_t size)
{
	b->size = size;
	after(b)->before = size & ~USED;
}

/* Free a block that is in no list, and join it with the free blocks on both sides. */
static void release(struct block *b)
{
	struct block *near = after(b);
	size_t size = size_of(b);

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

/* Cut off what a block in use has beyond size, if that is enough for a block. */
static void trim(struct block *b, size_t size)
{
	size_t rest = size_of(b) - size;

	if (rest < SMALLEST)
		return;
	b->size = size | USED;
	after(b)->before = size;
	resize(after(b), rest | USED);
	release(after(b));
}

/*
 * Take a free block of at least size bytes out of its list and return it, or NULL. In the
 * list of its own power of two the first that fits is taken; any block of the lists above
 * fits.
 */
static struct block *find(size_t size)
{
	unsigned k = list_of(size);
	struct block *b = list[k];

	while (b && b->size < size)
		b = b->next;
	while (!b && ++k < NLIST)
		b = list[k];
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
		/* A new area, within [p, p + n): the first, or the program has moved the break. */
		size_t skip = -(uintptr_t)p & (UNIT - 1);

		b = (struct block *)(p + skip);
		b->before = 0;
		n = (n - skip - HEADER) & ~(UNIT - 1);
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
	struct block *b = NULL;

	if (size != 0) {
		b = find(size);
		if (!b && grow(size))
			b = find(size);
	}
	if (!b) {
		errno = ENOMEM;
		return NULL;
	}
	b->size |= USED;
	trim(b, size);
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
	struct block *b = block_of(p);
	void *q;

	if (size != 0 && (size_of(b) >= size || absorb(b, size))) {
		trim(b, size);
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
}
