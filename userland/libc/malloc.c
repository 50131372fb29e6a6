/*
 * Memory of any size, from the break. Areas of memory are rows of blocks without
 * gaps; each block knows its own size and that of the one before it, so that a
 * freed block can be joined with free neighbours. Free blocks are kept in lists
 * by the power of two of their size. A block in use, the fence, ends an area.
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
	struct block *next, *prev; /* in its list, when free; else here begins the memory */
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

/* Its size without the mark. */
static size_t size_of(const struct block *b)
{
	return b->size & ~USED;
}

/* The neighbour that lies behind it. */
static struct block *after(struct block *b)
{
	return (struct block *)((char *)b + size_of(b));
}

/* The number of the list for free blocks of that size. */
static unsigned list_of(size_t size)
{
	return NLIST - 1 - __builtin_clzl(size);
}

/* Puts a free block at the head of its list. */
static void insert(struct block *b)
{
	struct block **head = &list[list_of(b->size)];

	b->prev = NULL;
	b->next = *head;
	if (*head)
		(*head)->prev = b;
	*head = b;
}

/* Takes a free block out of its list. */
static void take(struct block *b)
{
	if (b->prev)
		b->prev->next = b->next;
	else
		list[list_of(b->size)] = b->next;
	if (b->next)
		b->next->prev = b->prev;
}

/* Lays a size, with or without USED, over b and tells the block after it. */
static void resize(struct block *b, size_t size)
{
	b->size = size;
	after(b)->before = size & ~USED;
}

/* Makes b, in no list, a free block, joined with the free ones on both sides. */
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

/* Cuts what b, in use, has beyond size off, when a block can be made of it. */
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

/* The first free block of at least size bytes, taken out of its list, or NULL. */
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

/* Moves the break so that a free block of at least size bytes exists. */
static bool grow(size_t size)
{
	size_t n = (size + 2 * UNIT + AREA - 1) & ~(AREA - 1);
	char *p = sbrk((intptr_t)n);
	struct block *b = fence;

	if (p == (void *)-1)
		return false;
	if (!b || p != (char *)b + HEADER) {
		/* A new area, within [p, p + n): somebody else moved the break, or nobody yet. */
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

/* The block whose memory p is; a pointer that no block fits to ends the program. */
static struct block *block_of(void *p)
{
	static const char text[] = "free: not an allocated block\n";
	struct block *b = (struct block *)((char *)p - HEADER);

	if ((uintptr_t)p % UNIT == 0 && (b->size & USED) && after(b)->before == size_of(b))
		return b;
	write(STDERR_FILENO, text, sizeof(text) - 1);
	abort();
}

/* The size of a block that holds n bytes; 0 when there can be none. */
static size_t block_size(size_t n)
{
	size_t size;

	if (n > LARGEST)
		return 0;
	size = (n + HEADER + UNIT - 1) & ~(UNIT - 1);
	return size < SMALLEST ? SMALLEST : size;
}

/* n bytes, for n 0 too; NULL and ENOMEM when there are none. */
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

/* Gives b the free block after it if both together have size bytes. */
static bool absorb(struct block *b, size_t size)
{
	struct block *next = after(b);

	if ((next->size & USED) || size_of(b) + next->size < size)
		return false;
	take(next);
	resize(b, (size_of(b) + next->size) | USED);
	return true;
}

/* Changes the size of p's memory, which may move; on failure it stays as it was. */
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

void *__realloc(void *p, size_t n, const void *caller)
{
	void *q = p ? resized(p, n) : allocate(n);

	if (__builtin_expect(*__memprof_asked && q, 0))
		__memprof_tell(p, q, n, caller);
	return q;
}

void *malloc(size_t n)
{
	return __realloc(NULL, n, CALLER);
}

void *realloc(void *p, size_t n)
{
	return __realloc(p, n, CALLER);
}

/* Gives memory back; NULL is none. */
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
